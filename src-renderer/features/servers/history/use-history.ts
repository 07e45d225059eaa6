import { useState } from 'react'

import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import type { HistoryPage } from '../../../../src-shared/domain/running/history'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { call, toErrorShape } from '../../../ipc/call'
import { useRequest } from '../../../ipc/use-request'
import { useToolsState } from '../../../stores/tools-store'

const PAGE = 50
/** As many as main keeps, and gives in one answer at most. */
const MOST = 200

/** The newest events, and why they could not be read. */
export type ReadHistory = {
  readonly page: HistoryPage | undefined
  readonly problem: AppErrorShape | undefined
}

/** Reads the history of a server, again whenever main tells of it; `more` shows further ones, undefined where there are none. */
export function useHistory(server: ServerView): {
  readonly read: ReadHistory
  readonly more: (() => void) | undefined
  readonly retry: () => void
} {
  const { installationId } = server
  const [older, setOlder] = useState<HistoryPage['events']>([])
  const [limit, setLimit] = useState(PAGE)
  // Why no more could be read below a page; gone with the next one.
  const [trouble, setTrouble] = useState<{ below: HistoryPage; problem: AppErrorShape }>()
  const tools = useToolsState()
  // The server as main told it last: what happened to it came with that.
  const state = [server, tools]
  const told = useRequest('history.read', { installationId, limit }, { state })
  const { value: page } = told
  const problem = told.problem ?? (trouble?.below === page ? trouble?.problem : undefined)
  const newest = page?.events ?? []
  const oldest = newest.at(-1)?.eventId ?? 0
  const events = [...newest, ...older.filter(({ eventId }) => eventId < oldest)]
  const more = async (): Promise<void> => {
    if (limit < MOST) {
      setLimit(Math.min(MOST, limit + PAGE))
      return
    }
    try {
      const before = events.at(-1)?.eventId
      const next = await call('history.read', { installationId, before, limit: MOST })
      setOlder((known) => [...known, ...next.events])
    } catch (thrown) {
      if (page) setTrouble({ below: page, problem: toErrorShape(thrown) })
    }
  }
  const isWhole = page === undefined || events.length >= page.total
  return {
    read: { page: page && { ...page, events }, problem },
    more: isWhole ? undefined : () => void more(),
    retry: told.retry,
  }
}
