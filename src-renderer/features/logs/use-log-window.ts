import { useEffect, useMemo, useSyncExternalStore } from 'react'

import type { LogQuery, LogSearch } from '../../../src-shared/domain/running/log-query'
import { call } from '../../ipc/call'
import { onLogChange } from '../../stores/log-events'
import { LogWindow, type ReadRows } from './log-window'

function reader(query: LogQuery, search: LogSearch | undefined): ReadRows {
  return (from, count) => call('log.rows', { query, from, count, ...(search && { search }) })
}

/** The rows of a query, kept up with what comes; `query` and `search` stay the same objects as long as nothing changes in them. */
export function useLogWindow(query: LogQuery, search: LogSearch | undefined): LogWindow {
  const window = useMemo(() => new LogWindow(reader(query, undefined)), [query])
  useEffect(() => window.readBy(reader(query, search)), [window, query, search])
  useEffect(() => {
    const ours = new Set(query.servers)
    window.begin()
    const stop = onLogChange((grown) => {
      if (!grown || grown.some((one) => ours.has(one))) window.refresh()
    })
    return () => {
      stop()
      window.end()
    }
  }, [window, query])
  useSyncExternalStore(window.subscribe, () => window.version)
  return window
}
