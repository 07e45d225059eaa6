import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Of both halves, in bytes. V8 would take up to 128 MB and keep them; calls of agents are no faster with more than this. */
const MOST_BYTES = 16 * 1024 * 1024
/** The factor by which V8 lets the young generation grow. */
const GROWS = 2
const STAYS = 1

/** Keeps the young generation of V8's heap small: it does not grow for `startMs`, in which only loading needs it, and later within a bound. */
export function boundYoungGeneration(startMs: number): void {
  let current = STAYS
  const set = (factor: number): void => {
    current = factor
    setFlagsFromString(`--semi-space-growth-factor=${factor}`)
  }
  set(STAYS)
  const follow = (): void => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
    const factor = (young?.space_size ?? 0) < MOST_BYTES ? GROWS : STAYS
    if (factor !== current) set(factor)
  }
  const begin = (): void => {
    set(GROWS)
    // V8 changes the size in collections only, and shrinks it while the app is idle.
    new PerformanceObserver(follow).observe({ entryTypes: ['gc'] })
  }
  setTimeout(begin, startMs).unref()
}
