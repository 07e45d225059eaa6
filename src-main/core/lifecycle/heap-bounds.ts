import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** An entry of type `gc`. */
type GcEntry = PerformanceEntry & { readonly detail: { readonly kind: number } }

/** Size of both halves of the young generation, in bytes. V8 would take and keep up to 128 MB; calls aren't faster with more than this. */
const MAX_BYTES = 16 * 1024 * 1024
/** The factor by which V8 grows the young generation. */
const GROWS = 2
const FIXED = 1
/**
 * Growth of the old generation between two full collections, in percent. V8 lets a small heap grow to several times its live size, a sixth
 * of the process after 40,000 small calls, without being faster.
 */
const OLD_GROWS = 50
/** V8 decides: results of a megabyte fill the heap so fast that it would only collect. */
const OLD_IS_FREE = 0
/** Full collections more frequent than the first are too many; less frequent than the second, the bound applies again; in ms. */
const BUSY_MS = 1_000
const CALM_MS = 10_000

/**
 * Keeps V8's heap small. The young generation doesn't grow for `startMs`, while the app loads, and later within a bound. The old generation
 * is collected before it grows by half, unless that happens all the time.
 */
export function boundHeap(startMs: number): void {
  const young = flag('semi-space-growth-factor', FIXED)
  const old = flag('heap-growing-percent', OLD_GROWS)
  let lastFullAt = -Infinity
  // V8 resizes the young generation only in collections, and shrinks it while the app is idle.
  const observer = new PerformanceObserver((list) => {
    const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
    young((space?.space_size ?? 0) < MAX_BYTES ? GROWS : FIXED)
    for (const { startTime, detail } of list.getEntries() as GcEntry[]) {
      if (detail.kind !== constants.NODE_PERFORMANCE_GC_MAJOR) continue
      const sinceMs = startTime - lastFullAt
      if (sinceMs < BUSY_MS) old(OLD_IS_FREE)
      else if (sinceMs > CALM_MS) old(OLD_GROWS)
      lastFullAt = startTime
    }
  })
  setTimeout(() => {
    young(GROWS)
    observer.observe({ entryTypes: ['gc'] })
  }, startMs).unref()
}

/** Sets a V8 flag, and returns a setter for it. */
function flag(name: string, first: number): (value: number) => void {
  let current: number | undefined
  const set = (value: number): void => {
    if (value !== current) setFlagsFromString(`--${name}=${String(value)}`)
    current = value
  }
  set(first)
  return set
}
