/** The part of Chromium's trace events that is read here; times are in µs. */
export type TraceEvent = {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly args?: { readonly data?: { readonly type?: string } }
}

/** The tasks of a thread: what its message loop ran in one go. */
const TASKS = new Set(['RunTask', 'ThreadControllerImpl::RunTask'])

/**
 * For each event of this type on the page's main thread, the longest task from its own on until the next
 * one's, in ms.
 */
export function longestTasks(events: readonly TraceEvent[], type: string): number[] {
  const inputs = events
    .filter(({ name, args }) => name === 'EventDispatch' && args?.data?.type === type)
    .toSorted((a, b) => a.ts - b.ts)
  const [first] = inputs
  if (first === undefined) return []
  const tasks = events.filter(
    ({ name, ph, pid, tid }) =>
      TASKS.has(name) && ph === 'X' && pid === first.pid && tid === first.tid,
  )
  return inputs.map(({ ts }, index) => {
    const end = inputs[index + 1]?.ts ?? Infinity
    const within = tasks.filter((task) => endOf(task) > ts && task.ts < end)
    // A task that begins before the next key and holds it belongs to the next one.
    const own = within.filter((task) => !(task.ts < end && endOf(task) > end))
    return Math.max(0, ...own.map(({ dur = 0 }) => dur)) / 1000
  })
}

function endOf({ ts, dur = 0 }: TraceEvent): number {
  return ts + dur
}
