import { useMemo, useState } from 'react'

import type { LogQuery, LogSearch } from '../../../src-shared/domain/running/log-query'
import { ALL_LINES, type LogFilter, queryOf } from './log-filter'

/** What the user set for a log, and what follows from it. */
export type LogControls = {
  readonly search: LogSearch
  readonly setSearch: (change: Partial<LogSearch>) => void
  readonly filter: LogFilter
  readonly setFilter: (change: Partial<LogFilter>) => void
  /** Some lines are hidden. */
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
