import clsx from 'clsx'
import { FileText } from 'lucide-react'
import { type JSX, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type { ToolsState } from '../../../src-shared/domain/agents/tools'
import { NoServers } from '../../components/server/no-servers'
import {
  type AppLimit,
  limitsBelow,
  limitSentence,
  useAppLimits,
} from '../../components/tool/app-limits'
import { ALL_TOOLS, type ToolsView } from '../../components/tool/list/list-groups'
import { ToolList, ToolSearch, ToolsWaiting } from '../../components/tool/list/tool-list'
import { type ToolListing, useToolListing } from '../../components/tool/list/use-tool-listing'
import { toolsWords } from '../../components/tool/tool-messages'
import { useServers } from '../../stores/app-store'
import { readToolsAgain, useTools, useToolsState } from '../../stores/tools-store'
import { Button } from '../../ui/controls/button'
import { Page } from '../../ui/layout/page'
import { ListProblem } from '../../ui/layout/problem-state'
import { counted, formatCount } from '../../ui/text/format'
import { ContextDialog } from './context-dialog'
import { SuggestDialog } from './suggest-dialog'

function Body({
  state,
  listing,
  onSuggest,
}: {
  readonly state: ToolsState
  readonly listing: ToolListing
  readonly onSuggest: () => void
}): JSX.Element {
  const { problem } = useTools()
  return (
    <div className="tools-scroll fill anchor scroll" tabIndex={0} role="region" aria-label="Tools">
      <div className="page-line above-4 stack gap-4">
        {problem && (
          <ListProblem
            title="Can’t load tools"
            problem={problem}
            isShown
            onRetry={readToolsAgain}
          />
        )}
        <BudgetHead state={state} onSuggest={onSuggest} />
      </div>
      <ToolList listing={listing} />
    </div>
  )
}

function Tools({ state }: { readonly state: ToolsState }): JSX.Element {
  const [over, show] = useState<'suggestions' | 'context'>()
  const listing = useToolListing(useToolsView(), setToolsView)
  const close = (): void => show(undefined)
  return (
    <Page
      layout="columns"
      title="Tools"
      meta={<ToolSearch listing={listing} />}
      actions={
        <Button icon={FileText} onClick={() => show('context')}>
          Agent context
        </Button>
      }
    >
      <Body {...{ state, listing }} onSuggest={() => show('suggestions')} />
      {over === 'suggestions' && <SuggestDialog all={listing.all} onClose={close} />}
      {over === 'context' && <ContextDialog onClose={close} />}
    </Page>
  )
}

/** What agents are shown: how much of it there is, what is held back, and every tool of every server. */
export function ToolsPage(): JSX.Element {
  const state = useToolsState()
  const isKnown = useTools().tools !== null
  const hasServers = useServers().length > 0
  if (hasServers && state && isKnown) return <Tools state={state} />
  return (
    <Page title="Tools">
      {hasServers ? (
        <ToolsWaiting />
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

const viewStore = createStore<ToolsView>(() => ({ ...ALL_TOOLS, sort: 'server' }))

/** The view, which stays while other pages are looked at. */
function useToolsView(): ToolsView {
  return useStore(viewStore)
}

/** Changes a part of the view. */
function setToolsView(change: Partial<ToolsView>): void {
  viewStore.setState(change)
}
