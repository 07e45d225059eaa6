import { useEffect, useState } from 'react'

import type { ActivityCounts } from '../../../src-shared/domain/agents/activity'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { call, toErrorShape } from '../../ipc/call'
import { useApp } from '../../stores/app-store'
import { pollWhileSeen } from '../../ui/layout/poll-while-seen'

/** The picture moves on with the time also where nobody calls, in ms. */
const EVERY_MS = 300_000

/** The newest counts, and why they could not be renewed. */
export type ReadCounts = {
  readonly value?: ActivityCounts
  readonly problem?: AppErrorShape
}

/** The calls of the last 24 h, read again with every call that main tells of. */
export function useCallCounts(): ReadCounts {
  const [read, setRead] = useState<ReadCounts>({})
  const newest = useApp(({ app }) => app?.activity.newest)
  const kept = useApp(({ app }) => app?.activity.kept)
  useEffect(() => {
    const line = { isOver: false }
    const look = async (): Promise<void> => {
      try {
        const value = await call('activity.counts', {})
        if (!line.isOver) setRead({ value })
      } catch (thrown) {
        if (!line.isOver) setRead((before) => ({ ...before, problem: toErrorShape(thrown) }))
      }
    }
    const stop = pollWhileSeen(document, EVERY_MS, look)
    return () => {
      line.isOver = true
      stop()
    }
  }, [newest, kept])
  return read
}
