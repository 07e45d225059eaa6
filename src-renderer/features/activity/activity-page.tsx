import './activity.css'

import clsx from 'clsx'
import { Download, Eraser } from 'lucide-react'
import { type JSX, type KeyboardEvent, useState } from 'react'

import { type Call, CallOutcome } from '../../../src-shared/domain/agents/activity'
import { call } from '../../ipc/call'
import { attempt, showFailure } from '../../ipc/show-failure'
import { useRequest } from '../../ipc/use-request'
import { useApp, useNow, useServers } from '../../stores/app-store'
import { Button, ButtonLink } from '../../ui/controls/button'
import { SearchField } from '../../ui/controls/search-field'
import { ChoiceChip, type FilterOption } from '../../ui/filters/filter-chip'
import { useKeptFocus } from '../../ui/focus/restore-focus'
import { BlankState, Page, Skeleton } from '../../ui/layout/page'
import { ListProblem } from '../../ui/layout/problem-state'
import { enterList } from '../../ui/list/virtual-list'
import { ConfirmDialog } from '../../ui/overlays/dialog'
import { showToast } from '../../ui/overlays/toast'
import { fileName } from '../../ui/saving/save-text'
import { SavingNotice, useSaving } from '../../ui/saving/saving-notice'
import { counted, formatAge, formatCount } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'
import {
  type ActivityView,
  ALL_CALLS,
  type CallQuery,
  callQuery,
  isNarrowed,
  setActivityView,
  type Span,
  useActivityView,
} from './activity-view-store'
import { CallDetail } from './call-detail'
import { CallTable, type Goal } from './call-table'
import { OUTCOMES } from './messages'
import { type CallSearch, useCallSearch } from './use-call-search'

const SPAN_OPTIONS: readonly FilterOption<Span>[] = [
  { value: 'all', label: 'Any time' },
  { value: 'hour', label: 'Last hour' },
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
]

const OUTCOME_OPTIONS: readonly FilterOption<ActivityView['outcome']>[] = [
  { value: 'all', label: 'Any outcome' },
  { value: 'failed', label: 'Not successful' },
  ...CallOutcome.options.map((value) => ({ value, label: OUTCOMES[value].word })),
]

/** Value of the option for all; no id is empty. */
const EVERY = ''

/** A choice of one or all. A chosen option that no longer exists stays in the list, so that the user can see and undo it. */
function SingleChoiceChip(props: {
  readonly label: string
  /** Label of the option for all. */
  readonly all: string
  readonly options: readonly FilterOption<string>[]
  readonly chosen: string | undefined
  readonly onChoose: (value: string | undefined) => void
}): JSX.Element {
  const { label, all, options, chosen, onChoose } = props
  const isKnown = chosen === undefined || options.some(({ value }) => value === chosen)
  const removed = isKnown ? [] : [{ value: chosen, label: chosen }]
  return (
    <ChoiceChip
      label={label}
      value={chosen ?? EVERY}
      options={[{ value: EVERY, label: all }, ...options, ...removed]}
      onChoose={(value) => onChoose(value === EVERY ? undefined : value)}
    />
  )
}

function ActivityBar(props: {
  readonly total: number | undefined
  readonly exporting: ReturnType<typeof useCallExport>
}): JSX.Element {
  const { total, exporting } = props
  const { saving, cancel } = exporting
  const view = useActivityView()
  const { agentId, installationId, outcome, span } = view
  const agents = useApp(({ app }) => app?.agents.agents) ?? []
  const servers = useServers()
  return (
    <div
      className="list-bar flex flex-none items-center gap-2 border-b border-line text-muted"
      role="toolbar"
      aria-label="Filters"
    >
      <span className="activity-count hide-small whitespace-nowrap tabular-nums">
        {total === undefined ? '' : counted(total, 'call')}
      </span>
      <div className="flex min-w-0 flex-wrap gap-1">
        <SingleChoiceChip
          label="App"
          all="All apps"
          options={agents.map((agent) => ({ value: agent.agentId, label: agent.name }))}
          chosen={agentId}
          onChoose={(value) => setActivityView({ agentId: value })}
        />
        <SingleChoiceChip
          label="Server"
          all="All servers"
          options={servers.map((server) => ({ value: server.installationId, label: server.name }))}
          chosen={installationId}
          onChoose={(value) => setActivityView({ installationId: value })}
        />
        <ChoiceChip
          label="Outcome"
          value={outcome}
          options={OUTCOME_OPTIONS}
          onChoose={(value) => setActivityView({ outcome: value })}
        />
        <ChoiceChip
          label="Time"
          value={span}
          options={SPAN_OPTIONS}
          onChoose={(value) => setActivityView({ span: value, spanAt: Date.now() })}
        />
      </div>
      {isNarrowed(view) && (
        <Button variant="quiet" size="small" onClick={() => setActivityView(ALL_CALLS)}>
          Show all
        </Button>
      )}
      <span className="min-w-0 flex-1" />
      {saving && <SavingNotice saving={saving} things="calls" onCancel={cancel} />}
    </div>
  )
}

const EVERY_MS = 1_000

/** Long-running calls, oldest first; nothing if there are none. */
function RunningCalls(): JSX.Element | null {
  const { value = [] } = useRequest('activity.running', {}, { pollMs: EVERY_MS })
  const now = useNow(EVERY_MS)
  useKeptFocus(value.map(({ runId }) => runId).join(' '))
  if (value.length === 0) return null
  return (
    <section className="flex-none px-5 py-2" aria-labelledby="running-calls">
      <h2 id="running-calls" className="text-small text-muted">
        Running <span className="tabular-nums">{formatCount(value.length)}</span>
      </h2>
      <ul className="scroll max-h-44" aria-labelledby="running-calls">
        {value.map(({ runId, agentName, serverName, target, at }) => {
          const name = visibleText(target)
          return (
            <li key={runId} className="flex items-center gap-3 border-b border-line">
              <span className="flex min-w-0 flex-1 items-baseline gap-2">
                <code className="truncate font-medium">{name}</code>
                <span className="truncate text-faint">
                  {[agentName, serverName].filter((one) => one !== undefined).join(', ')}
                </span>
              </span>
              <span className="whitespace-nowrap text-faint tabular-nums">
                {formatAge(Math.max(now - at, 0))}
              </span>
              <Button
                size="small"
                aria-label={`Cancel ${name} of ${agentName}`}
                onClick={() => void call('activity.cancel', { runId }).catch(showFailure)}
              >
                Cancel
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** The empty state: what makes calls, or with filters a button that shows all. */
function NoCalls({ isFiltered }: { readonly isFiltered: boolean }): JSX.Element {
  const hasAgents = useApp(({ app }) => app !== null && app.agents.agents.length > 0)
  if (isFiltered)
    return (
      <BlankState
        art="open"
        title="No matching calls"
        message="Change or clear the search and filters."
        action={<Button onClick={() => setActivityView(ALL_CALLS)}>Show all</Button>}
      />
    )
  const how = hasAgents ? ' as they happen.' : '. Connect an app to start.'
  return (
    <BlankState
      art={hasAgents ? 'waiting' : 'open'}
      title="No calls yet"
      message={`Tool calls from your apps appear here${how}`}
      action={
        <ButtonLink href="/apps" variant={hasAgents ? 'default' : 'primary'}>
          {hasAgents ? 'Show apps' : 'Connect an app'}
        </ButtonLink>
      }
    />
  )
}

function Body({ search }: { readonly search: CallSearch }): JSX.Element | null {
  const { found: results, problem } = search
  const view = useActivityView()
  const [opened, setOpened] = useState<Call | null>(null)
  const [goal, setGoal] = useState<Goal>()
  if (!results) return problem ? null : <Skeleton label="Loading activity" rows={6} />
  const { calls } = results
  if (results.total === 0) return <NoCalls isFiltered={isNarrowed(view)} />
  const at = calls.findIndex(({ callId }) => callId === opened?.callId)
  const step = (by: -1 | 0 | 1): void => {
    const next = calls[at + by]
    if (at === -1 || !next) return
    if (by !== 0) setOpened(next)
    setGoal((before) => ({ index: at + by, count: (before?.count ?? 0) + 1 }))
  }
  const close = (): void => {
    setOpened(null)
    step(0)
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || !opened) return
    event.preventDefault()
    close()
  }
  return (
    <div className={clsx('calls flex min-h-0 flex-1', opened && 'has-detail')} onKeyDown={press}>
      <CallTable
        {...{ search, found: results }}
        selected={opened?.callId}
        goal={goal}
        onOpen={setOpened}
      />
      {opened ? (
        <CallDetail key={opened.callId} call={opened} onStep={step} onClose={close} />
      ) : (
        <p className="hide-small grid min-w-0 flex-1 place-items-center text-faint">
          Select a call to see its arguments and messages.
        </p>
      )}
    </div>
  )
}

/** The calls of all apps, newest first, updated live. */
export function ActivityPage(): JSX.Element {
  const search = useCallSearch()
  const view = useActivityView()
  const total = search.found?.total
  const hasCalls = (total ?? 0) > 0 || isNarrowed(view)
  const hasQuery = view.query.trim() !== ''
  const exporting = useCallExport(total ?? 0)
  return (
    <Page
      layout="columns"
      title="Activity"
      meta={
        hasCalls && (
          <SearchField
            label="Search calls"
            placeholder="Search calls"
            value={view.query}
            onChange={(next) => setActivityView({ query: next })}
            onArrowDown={enterList}
            meta={hasQuery && total !== undefined ? `${formatCount(total)} found` : undefined}
          />
        )
      }
      actions={hasCalls ? <ActivityActs found={total ?? 0} exporting={exporting} /> : undefined}
    >
      {hasCalls && <ActivityBar total={total} exporting={exporting} />}
      <RunningCalls />
      {search.problem && (
        <ListProblem
          title="Can’t load activity"
          problem={search.problem}
          isShown={search.found !== undefined}
          onRetry={search.retry}
        />
      )}
      <Body search={search} />
    </Page>
  )
}

async function clearCalls(): Promise<void> {
  await call('activity.clear', {})
  showToast({ message: 'Activity cleared.' })
}

function ActivityActs(props: {
  readonly found: number
  readonly exporting: ReturnType<typeof useCallExport>
}): JSX.Element {
  const { found: count, exporting } = props
  const { saving, start } = exporting
  const kept = useApp(({ app }) => app?.activity.kept ?? 0)
  const [isClearing, setIsClearing] = useState(false)
  return (
    <>
      <Button icon={Download} busy={saving !== null} disabled={count === 0} onClick={start}>
        Export
      </Button>
      <Button icon={Eraser} disabled={kept === 0} onClick={() => setIsClearing(true)}>
        Clear
      </Button>
      {isClearing && (
        <ConfirmDialog
          title="Clear activity?"
          description={`Deletes ${counted(kept, 'call')} of all apps, regardless of filters. Apps keep working.`}
          confirmLabel="Clear activity"
          onConfirm={() => attempt(clearCalls())}
          focusAfterId="main"
          onClose={() => setIsClearing(false)}
        />
      )}
    </>
  )
}

function useCallExport(total: number) {
  const view = useActivityView()
  const { saving, save, cancel } = useSaving()
  const start = (): void =>
    save(
      fileName('activity', Date.now(), 'jsonl'),
      ({ signal, onProgress }) => {
        onProgress(0, total)
        const run = { signal, onProgress: (done: number) => onProgress(done, total) }
        return exportCalls(callQuery(view), run)
      },
      showFailure,
    )
  return { saving, start, cancel }
}

/** Exports all calls that match a query, as the parts of a file. Rejects like `call`; stops early if `signal` is aborted. */
export async function exportCalls(
  query: CallQuery,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number) => void },
): Promise<string[]> {
  const parts: string[] = []
  let before: number | undefined
  let done = 0
  while (!signal.aborted) {
    const { text, count, next } = await call('activity.export', { ...query, before })
    parts.push(text)
    done += count
    onProgress(done)
    if (next === undefined) break
    before = next
  }
  return parts
}
