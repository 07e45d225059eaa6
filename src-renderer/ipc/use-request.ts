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

/** State of one request to main. */
export type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'failed'; readonly problem: AppErrorShape }

/** Last response of main: `value` stays from the last success, `problem` until the next response. */
export type LastGood<T> = {
  readonly value?: T | undefined
  readonly problem?: AppErrorShape | undefined
}

/** Returns the last response, updated by the state of the newest query. */
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

/** Returns the last response of a query and the state of its newest run. */
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

/** A request to main: the state of the current one, and the last response. */
export type Request<T> = LastGood<T> & {
  readonly loaded: Loaded<T>
  /** Whether `value` belongs to another input or state than the current one. */
  readonly isStale: boolean
  readonly retry: () => void
}

/** Sends a request to main, again on `retry` and as `settings` says. */
export function useRequest<C extends RequestChannel>(
  channel: C,
  input: RequestInput<C> | undefined,
  settings?: QueryOptions,
): Request<RequestOutput<C>> {
  type Value = RequestOutput<C>
  const queries = useQueryClient()
  const query = requestQuery(channel, input, settings)
  const { data, error, isFetching, isPending } = useQuery(query)
  const now = useLastGood({ isPending, data, error })
  const loaded = useMemo((): Loaded<Value> => {
    if (isPending || isFetching) return { kind: 'loading' }
    if (error) return { kind: 'failed', problem: toErrorShape(error) }
    return { kind: 'ready', value: data as Value }
  }, [data, error, isPending, isFetching])
  const queryHash = hashKey(query.queryKey)
  const retry = useCallback(() => void refetch(queries, queryHash), [queries, queryHash])
  return { ...now, isStale: data === undefined && now.value !== undefined, loaded, retry }
}

/** How long a response with `stays` is kept without observers, in ms. */
export const CACHED_MS = 300_000

/** When to send the request, besides on mount and for each new input. */
export type QueryOptions = {
  /** State that the response depends on: a change sends the request again. Objects are compared by identity. */
  readonly state?: readonly (object | string | number | undefined)[]
  /** Debounce of the input, in ms: not every keystroke is a request. */
  readonly debounceMs?: number | undefined
  /** Repeats the request this long after each response while the window is visible, and immediately when it becomes visible. */
  readonly pollMs?: number
  /** Keeps the response for five minutes without observers, and requests it once for each state. */
  readonly isCached?: boolean
}

const marks = new WeakMap<object, string>()

/** Returns a key for a part of a request's state; objects are compared by identity. */
export function markOf(part: object | string | number | undefined): string | number | null {
  if (typeof part !== 'object') return part ?? null
  const mark = marks.get(part) ?? crypto.randomUUID()
  marks.set(part, mark)
  return mark
}

/** Waits until the time is over or the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/**
 * Query options for a request to main; nothing is sent without an input. A request without observers is not sent, or its response is
 * ignored.
 */
export function requestQuery<C extends RequestChannel>(
  channel: C,
  input: RequestInput<C> | undefined,
  { state = [], debounceMs = 0, pollMs, isCached = false }: QueryOptions = {},
): UseQueryOptions<RequestOutput<C>> {
  return {
    queryKey: [channel, input ?? null, ...state.map(markOf)],
    queryFn:
      input === undefined
        ? skipToken
        : async ({ signal }) => {
            if (debounceMs > 0) await pause(debounceMs, signal)
            signal.throwIfAborted()
            return call(channel, input)
          },
    ...(isCached && { gcTime: CACHED_MS, staleTime: Infinity }),
    ...(pollMs !== undefined && { refetchInterval: pollMs, refetchOnWindowFocus: 'always' }),
  }
}

/**
 * Sends a request again, by the hash of its key. A pending response is ignored, including the first one, which the library would wait for:
 * its state may have changed.
 */
export async function refetch(queries: QueryClient, queryHash: string): Promise<void> {
  const it = { predicate: (query: Query) => query.queryHash === queryHash }
  await queries.cancelQueries(it)
  await queries.refetchQueries(it)
}

/** Action of a button: busy while it runs, with its problem until the next run. */
export type Action<I> = {
  /** Input of the current run. */
  readonly busyWith: I | undefined
  readonly isBusy: boolean
  readonly problem: AppErrorShape | undefined
  /** No effect while it runs. */
  readonly run: (input: I) => void
  readonly clear: () => void
}

/** Runs a user's action, one at a time; `onDone` receives its result. */
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
    // The last render does not know of a click since.
    run: (input) => {
      if (queries.isMutating({ mutationKey: [id] }) === 0) mutate(input)
    },
    clear: reset,
  }
}
