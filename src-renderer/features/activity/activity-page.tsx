import './activity.css'

import clsx from 'clsx'
import type { JSX, KeyboardEvent } from 'react'
import { useState } from 'react'

import type { Call } from '../../../src-shared/domain/agents/activity'
import { useApp } from '../../stores/app-store'
import { Button, ButtonLink } from '../../ui/controls/button'
import { SearchField } from '../../ui/controls/search-field'
import { Banner } from '../../ui/layout/banner'
import { BlankState } from '../../ui/layout/blank-state'
import { Page } from '../../ui/layout/page'
import { ProblemState } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'
import { formatCount } from '../../ui/text/format'
import { problemWords } from '../../ui/text/problem-messages'
import { ActivityActs } from './activity-acts'
import { ActivityBar } from './activity-bar'
import { ALL_CALLS, setActivityView, useActivityView } from './activity-view-store'
import { CallDetail } from './call-detail'
import { isNarrowed } from './call-question'
import { CallTable, enterCalls, type Goal } from './call-table'
import { RunningCalls } from './running-calls'
import { useCallExport } from './use-call-export'
import { type CallSearch, useFoundCalls } from './use-found-calls'

function Search({ total }: { readonly total: number | undefined }): JSX.Element {
  const { query } = useActivityView()
  const isAsked = query.trim() !== '' && total !== undefined
  return (
    <SearchField
      label="Search calls"
      placeholder="Search calls"
      value={query}
      onChange={(next) => setActivityView({ query: next })}
      onArrowDown={enterCalls}
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

function Failed({ search }: { readonly search: CallSearch }): JSX.Element | null {
  const { problem, total } = search.found
  if (!problem) return null
  if (total !== undefined)
    return (
      <Banner
        severity="warn"
        topic={problem.code}
        action={<Button onClick={search.retry}>Refresh</Button>}
      >
        {`The list may be outdated. ${problemWords(problem)}`}
      </Banner>
    )
  return <ProblemState title="Can’t load activity" problem={problem} onRetry={search.retry} />
}

function Body({ search }: { readonly search: CallSearch }): JSX.Element | null {
  const { total, problem, calls } = search.found
  const view = useActivityView()
  const [opened, setOpened] = useState<Call | null>(null)
  const [goal, setGoal] = useState<Goal>()
  if (total === undefined) return problem ? null : <Skeleton label="Loading activity" rows={6} />
  if (total === 0) return isNarrowed(view) ? <NothingFound /> : <NoCalls />
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
      <CallTable search={search} selected={opened?.callId} goal={goal} onOpen={setOpened} />
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
  const { total } = search.found
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
      <Failed search={search} />
      <Body search={search} />
    </Page>
  )
}
