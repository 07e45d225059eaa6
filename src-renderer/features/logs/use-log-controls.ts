import { useMemo, useState } from 'react'

import type { LogEntry } from '../../../src-shared/domain/log-entry'
import type { LogFilter, LogMatch } from './log-search'
import { filterLines, findMatches } from './log-search'

/** Lets every line through. */
export const ALL_LINES: LogFilter = { level: 'all', source: 'all' }

/** What the person set for a log, and what follows from it. */
export type LogControls = {
  readonly query: string
  readonly search: (query: string) => void
  readonly filter: LogFilter
  readonly setFilter: (filter: LogFilter) => void
  readonly wrap: boolean
  readonly setWrap: (wrap: boolean) => void
  /** The lines that the filter lets through. */
  readonly lines: readonly LogEntry[]
  /** The filter lets every line through. */
  readonly isWhole: boolean
  readonly matches: readonly LogMatch[]
  /** Index of the current match; 0 without matches. */
  readonly current: number
  /** Goes to the next or previous match, round the end. */
  readonly step: (by: 1 | -1) => void
}

/** Search, filters and wrapping of one log. */
export function useLogControls(entries: readonly LogEntry[]): LogControls {
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const [filter, setFilter] = useState(ALL_LINES)
  const [wrap, setWrap] = useState(true)
  const lines = useMemo(() => filterLines(entries, filter), [entries, filter])
  const matches = useMemo(() => findMatches(lines, query), [lines, query])
  const current = Math.max(0, Math.min(chosen, matches.length - 1))
  return {
    query,
    search: (words) => {
      setQuery(words)
      setChosen(0)
    },
    filter,
    setFilter,
    wrap,
    setWrap,
    lines,
    isWhole: lines === entries,
    matches,
    current,
    step: (by) => setChosen((current + by + matches.length) % Math.max(1, matches.length)),
  }
}
