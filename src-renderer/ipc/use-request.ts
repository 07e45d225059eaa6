import { useCallback, useEffect, useState } from 'react'

import type { AppErrorShape } from '../../src-shared/domain/app-error'
import type { RequestChannel } from '../../src-shared/ipc/channels'
import type { RequestInput, RequestOutput } from '../../src-shared/ipc/contract/contract'
import { call, toErrorShape } from './call'

/** One answer of main, from the question to the end. */
export type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'failed'; readonly problem: AppErrorShape }

/**
 * Asks main once for each different input, again on `retry` and when `state` is another; an answer that comes too
 * late is dropped.
 */
export function useRequest<C extends RequestChannel>(
  channel: C,
  input: RequestInput<C>,
  /** What the answer depends on besides the input. */
  state = '',
): { readonly loaded: Loaded<RequestOutput<C>>; readonly retry: () => void } {
  const question = JSON.stringify(input)
  const [round, setRound] = useState(0)
  const [answer, setAnswer] = useState<{ of: string; loaded: Loaded<RequestOutput<C>> }>({
    of: '',
    loaded: { kind: 'loading' },
  })
  const asked = `${round} ${state} ${question}`

  useEffect(() => {
    let isCurrent = true
    call(channel, JSON.parse(question) as RequestInput<C>).then(
      (value) => {
        if (isCurrent) setAnswer({ of: asked, loaded: { kind: 'ready', value } })
      },
      (thrown: unknown) => {
        if (isCurrent)
          setAnswer({ of: asked, loaded: { kind: 'failed', problem: toErrorShape(thrown) } })
      },
    )
    return () => {
      isCurrent = false
    }
  }, [asked, channel, question])

  const retry = useCallback(() => setRound((before) => before + 1), [])
  return { loaded: answer.of === asked ? answer.loaded : { kind: 'loading' }, retry }
}
