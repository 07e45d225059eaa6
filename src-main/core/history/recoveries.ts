import type { HistoryEvent, Recovery } from '../../../src-shared/domain/running/history'

type Found = Omit<Recovery, 'installationId'>
/** Where one stands while events are gone through, oldest first. */
type Course = {
  /** The first of a row of failures tells what happened; the others may be of tries that came too early. */
  readonly failed?: Pick<Found, 'eventId' | 'failedAt' | 'message'> | undefined
  /** Whether nobody wanted the newest start. */
  readonly isByItself: boolean
  readonly found?: Found | undefined
}

/** The newest failure of a server that mended itself since then: it was started again by nobody, and is ready. Undefined where none is. */
export function recoveryOf(events: readonly HistoryEvent[], since: number): Found | undefined {
  const begin: Course = { isByItself: true }
  return events.reduce((course, event) => next(course, event, since), begin).found
}

function next(course: Course, { eventId, at, fact }: HistoryEvent, since: number): Course {
  const { failed, isByItself, found } = course
  if (fact.kind === 'failed')
    return { ...course, failed: failed ?? { eventId, failedAt: at, message: fact.message } }
  if (fact.kind === 'started') return { ...course, isByItself: fact.isByItself }
  if (fact.kind === 'stopped') return { ...course, failed: undefined }
  if (fact.kind !== 'ready') return course
  const isRecovery = failed !== undefined && isByItself && at > since
  return { isByItself, found: isRecovery ? { ...failed, at } : found }
}
