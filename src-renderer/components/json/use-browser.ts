import { useEffect, useState } from 'react'
import { useStore } from 'zustand'

import { tellFailure } from '../../ipc/tell-failure'
import type { BrowserState } from './json-browser'
import { JsonBrowser } from './json-browser'
import type { JsonRemote } from './reading/json-thread'
import type { JsonRow } from './reading/json-tree'

/** A tree of a text that the thread holds: on its way, there, or 'nothing' where the pointer leads nowhere. */
export function useBrowser(
  remote: JsonRemote,
  key: string,
  pointer: string,
): JsonBrowser | 'coming' | 'nothing' {
  const [browser, setBrowser] = useState<JsonBrowser | 'coming' | 'nothing'>('coming')
  useEffect(() => {
    let isOver = false
    let opened: JsonBrowser | undefined
    JsonBrowser.open(remote, key, pointer, tellFailure).then(
      (open) => {
        opened = open
        if (isOver) open?.close()
        else setBrowser(open ?? 'nothing')
      },
      () => {
        // The thread ended: who holds the text says so.
        if (!isOver) setBrowser('nothing')
      },
    )
    return () => {
      isOver = true
      opened?.close()
      setBrowser('coming')
    }
  }, [remote, key, pointer])
  return browser
}

/** How many rows are asked for beyond those in view, in both directions. */
const BEYOND = 30

/** The rows of a tree around those in view, by their places; those that are not there yet are missing. */
export function useRows(
  browser: JsonBrowser,
  first: number,
  last: number,
): { readonly state: BrowserState; readonly rowAt: (row: number) => JsonRow | undefined } {
  const state = useStore(browser.store)
  const [read, setRead] = useState<{ readonly from: number; readonly rows: readonly JsonRow[] }>({
    from: 0,
    rows: [],
  })
  const { edition, count } = state
  // Asked in steps, so that not each row that is scrolled by asks again.
  const from = Math.max(0, Math.floor((first - BEYOND) / BEYOND) * BEYOND)
  const to = Math.min(count, Math.ceil((last + BEYOND) / BEYOND) * BEYOND)
  useEffect(() => {
    let isOver = false
    browser.rows(from, to).then(
      (rows) => {
        if (!isOver) setRead({ from, rows })
      },
      () => {
        // The tree was let go of meanwhile.
      },
    )
    return () => {
      isOver = true
    }
  }, [browser, from, to, edition])
  return { state, rowAt: (row) => read.rows[row - read.from] }
}
