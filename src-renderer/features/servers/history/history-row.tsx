import '../servers.css'

import {
  type InfiniteData,
  useInfiniteQuery,
  type UseInfiniteQueryOptions,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query'
import { type JSX, useEffect } from 'react'

import type {
  HistoryEvent,
  HistoryFact,
  HistoryPage,
} from '../../../../src-shared/domain/running/history'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { PHASE_LABEL } from '../../../components/status/status-messages'
import { call } from '../../../ipc/call'
import { useToolsState } from '../../../stores/tools-store'
import { Moment } from '../../../ui/marks/moment'
import { StatusGlyph } from '../../../ui/marks/status-glyph'
import { counted, formatDuration } from '../../../ui/text/format'

type FactText = { readonly title: string; readonly text: string }

const SIMPLE_FACTS = {
  approved: 'Command approved',
  enabled: 'Turned on',
  disabled: 'Turned off',
  repaired: 'Package cache repaired',
  signInNeeded: 'Sign-in needed',
  signedIn: 'Signed in',
  signedOut: 'Signed out',
  toolsDecided: 'Tools reviewed',
} as const satisfies Partial<Record<HistoryFact['kind'], string>>

function readyText({ phases }: Extract<HistoryFact, { kind: 'ready' }>): FactText {
  const total = phases.reduce((sum, { ms }) => sum + ms, 0)
  const steps = phases.map(
    ({ phase, ms }) => `${PHASE_LABEL[phase].toLowerCase()} ${formatDuration(ms)}`,
  )
  const title = phases.length === 0 ? 'Ready' : `Ready after ${formatDuration(total)}`
  return { title, text: steps.join(', ') }
}

const MOVES = { updated: 'Updated', wentBack: 'Rolled back' } as const

function isMove(fact: HistoryFact): fact is Extract<HistoryFact, { kind: keyof typeof MOVES }> {
  return fact.kind in MOVES
}

type SimpleFact = Extract<HistoryFact, { kind: keyof typeof SIMPLE_FACTS }>

function isSimple(fact: HistoryFact): fact is SimpleFact {
  return fact.kind in SIMPLE_FACTS
}

function startedText({ isByItself }: Extract<HistoryFact, { kind: 'started' }>): FactText {
  return { title: isByItself ? 'Restarted automatically' : 'Started', text: '' }
}

/** Returns title and text for an event of a server's history. */
export function factText(fact: HistoryFact): FactText {
  if (isSimple(fact)) return { title: SIMPLE_FACTS[fact.kind], text: '' }
  if (isMove(fact)) return { title: MOVES[fact.kind], text: `From ${fact.from} to ${fact.to}` }
  switch (fact.kind) {
    case 'installed':
      // A custom server has no version.
      return { title: 'Installed', text: fact.version === '' ? '' : `Version ${fact.version}` }
    case 'configured':
      return { title: 'Configuration changed', text: fact.changed.join(', ') }
    case 'started':
      return startedText(fact)
    case 'ready':
      return readyText(fact)
    case 'failed':
      return { title: fact.wasRunning ? 'Disconnected' : 'Start failed', text: fact.message }
    case 'stopped':
      return { title: fact.isByPerson ? 'Stopped by you' : 'Stopped', text: '' }
    case 'toolsHeld':
      return {
        title: 'Tools changed',
        text: `${counted(fact.count, 'tool needs', 'tools need')} your approval.`,
      }
  }
}

/** Returns the appearance of an event. */
export function factStatus(fact: HistoryFact): 'ready' | 'error' | 'degraded' | 'plain' {
  if (fact.kind === 'ready') return 'ready'
  if (fact.kind === 'failed') return 'error'
  return fact.kind === 'toolsHeld' || fact.kind === 'signInNeeded' ? 'degraded' : 'plain'
}

/** One event of a server: title, details and time. */
export function HistoryRow(props: {
  readonly event: HistoryEvent
  readonly now: number
}): JSX.Element {
  const { event, now } = props
  const { at, fact } = event
  const { title, text } = factText(fact)
  const look = factStatus(fact)
  return (
    <li className="grid items-baseline gap-3 gap-y-0 border-b border-line">
      {look === 'plain' ? (
        <span className="dot is-stopped" aria-hidden />
      ) : (
        <StatusGlyph status={look} />
      )}
      <b>{title}</b>
      <span className="said wrap-anywhere text-muted tabular-nums">{text}</span>
      <Moment {...{ at, now }} className="text-faint tabular-nums" />
    </li>
  )
}

const PAGE = 50

/** The events of all loaded pages, newest first, and the total number of stored events. */
type History = { readonly events: readonly HistoryEvent[]; readonly total: number }

function joined({ pages }: InfiniteData<HistoryPage>): History {
  return { events: pages.flatMap(({ events }) => events), total: pages.at(-1)?.total ?? 0 }
}

/** Returns the query for a server's history, page by page. A refetch reloads every page, each from the end of the previous one. */
export function historyQuery(
  installationId: string,
): UseInfiniteQueryOptions<HistoryPage, Error, History, readonly string[], number | null> {
  return {
    queryKey: ['history.read', installationId],
    queryFn: ({ pageParam: before }) =>
      call('history.read', { installationId, limit: PAGE, ...(before !== null && { before }) }),
    initialPageParam: null,
    getNextPageParam: ({ total, events }, pages) =>
      pages.reduce((sum, page) => sum + page.events.length, 0) < total
        ? events.at(-1)?.eventId
        : undefined,
    select: joined,
  }
}

/** Loads the history of a server, and reloads on each new event. */
export function useHistory(server: ServerView): UseInfiniteQueryResult<History> {
  const query = useInfiniteQuery(historyQuery(server.installationId))
  const { refetch } = query
  const tools = useToolsState()
  useEffect(() => {
    void refetch()
  }, [server, tools, refetch])
  return query
}
