import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'

import { call, toErrorShape } from '../../ipc/call'
import { useApp } from '../../stores/app-store'
import { useActivityView } from './activity-view-store'
import { callQuestion } from './call-question'
import { CallList, type FoundCalls } from './found-calls'

/** How long somebody pauses while typing until that is searched, in ms. */
const TYPING_MS = 150

/** The calls that the view asks for, as far as they are known, and what can be done with the list. */
export type CallSearch = {
  readonly found: FoundCalls
  readonly more: () => void
  readonly follow: (isFollowing: boolean) => void
  readonly retry: () => void
}

/** The calls that the view asks for, live. */
export function useFoundCalls(): CallSearch {
  const [list] = useState(
    () => new CallList((query) => call('activity.query', query), toErrorShape),
  )
  const view = useActivityView()
  const question = useMemo(() => callQuestion(view), [view])
  const { newest, kept } = useApp(({ app }) => app?.activity) ?? { newest: 0, kept: 0 }
  const [round, setRound] = useState(0)
  useEffect(() => {
    const wait = list.snapshot().total === undefined ? 0 : TYPING_MS
    const timer = setTimeout(() => void list.show(question), wait)
    return () => clearTimeout(timer)
  }, [list, question, round])
  useEffect(() => {
    void list.heard(newest, kept)
  }, [list, newest, kept])
  const found = useSyncExternalStore(list.subscribe, list.snapshot)
  return useMemo(
    () => ({
      found,
      more: () => void list.more(),
      follow: (isFollowing: boolean) => void list.follow(isFollowing),
      retry: () => setRound((before) => before + 1),
    }),
    [found, list],
  )
}
