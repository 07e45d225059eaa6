import { useMemo, useState } from 'react'

import type { LogEntry } from '../../../src-shared/domain/running/log-entry'
import type { LogQuery, LogSearch } from '../../../src-shared/domain/running/log-query'

/** Start of the shown lines: a span back from the moment of the choice, or chosen freely. */
export type LogTime =
  | { readonly kind: 'all' | 'start' }
  | { readonly kind: '5' | '15' | '60'; readonly since: number }
  | { readonly kind: 'span'; readonly since?: number; readonly until?: number }

/** Which lines are shown; `all` means no limit. */
export type LogFilter = {
  readonly level: LogEntry['level'] | 'all'
  readonly source: LogEntry['source'] | 'all'
  readonly time: LogTime
  /** Number of the last line that was cleared from the view. */
  readonly clearedAt: number | null
}

/** A filter that lets every line through. */
export const ALL_LINES: LogFilter = {
  ...{ level: 'all', source: 'all' },
  time: { kind: 'all' },
  clearedAt: null,
}

const MINUTE_MS = 60_000

/** Returns the time of a menu choice made at `now`. */
export function timeOf(kind: 'all' | 'start' | '5' | '15' | '60', now: number): LogTime {
  if (kind === 'all' || kind === 'start') return { kind }
  return { kind, since: now - Number(kind) * MINUTE_MS }
}

/** Returns the query of a filter; `startedAt` is the beginning of the newest start. */
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

/** The user's settings for a log, and values derived from them. */
export type LogControls = {
  readonly search: LogSearch
  readonly setSearch: (change: Partial<LogSearch>) => void
  readonly filter: LogFilter
  readonly setFilter: (change: Partial<LogFilter>) => void
  readonly isFiltered: boolean
  readonly wrap: boolean
  readonly setWrap: (wrap: boolean) => void
  /** Keeps its identity while nothing changes. */
  readonly query: LogQuery
  /** The search to run; keeps its identity while nothing changes. */
  readonly wanted: LogSearch | undefined
}

/** Returns search, filters and wrapping for the logs of some servers. `startedAt` is the beginning of a single server's newest start. */
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
