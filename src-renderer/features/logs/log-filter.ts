import { useMemo, useState } from 'react'

import type { LogEntry } from '../../../src-shared/domain/running/log-entry'
import type { LogQuery, LogSearch } from '../../../src-shared/domain/running/log-query'

/** From when on lines are shown: counted back from the moment of the choice, or chosen freely. */
export type LogTime =
  | { readonly kind: 'all' | 'start' }
  | { readonly kind: '5' | '15' | '60'; readonly since: number }
  | { readonly kind: 'span'; readonly since?: number; readonly until?: number }

/** Which lines are shown; `all` sets no limit. */
export type LogFilter = {
  readonly level: LogEntry['level'] | 'all'
  readonly source: LogEntry['source'] | 'all'
  readonly time: LogTime
  /** Lines up to the one with this place were cleared from the view. */
  readonly clearedAt: number | null
}

/** Lets every line through. */
export const ALL_LINES: LogFilter = {
  ...{ level: 'all', source: 'all' },
  time: { kind: 'all' },
  clearedAt: null,
}

const MINUTE_MS = 60_000

/** The time that a choice of the menu means, chosen at `now`. */
export function timeOf(kind: 'all' | 'start' | '5' | '15' | '60', now: number): LogTime {
  if (kind === 'all' || kind === 'start') return { kind }
  return { kind, since: now - Number(kind) * MINUTE_MS }
}

/** The query of a filter; `startedAt` is when the newest start began. */
export function queryOf(
  servers: readonly string[],
  { level, source, time, clearedAt }: LogFilter,
  startedAt: number | undefined,
): LogQuery {
  const since = time.kind === 'start' ? startedAt : 'since' in time ? time.since : undefined
  const until = 'until' in time ? time.until : undefined
  return {
    servers: [...servers],
    level: level === 'all' ? 'debug' : level,
    ...(source !== 'all' && { source }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(clearedAt !== null && { after: clearedAt }),
  }
}

/** What the user set for a log, and what follows from it. */
export type LogControls = {
  readonly search: LogSearch
  readonly setSearch: (change: Partial<LogSearch>) => void
  readonly filter: LogFilter
  readonly setFilter: (change: Partial<LogFilter>) => void
  readonly isFiltered: boolean
  readonly wrap: boolean
  readonly setWrap: (wrap: boolean) => void
  /** The same object as long as nothing changes in it. */
  readonly query: LogQuery
  /** What is searched for; the same object as long as nothing changes in it. */
  readonly wanted: LogSearch | undefined
}

/** Search, filters and wrapping of the logs of some servers; `startedAt` is when the newest start of the only one began. */
export function useLogControls(
  servers: readonly string[],
  startedAt: number | undefined,
): LogControls {
  const [search, setSearch] = useState<LogSearch>({
    ...{ text: '', isRegex: false, isCaseSensitive: false },
  })
  const [filter, setFilter] = useState(ALL_LINES)
  const [wrap, setWrap] = useState(true)
  const key = servers.join(' ')
  const usedStart = filter.time.kind === 'start' ? startedAt : undefined
  const query = useMemo(() => queryOf(key.split(' '), filter, usedStart), [key, filter, usedStart])
  const wanted = useMemo(() => (search.text === '' ? undefined : search), [search])
  return {
    search,
    setSearch: (change) => setSearch((old) => ({ ...old, ...change })),
    filter,
    setFilter: (change) => setFilter((old) => ({ ...old, ...change })),
    isFiltered: filter !== ALL_LINES,
    wrap,
    setWrap,
    query,
    wanted,
  }
}
