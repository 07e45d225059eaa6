import { useEffect } from 'react'

import { isAsking } from '../ipc/call'
import type { LazyScreen } from '../ui/layout/lazy-screen'

/** One that is busy, or waits for an answer, for so long fetches the next all the same, in ms. */
const LONGEST_WAIT_MS = 2_000

type Late = Pick<LazyScreen<never>, 'load'>

/** Runs a task when the page is idle, or soon where the browser can't tell; returns the way to call it off. */
export function whenIdle(task: () => void): () => void {
  // Safari had none before version 18.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(task, 200)
    return () => clearTimeout(timer)
  }
  const id = requestIdleCallback(task, { timeout: LONGEST_WAIT_MS })
  return () => cancelIdleCallback(id)
}

/**
 * Fetches the code of screens that are not open yet, one after the other while the page has nothing else to do: what the
 * open one waits for is drawn first.
 */
export function useLateScreens(screens: readonly Late[]): void {
  useEffect(() => {
    const left = [...screens]
    const waiting: { since: number; callOff: () => void } = { since: 0, callOff: () => undefined }
    const stop = (): void => {
      left.length = 0
      waiting.callOff()
    }
    const next = (): void => {
      if (isAsking() && performance.now() - waiting.since < LONGEST_WAIT_MS) {
        waiting.callOff = whenIdle(next)
        return
      }
      const screen = left.shift()
      // Where one cannot be had, the screen says so when it is opened, and tries again.
      if (screen) screen.load().then(wait, stop)
    }
    const wait = (): void => {
      waiting.since = performance.now()
      waiting.callOff = whenIdle(next)
    }
    wait()
    return stop
  }, [screens])
}
