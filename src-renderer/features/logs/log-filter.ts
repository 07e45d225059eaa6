import type { LogEntry } from '../../../src-shared/domain/running/log-entry'
import type { LogQuery } from '../../../src-shared/domain/running/log-query'

/** From when on lines are shown: counted back from the moment of the choice, or chosen freely. */
export type LogTime =
  | { readonly kind: 'all' | 'start' }
  | { readonly kind: '5' | '15' | '60'; readonly since: number }
  | { readonly kind: 'span'; readonly since?: number; readonly until?: number }

/** Which lines are shown; `all` sets no limit. */
export type LogFilter = {
  /** The least level that is shown. */
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
