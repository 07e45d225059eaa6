import clsx from 'clsx'
import { FileText } from 'lucide-react'
import { type JSX, useState } from 'react'
import { create } from 'zustand'

import {
  type FoldedContext,
  MAX_CONTEXT_LENGTH,
  type OffSuggestion,
  type ToolsState,
} from '../../../src-shared/domain/agents/tools'
import { LongText } from '../../components/json/long-text'
import { NoServers } from '../../components/server/no-servers'
import { Loading } from '../../components/status/loading'
import {
  type AppLimit,
  limitMessage,
  limitsBelow,
  useAppLimits,
} from '../../components/tool/app-limits'
import {
  ALL_TOOLS,
  type ListedTool,
  switchShown,
  type ToolsView,
  useToolListing,
} from '../../components/tool/list/list-groups'
import { ToolList, ToolSearch, ToolsWaiting } from '../../components/tool/list/tool-list'
import { type Loaded, useRequest } from '../../ipc/use-request'
import { useServers } from '../../stores/app-store'
import { retryTools, useTools, useToolsState } from '../../stores/tools-store'
import { Button } from '../../ui/controls/button'
import { Checkbox, Segmented, Select } from '../../ui/controls/choice'
import { withMember } from '../../ui/controls/members'
import { DiffView } from '../../ui/diff/diff-view'
import { CodeArea, Field } from '../../ui/fields/field'
import { BlankState, Page, ScrollRegion } from '../../ui/layout/page'
import { ListProblem } from '../../ui/layout/problem-state'
import { Dialog } from '../../ui/overlays/dialog'
import { copyText } from '../../ui/saving/copy-text'
import { counted, formatCount } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'

/** Returns one goal for each tool limit, labeled with the apps that have it. */
function goalsOf(limits: readonly AppLimit[]): readonly { limit: number; label: string }[] {
  const byLimit = Map.groupBy(limitsBelow(limits), ({ limit }) => limit)
  return [...byLimit].map(([limit, apps]) => ({
    limit,
    label: `${counted(limit, 'tool')}: ${apps.map(({ name }) => name).join(', ')}`,
  }))
}

function keyOf({ installationId, name }: { installationId: string; name: string }): string {
  return `${installationId}\n${name}`
}

function Suggestions(props: {
  readonly offers: readonly OffSuggestion[]
  readonly nameOf: (installationId: string) => string
  readonly kept: ReadonlySet<string>
  readonly onKeep: (key: string, isSelected: boolean) => void
}): JSX.Element {
  const { offers, nameOf, kept: selected, onKeep: onSelect } = props
  if (offers.length === 0)
    return (
      <BlankState
        art="waiting"
        title="Within the limit"
        message="Choose a lower limit to see suggestions."
      />
    )
  return (
    <ul
      className="suggestions bounded scroll divide-y divide-line rounded-lg border border-line"
      tabIndex={0}
      aria-label="Suggestions"
    >
      {offers.map((offer) => {
        const key = keyOf(offer)
        return (
          <li key={key}>
            <Checkbox
              className="flex items-center gap-3 px-3 py-2"
              checked={!selected.has(key)}
              onCheckedChange={(isChecked) => onSelect(key, !isChecked)}
            >
              <span className="grid min-w-0">
                <span className="flex min-w-0 items-center gap-2">
                  <code className="truncate">{visibleText(offer.name)}</code>
                  <span className="truncate text-faint">{nameOf(offer.installationId)}</span>
                </span>
                <span className="text-small text-muted">{visibleText(offer.because)}</span>
              </span>
            </Checkbox>
          </li>
        )
      })}
    </ul>
  )
}

function SuggestDialog(props: {
  readonly all: readonly ListedTool[]
  readonly onClose: () => void
}): JSX.Element {
  const { all, onClose } = props
  const limits = useAppLimits()
  const [goals] = useState(() => goalsOf(limits))
  const [limit, setLimit] = useState(() => goals.at(-1)?.limit ?? 1)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const request = useRequest('tools.suggest', { limit })
  const offers = request.loaded.kind === 'ready' ? request.loaded.value : []
  const wanted = new Set(offers.map(keyOf).filter((key) => !selected.has(key)))
  const names = new Map(all.map(({ server }) => [server.numbers.installationId, server.name]))
  const apply = (): void => {
    onClose()
    const these = all.filter(({ tool }) => wanted.has(keyOf(tool)))
    switchShown(all, these, false)
  }
  return (
    <Dialog
      wide
      onClose={onClose}
      title="Turn off tools"
      description="Least used first. Clear the tools you want to keep."
      leave="Cancel"
      actions={
        <Button
          size="form"
          variant="primary"
          aria-disabled={wanted.size === 0 || undefined}
          onClick={() => wanted.size > 0 && apply()}
        >
          {`Turn off ${counted(wanted.size, 'tool')}`}
        </Button>
      }
    >
      <div className="field mt-4 mb-3 grid gap-1">
        <label className="font-medium" htmlFor="suggest-limit">
          Reduce to
        </label>
        <Select
          id="suggest-limit"
          value={String(limit)}
          onValueChange={(value) => setLimit(Number(value))}
          options={goals.map((goal) => ({ value: String(goal.limit), label: goal.label }))}
        />
      </div>
      <Loading request={request} label="Loading suggestions" failure="Can’t load suggestions">
        {() => (
          <Suggestions
            offers={offers}
            kept={selected}
            onKeep={(key, isSelected) =>
              setSelected(new Set(withMember(selected, key, isSelected)))
            }
            nameOf={(installationId) => names.get(installationId) ?? ''}
          />
        )}
      </Loading>
    </Dialog>
  )
}

function Tools({ state }: { readonly state: ToolsState }): JSX.Element {
  const [dialog, show] = useState<'suggestions' | 'context'>()
  const listing = useToolListing(useToolsView(), useToolsView.setState)
  const close = (): void => show(undefined)
  const { problem } = useTools()
  const limits = useAppLimits()
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
      <ScrollRegion className="tools-scroll relative isolate min-h-0 flex-1" label="Tools">
        <div className="mt-4 grid gap-4 px-5 pb-4">
          {problem && (
            <ListProblem title="Can’t load tools" problem={problem} isShown onRetry={retryTools} />
          )}
          <div className="grid max-w-page gap-1">
            <h2 className="text-page tabular-nums" aria-live="polite">
              {headlineText(state)}
            </h2>
            <p className="text-muted tabular-nums">{tokenText(state)}</p>
            <Limits limits={limits} />
            {limitsBelow(limits).length > 0 && (
              <div className="is-degraded mt-3 flex flex-wrap items-center gap-3 gap-y-2 text-status">
                <p className="text-pretty">{limitMessage(limits)}</p>
                <Button size="small" onClick={() => show('suggestions')}>
                  Suggest tools to turn off
                </Button>
              </div>
            )}
          </div>
        </div>
        <ToolList listing={listing} />
      </ScrollRegion>
      {dialog === 'suggestions' && <SuggestDialog all={listing.all} onClose={close} />}
      {dialog === 'context' && <ContextDialog onClose={close} />}
    </Page>
  )
}

/** The Tools page: number and size of the available tools, those that need review, and every tool of every server. */
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

/** One bar for each connected app: the number of its tools against its limit. */
function Limits({ limits }: { readonly limits: readonly AppLimit[] }): JSX.Element | null {
  if (limits.length === 0) return null
  return (
    <ul
      className="app-limits mt-3 grid items-center gap-3 gap-y-1 text-small"
      aria-label="App tool limits"
    >
      {limits.map(({ agentId, name, tools, limit, over: excess }) => (
        <li key={agentId} className="fact">
          <span className="truncate">{name}</span>
          <span
            className="meter relative h-1.5 gap-px overflow-hidden rounded-full bg-press"
            aria-hidden
          >
            <span
              className={clsx(
                'budget-fill absolute inset-y-0 left-0 rounded-full bg-chart',
                excess > 0 && 'is-over',
              )}
              style={{ width: `${100 * Math.min(1, tools / limit)}%` }}
            />
          </span>
          <span className="whitespace-nowrap text-muted tabular-nums">
            {`${formatCount(tools)} of ${formatCount(limit)}`}
            {excess > 0 && (
              <b className="is-degraded font-medium text-status">{`, ${formatCount(excess)} over`}</b>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Returns the headline of the page: "64 tools available to agents, 3 need review". */
export function headlineText({
  exposed,
  needsReview,
}: Pick<ToolsState, 'exposed' | 'needsReview'>): string {
  const shown =
    exposed === 0
      ? 'No tools available to agents'
      : `${counted(exposed, 'tool')} available to agents`
  return needsReview === 0 ? shown : `${shown}, ${counted(needsReview, 'needs', 'need')} review`
}

/** Returns how much of a model's context the tools use. */
export function tokenText({ exposed, tokens }: Pick<ToolsState, 'exposed' | 'tokens'>): string {
  if (exposed === 0) return 'Tools of running servers appear here.'
  return tokens === undefined
    ? 'Counting tokens…'
    : `≈ ${formatCount(tokens)} tokens in every conversation.`
}

/** The view, which persists across page changes. */
const useToolsView = create<ToolsView>(() => ({ ...ALL_TOOLS, sort: 'server' }))

const VIEWS = [
  { value: 'block', label: 'Context block' },
  { value: 'file', label: 'Instructions file' },
] as const

const COPIED = { block: 'Context block copied.', file: 'Text copied.' } as const

/** The text block that tells an agent what the servers offer in addition to tools. It is shown alone or inserted into the user's text. */
function ContextDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const [view, setView] = useState<keyof typeof COPIED>('block')
  const [draft, setDraft] = useState('')
  const state = [useToolsState()?.generation ?? 0]
  const fits = tooLongText(draft) === undefined
  const block = useRequest('tools.context', {}, { state })
  const { loaded: folded } = useRequest('tools.foldContext', { text: fits ? draft : '' }, { state })
  const loaded = view === 'block' ? block.loaded : folded
  const isThere = loaded.kind === 'ready' && (view === 'block' || (draft !== '' && fits))
  // Text to copy; empty if there is none.
  const text = isThere ? loaded.value.text : ''
  return (
    <Dialog
      wide
      onClose={onClose}
      title="Agent context"
      description="Lists servers, resources, and prompts for an agent. Paste the block into a file such as AGENTS.md. Text from servers is fenced and marked as data, not instructions."
      leave="Close"
      actions={
        <Button
          size="form"
          variant="primary"
          aria-disabled={text === '' || undefined}
          onClick={() => text !== '' && copyText(text, COPIED[view])}
        >
          {view === 'block' ? 'Copy' : 'Copy text'}
        </Button>
      }
    >
      <div className="mt-4 grid gap-3">
        <div>
          <Segmented label="What to copy" value={view} onValueChange={setView} options={VIEWS} />
        </div>
        {view === 'block' ? (
          <Loading
            request={block}
            label="Creating context block"
            failure="Can’t create the context block"
          >
            {({ text: written }) =>
              written === '' ? (
                <p>
                  The context block appears here when a running server lists resources or prompts.
                </p>
              ) : (
                <LongText text={written} label="Agent context" />
              )
            }
          </Loading>
        ) : (
          <ContextFile {...{ own: draft, folded }} onOwnChange={setDraft} />
        )}
      </div>
    </Dialog>
  )
}

function ContextFile(props: {
  readonly own: string
  /** Result for `own`, if that is not too long. */
  readonly folded: Loaded<FoldedContext>
  readonly onOwnChange: (own: string) => void
}): JSX.Element {
  const { own: draft, folded, onOwnChange: onDraftChange } = props
  const tooLong = tooLongText(draft)
  const answered = draft !== '' && tooLong === undefined ? folded : undefined
  const answer = answered?.kind === 'ready' ? answered.value : undefined
  const failed = answered?.kind === 'failed' ? answered.problem.message : undefined
  return (
    <>
      <Field
        id="context-own"
        label="Your instructions file"
        hint="Paste all of AGENTS.md or CLAUDE.md. Patchbay doesn’t change the file, so copy the result back."
        problem={tooLong ?? failed}
      >
        {(ids) => <CodeArea {...ids} rows={6} value={draft} onValueChange={onDraftChange} />}
      </Field>
      <p className="text-foreground" role="status">
        {answer && foldedText(draft, answer)}
      </p>
      {answer && answer.diff.length > 0 && (
        <DiffView diff={answer.diff} label="Changes to your text" />
      )}
    </>
  )
}

/** Returns the result of inserting the block, as a sentence; `before` is the user's text. */
export function foldedText(before: string, { text, replaced, isEmpty }: FoldedContext): string {
  if (isEmpty)
    return replaced === 0
      ? 'Your text is unchanged because there is no context block yet.'
      : `${counted(replaced, 'old block')} removed. Servers that are turned on list no resources or prompts.`
  if (replaced === 0) return 'The block is added at the end of your text.'
  if (text === before) return 'The block in your text is up to date.'
  return replaced === 1
    ? 'The old block is replaced.'
    : `${counted(replaced, 'old block')} replaced by one, at the place of the first.`
}

/** Returns a problem if a text is too long to insert the block; undefined otherwise. */
export function tooLongText(text: string): string | undefined {
  if (text.length <= MAX_CONTEXT_LENGTH) return undefined
  return `The text has ${formatCount(text.length)} characters. The limit is ${formatCount(MAX_CONTEXT_LENGTH)}. Paste only the part around the block.`
}
