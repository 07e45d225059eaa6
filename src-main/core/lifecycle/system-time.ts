import type { Timekeeper } from '../ports'
import { toDisposable } from './disposables'

/** The system's clock. */
export const systemTime: Timekeeper = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    timer.unref()
    return toDisposable(() => clearTimeout(timer))
  },
}
