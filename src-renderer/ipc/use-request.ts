import {
  hashKey,
  type Query,
  type QueryClient,
  skipToken,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
} from '@tanstack/react-query'
import { useCallback, useId, useMemo, useState } from 'react'

import type { AppErrorShape } from '../../src-shared/domain/app-error'
import type { RequestChannel, RequestInput, RequestOutput } from '../../src-shared/ipc/contract'
import { call, toErrorShape } from './call'

/** One answer of main, from the question to the end. */
export type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'failed'; readonly problem: AppErrorShape }

/** What main sent last: `value` stays from the last good answer, `problem` until the next answer. */
export type LastGood<T> = {
  readonly value?: T | undefined
  readonly problem?: AppErrorShape | undefined
}

/** The last answer, with what is known of the newest query. */
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

/** The last answer of a query, with what is known of its newest run. */
export function useLastGood<T>(props: {
  readonly isPending: boolean
  readonly data: T | undefined
  readonly error: Error | null
}): LastGood<T> {
  const { isPending, data, error } = props
  const [last, setLast] = useState<LastGood<T>>({})
  const problem = useMemo(() => (error === null ? undefined : toErrorShape(error)), [error])
  const now = keepLastGood(last, { isPending, data, problem })
  if (now.value !== last.value || now.problem !== last.problem) setLast(now)
  return now
}

/** A question to main: the answer to what is asked now, and the last one. */
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
  const retry = useCallback(() => void refetch(queries, queryHash), [queries, queryHash])
  return { ...now, isOfBefore: data === undefined && now.value !== undefined, loaded, retry }
}

/** How long an answer that stays is kept when nobody looks, in ms. */
export const STAYS_MS = 300_000

/** When main is asked, besides at the begin of a look and with each other input. */
export type Asking = {
  /** What the answer is made of besides the input: where one is another it is asked again. Objects are compared as such, not by what they hold. */
  readonly state?: readonly (object | string | number | undefined)[]
  /** How long the input is to rest before it is asked for, in ms: not every keystroke is a question. */
  readonly restMs?: number | undefined
  /** Asks again so long after each answer while the window is seen, and immediately when it is seen again. */
  readonly everyMs?: number
  /** The answer stays for five minutes when nobody looks, and is asked for once for each state. */
  readonly stays?: boolean
}

const marks = new WeakMap<object, string>()

/** Identifies what an answer is made of in the key of its question: objects are compared as such. */
export function markOf(part: object | string | number | undefined): string | number | null {
  if (typeof part !== 'object') return part ?? null
  const mark = marks.get(part) ?? crypto.randomUUID()
  marks.set(part, mark)
  return mark
}

/** Waits, not longer than until it is aborted. */
export function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** A question to main; nothing is asked without an input. One that nobody waits for any more is not sent, or its answer is dropped. */
export function requestQuery<C extends RequestChannel>(
  channel: C,
  input: RequestInput<C> | undefined,
  { state = [], restMs = 0, everyMs, stays = false }: Asking = {},
): UseQueryOptions<RequestOutput<C>> {
  return {
    queryKey: [channel, input ?? null, ...state.map(markOf)],
    queryFn:
      input === undefined
        ? skipToken
        : async ({ signal }) => {
            if (restMs > 0) await rest(restMs, signal)
            signal.throwIfAborted()
            return call(channel, input)
          },
    ...(stays && { gcTime: STAYS_MS, staleTime: Infinity }),
    ...(everyMs !== undefined && { refetchInterval: everyMs, refetchOnWindowFocus: 'always' }),
  }
}

/**
 * Asks a question again, by the hash of its key. An answer that is on its way is dropped, also the first one, which the
 * library would wait for: what it is made of may be another by now.
 */
export async function refetch(queries: QueryClient, queryHash: string): Promise<void> {
  const it = { predicate: (query: Query) => query.queryHash === queryHash }
  await queries.cancelQueries(it)
  await queries.refetchQueries(it)
}

/** What a button does: busy while it is under way, with its problem until the next try. */
export type Action<I> = {
  /** What it was run with, while it is under way. */
  readonly busyWith: I | undefined
  readonly isBusy: boolean
  readonly problem: AppErrorShape | undefined
  /** Does nothing while it is under way. */
  readonly run: (input: I) => void
  readonly clear: () => void
}

/** Runs work that a user asks for, one at a time; `onDone` is called with its answer. */
export function useAction<I = void, T = unknown>(
  work: (input: I) => Promise<T>,
  onDone?: (answer: T, input: I) => void,
): Action<I> {
  const id = useId()
  const queries = useQueryClient()
  const { mutate, isPending, error, variables, reset } = useMutation({
    mutationKey: [id],
    mutationFn: work,
    ...(onDone && { onSuccess: onDone }),
  })
  const problem = useMemo(() => (error === null ? undefined : toErrorShape(error)), [error])
  return {
    busyWith: isPending ? variables : undefined,
    isBusy: isPending,
    problem,
    // The state of the last drawing does not know of a press a moment ago.
    run: (input) => {
      if (queries.isMutating({ mutationKey: [id] }) === 0) mutate(input)
    },
    clear: reset,
  }
}
