import { hashKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'

import type { AppErrorShape } from '../../src-shared/domain/app-error'
import type { RequestChannel, RequestInput, RequestOutput } from '../../src-shared/ipc/contract'
import { toErrorShape } from './call'
import { askAnew, type Asking, requestQuery } from './request-query'

/** One answer of main, from the question to the end. */
export type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'failed'; readonly problem: AppErrorShape }

/** What main told last: `value` stays from the last good answer, `problem` until the next answer. */
export type LastGood<T> = {
  readonly value?: T | undefined
  readonly problem?: AppErrorShape | undefined
}

/** What was told last, with what is known of the newest question. */
export function keepLastGood<T>(
  before: LastGood<T>,
  {
    isPending,
    data,
    problem,
  }: Pick<LastGood<T>, 'problem'> & { readonly isPending: boolean; readonly data: T | undefined },
): LastGood<T> {
  return isPending ? before : { value: data ?? before.value, problem }
}

/** What a query told last, with what is known of its newest question. */
export function useLastGood<T>({
  isPending,
  data,
  error,
}: {
  readonly isPending: boolean
  readonly data: T | undefined
  readonly error: Error | null
}): LastGood<T> {
  const [told, setTold] = useState<LastGood<T>>({})
  const problem = useMemo(() => (error === null ? undefined : toErrorShape(error)), [error])
  const now = keepLastGood(told, { isPending, data, problem })
  if (now.value !== told.value || now.problem !== told.problem) setTold(now)
  return now
}

/** A question to main: the answer to what is asked now, and what was told last. */
export type Request<T> = LastGood<T> & {
  readonly loaded: Loaded<T>
  /** `value` answers another input or state than those of now. */
  readonly isOfBefore: boolean
  readonly retry: () => void
}

/** Asks main, again on `retry`; `asking` says when else. */
export function useRequest<C extends RequestChannel>(
  channel: C,
  input: RequestInput<C> | undefined,
  asking?: Asking,
): Request<RequestOutput<C>> {
  type Value = RequestOutput<C>
  const queries = useQueryClient()
  const question = requestQuery(channel, input, asking)
  const { data, error, isFetching, isPending } = useQuery(question)
  const now = useLastGood({ isPending, data, error })
  const loaded = useMemo((): Loaded<Value> => {
    if (isPending || isFetching) return { kind: 'loading' }
    if (error) return { kind: 'failed', problem: toErrorShape(error) }
    return { kind: 'ready', value: data as Value }
  }, [data, error, isPending, isFetching])
  const queryHash = hashKey(question.queryKey)
  const retry = useCallback(() => void askAnew(queries, queryHash), [queries, queryHash])
  return { ...now, isOfBefore: data === undefined && now.value !== undefined, loaded, retry }
}
