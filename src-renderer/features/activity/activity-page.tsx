import './activity.css'

import clsx from 'clsx'
import { Download, Eraser } from 'lucide-react'
import { type JSX, type KeyboardEvent, useState } from 'react'

import type { Call, RunningCall } from '../../../src-shared/domain/agents/activity'
import { call } from '../../ipc/call'
import { attempt, tellFailure } from '../../ipc/tell-failure'
import { useRequest } from '../../ipc/use-request'
import { useApp } from '../../stores/app-store'
import { useNow } from '../../stores/now'
import { Button, ButtonLink } from '../../ui/controls/button'
import { SearchField } from '../../ui/controls/search-field'
import { useKeptFocus } from '../../ui/focus/restore-focus'
import { BlankState } from '../../ui/layout/blank-state'
import { Page } from '../../ui/layout/page'
import { ListProblem } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'
import { enterList } from '../../ui/list/virtual-list'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog'
import { showToast } from '../../ui/overlays/toast'
import { formatAge, formatCount } from '../../ui/text/format'
import { visibleText } from '../../ui/text/visible-text'
import { ActivityBar } from './activity-bar'
import { ALL_CALLS, isNarrowed, setActivityView, useActivityView } from './activity-view-store'
import { CallDetail } from './call-detail'
import { CallTable, type Goal } from './call-table'
import { callsWords } from './messages'
import { type CallExport, useCallExport } from './use-call-export'
import { type CallSearch, useFoundCalls } from './use-found-calls'

const EVERY_MS = 1_000

function Row({ run, now }: { readonly run: RunningCall; readonly now: number }): JSX.Element {
  const { runId, agentName, serverName, target, at } = run
  const name = visibleText(target)
  return (
    <li className="row gap-3 ruled">
      <span className="row at-base gap-2 grow slim">
        <code className="cut medium">{name}</code>
        <span className="faint cut">
          {[agentName, serverName].filter((one) => one !== undefined).join(', ')}
        </span>
      </span>
      <span className="faint num nowrap">{formatAge(Math.max(now - at, 0))}</span>
      <Button
        size="small"
        aria-label={`Cancel ${name} of ${agentName}`}
        onClick={() => void call('activity.cancel', { runId }).catch(tellFailure)}
      >
        Cancel
      </Button>
    </li>
  )
}

/** Calls that take long, oldest first; nothing where there are none. */
function RunningCalls(): JSX.Element | null {
  const { value = [] } = useRequest('activity.running', {}, { everyMs: EVERY_MS })
  const now = useNow(EVERY_MS)
  useKeptFocus(value.map(({ runId }) => runId).join(' '))
  if (value.length === 0) return null
  return (
    <section className="pad-line fixed" aria-labelledby="running-calls">
      <h2 id="running-calls" className="small soft">
        Running <span className="num">{formatCount(value.length)}</span>
      </h2>
      <ul className="running-calls scroll" aria-labelledby="running-calls">
        {value.map((run) => (
          <Row key={run.runId} run={run} now={now} />
        ))}
      </ul>
    </section>
  )
}

function Search({ total }: { readonly total: number | undefined }): JSX.Element {
  const { query } = useActivityView()
  const isAsked = query.trim() !== '' && total !== undefined
  return (
    <SearchField
      label="Search calls"
      placeholder="Search calls"
      value={query}
      onChange={(next) => setActivityView({ query: next })}
      onArrowDown={enterList}
      meta={isAsked ? `${formatCount(total)} found` : undefined}
    />
  )
}

/** Before the first call: how one comes about. */
function NoCalls(): JSX.Element {
  const agents = useApp(({ app }) => app?.agents.agents.length ?? 0)
  return agents === 0 ? (
    <BlankState
      art="open"
      title="No calls yet"
      message="Tool calls from your apps appear here. Connect an app to start."
      action={
        <ButtonLink href="/apps" variant="primary">
          Connect an app
        </ButtonLink>
      }
    />
  ) : (
    <BlankState
      art="waiting"
      title="No calls yet"
      message="Tool calls from your apps appear here as they happen."
      action={<ButtonLink href="/apps">Show apps</ButtonLink>}
    />
  )
}

function NothingFound(): JSX.Element {
  return (
    <BlankState
      art="open"
      title="No matching calls"
      message="Change or clear the search and filters."
      action={<Button onClick={() => setActivityView(ALL_CALLS)}>Show all</Button>}
    />
  )
}

function Body({ search }: { readonly search: CallSearch }): JSX.Element | null {
  const { found, problem } = search
  const view = useActivityView()
  const [opened, setOpened] = useState<Call | null>(null)
  const [goal, setGoal] = useState<Goal>()
  if (!found) return problem ? null : <Skeleton label="Loading activity" rows={6} />
  const { calls } = found
  if (found.total === 0) return isNarrowed(view) ? <NothingFound /> : <NoCalls />
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
    <div className={clsx('calls fill flex', opened && 'has-detail')} onKeyDown={press}>
      <CallTable {...{ search, found }} selected={opened?.callId} goal={goal} onOpen={setOpened} />
      {opened ? (
        <CallDetail key={opened.callId} call={opened} onStep={step} onClose={close} />
      ) : (
        <p className="call-detail grow centered faint hide-small">
          Select a call to see its arguments and messages.
        </p>
      )}
    </div>
  )
}

/** What apps called, newest first and live. */
export function ActivityPage(): JSX.Element {
  const search = useFoundCalls()
  const view = useActivityView()
  const total = search.found?.total
  const hasCalls = (total ?? 0) > 0 || isNarrowed(view)
  const exporting = useCallExport(total ?? 0)
  return (
    <Page
      layout="columns"
      title="Activity"
      meta={hasCalls ? <Search total={total} /> : undefined}
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

/** What can be done with the calls: those that are found are exported, all are cleared. */
function ActivityActs({
  found,
  exporting: { saving, start },
}: {
  readonly found: number
  readonly exporting: CallExport
}): JSX.Element {
  const kept = useApp(({ app }) => app?.activity.kept ?? 0)
  const [isClearing, setIsClearing] = useState(false)
  return (
    <>
      <Button icon={Download} busy={saving !== null} disabled={found === 0} onClick={start}>
        Export
      </Button>
      <Button icon={Eraser} disabled={kept === 0} onClick={() => setIsClearing(true)}>
        Clear
      </Button>
      {isClearing && (
        <ConfirmDialog
          title="Clear activity?"
          description={`Deletes ${callsWords(kept)} of all apps, regardless of filters. Apps keep working.`}
          confirmLabel="Clear activity"

          onConfirm={() => attempt(clearCalls())}
          focusAfterId="main"
          onClose={() => setIsClearing(false)}
        />
      )}
    </>
  )
}
