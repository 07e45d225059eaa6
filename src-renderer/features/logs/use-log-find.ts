import { useEffect, useRef, useState } from 'react'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { LogFound, LogQuery, LogSearch } from '../../../src-shared/domain/running/log-query'
import { call, toErrorShape } from '../../ipc/call'
import { onLogChange } from '../../stores/log-events'

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

const NOTHING = { found: null, problem: null, shows: 0 }

/** Searches a query as long as there is something to search for; `anchor` gives the row from where the nearest is looked for. */
export function useLogFind(
  query: LogQuery,
  search: LogSearch | undefined,
  anchor: () => number,
): LogFinding {
  const [state, setState] = useState<Omit<LogFinding, 'step'>>(NOTHING)
  const near = useRef(anchor)
  const current = useRef<number | undefined>(undefined)
  useEffect(() => {
    near.current = anchor
  })
  const ask = async (step: 'here' | 'next' | 'previous', isFirst = false): Promise<LogFound> => {
    if (!search) throw new Error('Enter a search term first.')
    const from = (isFirst ? undefined : current.current) ?? near.current()
    return call('log.find', { query, search, from, step })
  }
  useEffect(() => {
    current.current = undefined
    if (!search) {
      setState(NOTHING)
      return undefined
    }
    const line: { timer?: ReturnType<typeof setTimeout>; isOver: boolean; isShown: boolean } = {
      isOver: false,
      isShown: false,
    }
    const look = async (): Promise<void> => {
      delete line.timer
      try {
        const found = await ask('here', !line.isShown)
        if (line.isOver) return
        current.current = found.current?.row
        const showsNow = !line.isShown && found.current !== undefined
        line.isShown ||= showsNow
        setState((old) => ({ found, problem: null, shows: old.shows + (showsNow ? 1 : 0) }))
        if (!found.isDone) line.timer ??= setTimeout(() => void look(), AGAIN_MS)
      } catch (thrown) {
        if (!line.isOver) setState((old) => ({ ...old, problem: toErrorShape(thrown) }))
      }
    }
    void look()
    const stop = onLogChange(() => {
      line.timer ??= setTimeout(() => void look(), AFTER_NOTIFY_MS)
    })
    return () => {
      line.isOver = true
      stop()
      clearTimeout(line.timer)
    }
    // `ask` reads no more than these two.
  }, [query, search])
  const asked = useRef<object>(undefined)
  useEffect(() => {
    asked.current = { query, search }
  }, [query, search])
  const step = (way: 'next' | 'previous'): void => {
    if (!search) return
    const now = asked.current
    // The answer to a search that is no more says nothing about this one.
    const show = (change: (old: Omit<LogFinding, 'step'>) => Omit<LogFinding, 'step'>): void => {
      if (asked.current === now) setState(change)
    }
    ask(way).then(
      (found) => {
        if (asked.current === now) current.current = found.current?.row
        show((old) => ({ found, problem: null, shows: old.shows + 1 }))
      },
      (thrown: unknown) => show((old) => ({ ...old, problem: toErrorShape(thrown) })),
    )
  }
  return { ...state, step }
}
