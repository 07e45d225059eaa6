import { useEffect, useRef, useState } from 'react'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { LogFound, LogQuery, LogSearch } from '../../../src-shared/domain/running/log-query'
import { call, toErrorShape } from '../../ipc/call'
import { onLogChange } from '../../stores/log-events'
import type { LogControls } from './log-filter'

/** Interval of progress requests during a search, and delay after new lines, in ms. */
const RETRY_MS = 150
const AFTER_NOTIFY_MS = 500

/** The results of a search so far, and the navigation between them. */
export type LogFinding = {
  readonly found: LogFound | null
  readonly problem: AppErrorShape | null
  /** Incremented when the current match should scroll into view. */
  readonly shows: number
  /** Goes to the next or previous match, wrapping around. */
  readonly step: (step: 'next' | 'previous') => void
}

type Finding = Omit<LogFinding, 'step'>
const NOTHING: Finding = { found: null, problem: null, shows: 0 }

/** Runs one search until it is stopped; later responses are ignored. */
export function logFinder(
  request: { readonly query: LogQuery; readonly search: LogSearch },
  near: () => number,
  show: (change: (old: Finding) => Finding) => void,
): {
  readonly step: LogFinding['step']
  /** Repeats the search soon, because there are new lines. */
  readonly again: () => void
  readonly stop: () => void
} {
  let current: number | undefined
  let isShown = false
  let isStopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const find = async (step: 'here' | 'next' | 'previous'): Promise<void> => {
    const from = (step === 'here' && !isShown ? undefined : current) ?? near()
    try {
      const found = await call('log.find', { ...request, from, step })
      if (isStopped) return
      current = found.current?.row
      const showsNow = step !== 'here' || (!isShown && current !== undefined)
      isShown ||= showsNow
      show(({ shows }) => ({ found, problem: null, shows: shows + Number(showsNow) }))
      if (step === 'here' && !found.isDone) findLater(RETRY_MS)
    } catch (thrown) {
      if (!isStopped) show((old) => ({ ...old, problem: toErrorShape(thrown) }))
    }
  }
  function findLater(ms: number): void {
    timer ??= setTimeout(() => {
      timer = undefined
      void find('here')
    }, ms)
  }
  void find('here')
  return {
    step: (step) => void find(step),
    again: () => findLater(AFTER_NOTIFY_MS),
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** Searches a query if there is a search text; `anchor` returns the row whose nearest match comes first. */
export function useLogFind(
  query: LogQuery,
  search: LogSearch | undefined,
  anchor: () => number,
): LogFinding {
  const [state, setState] = useState(NOTHING)
  const near = useRef(anchor)
  useEffect(() => {
    near.current = anchor
  })
  const finder = useRef<ReturnType<typeof logFinder>>(undefined)
  useEffect(() => {
    if (!search) {
      setState(NOTHING)
      return undefined
    }
    const made = logFinder({ query, search }, () => near.current(), setState)
    finder.current = made
    const stop = onLogChange(made.again)
    return () => {
      stop()
      made.stop()
      finder.current = undefined
    }
  }, [query, search])
  return { ...state, step: (direction) => finder.current?.step(direction) }
}

/** The line to show; `count` rises with each request. */
export type LogMatch = { readonly row: number; readonly count: number }

/** Returns the line that the search or a jump led to, until the query changes. */
export function useCurrentMatch(
  { query, wanted }: LogControls,
  { found, shows }: LogFinding,
): { readonly match: LogMatch | null; readonly goTo: (row: number) => void } {
  const [match, setMatch] = useState<LogMatch | null>(null)
  const goTo = (row: number): void => setMatch((old) => ({ row, count: (old?.count ?? 0) + 1 }))
  useEffect(() => setMatch(null), [query, wanted])
  const row = found?.current?.row
  useEffect(() => {
    if (shows > 0 && row !== undefined) goTo(row)
    // Only `shows` triggers: a match whose row number shifts must not scroll.
  }, [shows])
  return { match, goTo }
}
