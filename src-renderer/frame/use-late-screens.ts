import { useEffect } from 'react'

import type { LazyScreen } from '../ui/layout/lazy-screen'

/** One that is busy for so long fetches the next all the same, in ms. */
const LONGEST_WAIT_MS = 2_000

type Late = Pick<LazyScreen<never>, 'load'>

/** Fetches the code of screens that are not open yet, one after the other while the page has nothing else to do. */
export function useLateScreens(screens: readonly Late[]): void {
  useEffect(() => {
    const left = [...screens]
    const waiting = { id: 0 }
    const stop = (): void => {
      left.length = 0
      cancelIdleCallback(waiting.id)
    }
    const next = (): void => {
      const screen = left.shift()
      // Where one cannot be had, the screen says so when it is opened, and tries again.
      if (screen) screen.load().then(wait, stop)
    }
    const wait = (): void => {
      waiting.id = requestIdleCallback(next, { timeout: LONGEST_WAIT_MS })
    }
    wait()
    return stop
  }, [screens])
}
