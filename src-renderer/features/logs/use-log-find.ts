import { useEffect, useRef, useState } from 'react'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { LogFound, LogQuery, LogSearch } from '../../../src-shared/domain/running/log-query'
import { call, toErrorShape } from '../../ipc/call'
import { onLogChange } from '../../stores/log-events'
import type { LogControls } from './log-filter'

/** How often it is asked how far a search is, and after new lines, in ms. */
const AGAIN_MS = 150
const AFTER_NOTIFY_MS = 500

/** What a search has found so far, and the way through it. */
export type LogFinding = {
  readonly found: LogFound | null
  readonly problem: AppErrorShape | null
  /** Rises when the current line is to be shown. */
  readonly shows: number
  /** Goes to the next or previous line that was found, round the ends. */
  readonly step: (step: 'next' | 'previous') => void
}

type Finding = Omit<LogFinding, 'step'>
const NOTHING: Finding = { found: null, problem: null, shows: 0 }

/** Goes through what one search finds until it is stopped; an answer that comes later says nothing any more. */
export function logFinder(
  asked: { readonly query: LogQuery; readonly search: LogSearch },
  near: () => number,
  show: (change: (old: Finding) => Finding) => void,
): {
  readonly step: LogFinding['step']
  /** Looks again soon: there are new lines. */
  readonly again: () => void
  readonly stop: () => void
} {
  let current: number | undefined
  let isShown = false
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = async (step: 'here' | 'next' | 'previous'): Promise<void> => {
    const from = (step === 'here' && !isShown ? undefined : current) ?? near()
    try {
      const found = await call('log.find', { ...asked, from, step })
      if (isOver) return
      current = found.current?.row
      const showsNow = step !== 'here' || (!isShown && current !== undefined)
      isShown ||= showsNow
      show(({ shows }) => ({ found, problem: null, shows: shows + Number(showsNow) }))
      if (step === 'here' && !found.isDone) later(AGAIN_MS)
    } catch (thrown) {
      if (!isOver) show((old) => ({ ...old, problem: toErrorShape(thrown) }))
    }
  }
  function later(ms: number): void {
    timer ??= setTimeout(() => {
      timer = undefined
      void ask('here')
    }, ms)
  }
  void ask('here')
  return {
    step: (step) => void ask(step),
    again: () => later(AFTER_NOTIFY_MS),
    stop: () => {
      isOver = true
      clearTimeout(timer)
    },
  }
}

/** Searches a query as long as there is something to search for; `anchor` gives the row from where the nearest is looked for. */
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
  return { ...state, step: (way) => finder.current?.step(way) }
}

/** The line that one has gone to; `count` rises each time. */
export type LogSpot = { readonly row: number; readonly count: number }

/** The line that a search or a jump has led to, until something else is asked for. */
export function useSpot(
  { query, wanted }: LogControls,
  { found, shows }: LogFinding,
): { readonly spot: LogSpot | null; readonly goTo: (row: number) => void } {
  const [spot, setSpot] = useState<LogSpot | null>(null)
  const goTo = (row: number): void => setSpot((old) => ({ row, count: (old?.count ?? 0) + 1 }))
  useEffect(() => setSpot(null), [query, wanted])
  const row = found?.current?.row
  useEffect(() => {
    if (shows > 0 && row !== undefined) goTo(row)
    // Each time that the search shows a line; a line that moves meanwhile is none.
  }, [shows])
  return { spot, goTo }
}
