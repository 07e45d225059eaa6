import { useEffect } from 'react'

import { isAsking } from '../ipc/call'
import type { LazyPart } from '../ui/layout/lazy-screen'

/** One that is busy, or waits for an answer, for so long fetches the next all the same, in ms. */
const LONGEST_WAIT_MS = 2_000

type Late = Pick<LazyPart, 'load'>

/** Resolves when the page is idle, or soon where the browser can't tell. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari had none before version 18.
    if (typeof requestIdleCallback !== 'function') setTimeout(resolve, 200)
    else requestIdleCallback(() => resolve(), { timeout: LONGEST_WAIT_MS })
  })
}

/** Loads one after the other while the page is idle and no answer is waited for. */
async function loadInTurn(screens: readonly Late[], signal: AbortSignal): Promise<void> {
  for (const screen of screens) {
    const since = performance.now()
    do await whenIdle()
    while (isAsking() && performance.now() - since < LONGEST_WAIT_MS)
    if (signal.aborted) return
    await screen.load()
  }
}

/**
 * Fetches the code of screens that are not open yet, one after the other while the page has nothing else to do: what the
 * open one waits for is drawn first.
 */
export function useLateScreens(screens: readonly Late[]): void {
  useEffect(() => {
    const over = new AbortController()
    // Where one cannot be had, the screen says so when it is opened, and tries again.
    loadInTurn(screens, over.signal).catch(() => over.abort())
    return () => over.abort()
  }, [screens])
}
