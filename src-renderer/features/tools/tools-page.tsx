import clsx from 'clsx'
import { FileText } from 'lucide-react'
import { type JSX, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'

import type { ToolsState, ToolView } from '../../../src-shared/domain/agents/tools'
import { NoServers } from '../../components/server/no-servers'
import { type AppLimit, limitsBelow, limitSentence } from '../../components/tool/app-limits'
import { useAppLimits } from '../../components/tool/app-limits'
import { reviewPlace } from '../../components/tool/review-place'
import { toolsWords } from '../../components/tool/tool-messages'
import { useServers } from '../../stores/app-store'
import { choiceOf, readToolsAgain, useTools, useToolsState } from '../../stores/tools-store'
import { Button } from '../../ui/controls/button'
import { SearchField } from '../../ui/controls/search-field'
import { type Chosen, useChosen } from '../../ui/controls/use-chosen'
import { Banner } from '../../ui/layout/banner'
import { BlankState } from '../../ui/layout/blank-state'
import { Page } from '../../ui/layout/page'
import { ProblemState } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'
import { enterList } from '../../ui/list/virtual-list'
import { counted, formatCount } from '../../ui/text/format'
import { problemWords } from '../../ui/text/problem-messages'
import { ContextDialog } from './context-dialog'
import {
  foundTools,
  type GroupServer,
  type ListedTool,
  listedTools,
  type ListGroup,
  listGroups,
} from './list-groups'
import { SuggestDialog } from './suggest-dialog'
import { switchOne } from './switch-shown'
import { ToolDetailSheet } from './tool-detail'
import { ToolGroups } from './tool-groups'
import type { ToolRowActs } from './tool-row'
import { ToolsBar } from './tools-bar'
import { ALL_TOOLS, setToolsView, type ToolsView, useToolsView } from './tools-view-store'

/** Every server with its numbers, in main's order. */
function useGroupServers(state: ToolsState | undefined): readonly GroupServer[] {
  const servers = useServers()
  const { pending } = useTools()
  return useMemo(() => {
    const byId = new Map(servers.map((server) => [server.installationId, server]))
    return (state?.servers ?? []).flatMap((numbers) => {
      const server = byId.get(numbers.installationId)
      if (!server) return []
      const choice = choiceOf(numbers, pending)
      return { numbers, name: server.name, isEnabled: server.enabled, choice }
    })
  }, [servers, state, pending])
}

type Listing = {
  readonly all: readonly ListedTool[]
  readonly found: readonly ListedTool[]
  readonly servers: readonly GroupServer[]
  readonly groups: readonly ListGroup[]
  readonly view: ToolsView
  readonly chosen: Chosen
}

function useListing(state: ToolsState | undefined, tools: readonly ToolView[]): Listing {
  const view = useToolsView()
  const servers = useGroupServers(state)
  const all = useMemo(() => listedTools(tools, servers), [tools, servers])
  const found = useMemo(() => foundTools(all, view), [all, view])
  const groups = useMemo(() => listGroups(found, servers, view), [found, servers, view])
  const keys = useMemo(() => groups.flatMap(({ tools }) => tools.map(({ key }) => key)), [groups])
  const chosen = useChosen(keys)
  return { all, found, servers, groups, view, chosen }
}

/** What stands over the page. */
type Over =
  | { readonly kind: 'tool'; readonly key: string }
  | { readonly kind: 'suggestions' }
  | { readonly kind: 'context' }

function useActs({ all, chosen }: Listing, show: (over: Over) => void): ToolRowActs {
  const [, navigate] = useLocation()
  const { toggle } = chosen
  return useMemo(() => {
    const listedOf = (tool: ToolView): ListedTool | undefined =>
      all.find((listed) => listed.tool === tool)
    return {
      onToggle: (tool, isOn) => {
        const listed = listedOf(tool)
        if (listed) switchOne(all, listed, isOn)
      },
      onOpen: (tool) => {
        const listed = listedOf(tool)
        if (listed) show({ kind: 'tool', key: listed.key })
      },
      onSelect: (tool, isRange) => {
        const listed = listedOf(tool)
        if (listed) toggle(listed.key, isRange)
      },
      onReview: ({ installationId, name }) => navigate(reviewPlace(installationId, name)),
    }
  }, [all, toggle, show, navigate])
}

function Body({
  state,
  listing,
  acts,
  onSuggest,
}: {
  readonly state: ToolsState
  readonly listing: Listing
  readonly acts: ToolRowActs
  readonly onSuggest: () => void
}): JSX.Element {
  const region = useRef<HTMLDivElement>(null)
  const { problem } = useTools()
  const { all, groups } = listing
  return (
    <div
      ref={region}
      className="tools-scroll fill anchor scroll"
      tabIndex={0}
      role="region"
      aria-label="Tools"
    >
      <div className="page-line above-4 stack gap-4">
        {problem && (
          <Banner
            severity="warn"
            topic={problem.code}
            action={<Button onClick={readToolsAgain}>Refresh</Button>}
          >
            {`The list may be outdated. ${problemWords(problem)}`}
          </Banner>
        )}
        <BudgetHead state={state} onSuggest={onSuggest} />
      </div>
      <ToolsBar {...listing} />
      {groups.length === 0 ? (
        <BlankState
          art="open"
          title="No matching tools"
          message={'Change or clear the search and filters.'}
          action={<Button onClick={() => setToolsView(ALL_TOOLS)}>Show all</Button>}
        />
      ) : (
        <ToolGroups {...{ region, groups, all, acts }} selected={listing.chosen.ids} />
      )}
    </div>
  )
}

function Search({ listing }: { readonly listing: Listing }): JSX.Element {
  const { view, found } = listing
  return (
    <SearchField
      label="Search tools"
      placeholder="Search tools"
      value={view.query}
      onChange={(query) => setToolsView({ query })}
      onArrowDown={enterList}
      meta={view.query.trim() === '' ? undefined : `${formatCount(found.length)} found`}
    />
  )
}

function Waiting(): JSX.Element {
  const { problem } = useTools()
  if (!problem) return <Skeleton label="Loading tools" rows={6} />
  return <ProblemState title="Can’t load tools" problem={problem} onRetry={readToolsAgain} />
}

function Tools({
  state,
  tools,
}: {
  readonly state: ToolsState
  readonly tools: readonly ToolView[]
}): JSX.Element {
  const [over, show] = useState<Over | null>(null)
  const listing = useListing(state, tools)
  const { all } = listing
  const acts = useActs(listing, show)
  const close = (): void => show(null)
  const opened = over?.kind === 'tool' ? all.find(({ key }) => key === over.key) : undefined
  return (
    <Page
      layout="columns"
      title="Tools"
      meta={<Search listing={listing} />}
      actions={
        <Button icon={FileText} onClick={() => show({ kind: 'context' })}>
          Agent context
        </Button>
      }
    >
      <Body {...{ state, listing, acts }} onSuggest={() => show({ kind: 'suggestions' })} />
      {opened && <ToolDetailSheet listed={opened} acts={acts} onClose={close} />}
      {over?.kind === 'suggestions' && <SuggestDialog all={all} onClose={close} />}
      {over?.kind === 'context' && <ContextDialog onClose={close} />}
    </Page>
  )
}

/** What agents are shown: how much of it there is, what is held back, and every tool of every server. */
export function ToolsPage(): JSX.Element {
  const state = useToolsState()
  const { tools } = useTools()
  const hasServers = useServers().length > 0
  if (hasServers && state && tools) return <Tools state={state} tools={tools} />
  return (
    <Page title="Tools">
      {hasServers ? (
        <Waiting />
      ) : (
        <NoServers message="Tools of your servers appear here. Add a server to start." />
      )}
    </Page>
  )
}

/** One bar for each connected app: how many of the tools that it may list it would list. */
function Limits({ limits }: { readonly limits: readonly AppLimit[] }): JSX.Element | null {
  if (limits.length === 0) return null
  return (
    <ul className="app-limits above-3 stack level gap-3 rows-1 small" aria-label="App tool limits">
      {limits.map(({ agentId, name, tools, limit, over }) => (
        <li key={agentId} className="fact">
          <span className="cut">{name}</span>
          <span className="meter pressed clip anchor" aria-hidden>
            <span
              className={clsx('budget-fill', over > 0 && 'is-over')}
              style={{ width: `${100 * Math.min(1, tools / limit)}%` }}
            />
          </span>
          <span className="num nowrap soft">
            {`${formatCount(tools)} of ${formatCount(limit)}`}
            {over > 0 && <b className="tone is-degraded medium">{`, ${formatCount(over)} over`}</b>}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** How many tools agents can get, what they take of a context, and how much of its limit each app uses. */
function BudgetHead({
  state,
  onSuggest,
}: {
  readonly state: ToolsState
  readonly onSuggest: () => void
}): JSX.Element {
  const limits = useAppLimits()
  return (
    <div className="column stack gap-1">
      <h2 className="headline num" aria-live="polite">
        {headlineWords(state)}
      </h2>
      <p className="soft num">{tokenWords(state)}</p>
      <Limits limits={limits} />
      {limitsBelow(limits).length > 0 && (
        <div className="above-3 row wrap gap-3 rows-2 tone is-degraded">
          <p className="pretty">{limitSentence(limits)}</p>
          <Button size="small" onClick={onSuggest}>
            Suggest tools to turn off
          </Button>
        </div>
      )}
    </div>
  )
}

/** The answer of the page: "64 tools available to agents, 3 need review". */
export function headlineWords({ exposed, held }: Pick<ToolsState, 'exposed' | 'held'>): string {
  const shown =
    exposed === 0 ? 'No tools available to agents' : `${toolsWords(exposed)} available to agents`
  return held === 0 ? shown : `${shown}, ${counted(held, 'needs', 'need')} review`
}

/** How much of a model's context the tools take. */
export function tokenWords({ exposed, tokens }: Pick<ToolsState, 'exposed' | 'tokens'>): string {
  if (exposed === 0) return 'Tools of running servers appear here.'
  return tokens === undefined
    ? 'Counting tokens…'
    : `≈ ${formatCount(tokens)} tokens in every conversation.`
}
