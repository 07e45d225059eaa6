import type { ActivityCounts } from '../../../src-shared/domain/agents/activity'
import { type LastGood, useRequest } from '../../ipc/use-request'
import { useApp } from '../../stores/app-store'

/** The picture moves on with the time also where nobody calls, in ms. */
const EVERY_MS = 300_000

/** The calls of the last 24 h, read again with every call that main tells of. */
export function useCallCounts(): LastGood<ActivityCounts> {
  const newest = useApp(({ app }) => app?.activity.newest)
  const kept = useApp(({ app }) => app?.activity.kept)
  return useRequest('activity.counts', {}, { state: [newest, kept], everyMs: EVERY_MS })
}
