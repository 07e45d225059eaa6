import { useEffect } from 'react'

import { isAsking } from '../ipc/call'
import type { LazyScreen } from '../ui/layout/lazy-screen'

/** One that is busy, or waits for an answer, for so long fetches the next all the same, in ms. */
const LONGEST_WAIT_MS = 2_000

type Late = Pick<LazyScreen<never>, 'load'>

/**
 * Fetches the code of screens that are not open yet, one after the other while the page has nothing else to do: what the
 * open one waits for is drawn first.
 */
export function useLateScreens(screens: readonly Late[]): void {
  useEffect(() => {
    const left = [...screens]
    const waiting = { id: 0, since: 0 }
    const stop = (): void => {
      left.length = 0
      cancelIdleCallback(waiting.id)
    }
    const next = (): void => {
      if (isAsking() && performance.now() - waiting.since < LONGEST_WAIT_MS) {
        waiting.id = requestIdleCallback(next, { timeout: LONGEST_WAIT_MS })
        return
      }
      const screen = left.shift()
      // Where one cannot be had, the screen says so when it is opened, and tries again.
      if (screen) screen.load().then(wait, stop)
    }
    const wait = (): void => {
      waiting.since = performance.now()
      waiting.id = requestIdleCallback(next, { timeout: LONGEST_WAIT_MS })
    }
    wait()
    return stop
  }, [screens])
}
