import { useEffect, useEffectEvent, useRef } from 'react'
import { useSearch } from 'wouter'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import { showToast } from '../../ui/overlays/toast'
import type { MessageLogState } from './message-store'

/** The first request of a call, by what was called and between when it came and when it ended; undefined where it is held no more. */
export function requestOfCall(
  entries: readonly MessageEntry[],
  address: URLSearchParams,
): MessageEntry | undefined {
  const [from, to] = ['from', 'to'].map((name) => Number(address.get(name)))
  const [method, target] = ['method', 'target'].map((name) => address.get(name))
  return entries.find(
    (entry) =>
      entry.kind === 'request' &&
      entry.method === method &&
      // A long one is cut.
      target?.startsWith(entry.target ?? '') === true &&
      entry.at >= (from ?? 0) &&
      entry.at <= (to ?? 0),
  )
}

/** Goes once to the request of the call that the address names, as soon as the messages are read. */
export function useCallFromAddress(
  { isRead, entries }: Pick<MessageLogState, 'isRead' | 'entries'>,
  go: (seq: number) => void,
): void {
  const search = useSearch()
  const done = useRef('')
  const follow = useEffectEvent(() => {
    const request = requestOfCall(entries, new URLSearchParams(search))
    if (request) go(request.seq)
    else showToast({ message: 'The messages of this call are no longer stored.' })
  })
  useEffect(() => {
    if (!isRead || search === '' || done.current === search) return
    done.current = search
    follow()
  }, [isRead, search])
}
