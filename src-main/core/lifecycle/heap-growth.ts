import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Size of the young generation, both halves, in bytes. V8 would take up to 128 MB and keep them; calls of agents are hardly faster with more than this. */
const MAX_YOUNG_BYTES = 8 * 1024 * 1024
/** By how many percent the old generation may outgrow what was alive after the last collection. V8 would allow up to 300. */
const OLD_GROWTH_PERCENT = 20
/** The factor by which V8 enlarges the young generation. */
const GROW = 2
const STAY = 1

/** Keeps V8's heap close to its live objects. The young generation stays at its smallest for `startMs`, in which only loading needs it, and within a bound later. */
export function limitHeapGrowth(startMs: number): void {
  setFlagsFromString(`--heap-growing-percent=${OLD_GROWTH_PERCENT}`)
  let current = STAY
  const set = (factor: number): void => {
    current = factor
    setFlagsFromString(`--semi-space-growth-factor=${factor}`)
  }
  set(STAY)
  const follow = (): void => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
    const factor = (young?.space_size ?? 0) < MAX_YOUNG_BYTES ? GROW : STAY
    if (factor !== current) set(factor)
  }
  const begin = (): void => {
    set(GROW)
    // V8 changes the size in collections only, and shrinks it while the app is idle.
    new PerformanceObserver(follow).observe({ entryTypes: ['gc'] })
  }
  setTimeout(begin, startMs).unref()
}
