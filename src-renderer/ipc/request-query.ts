import {
  type Query,
  type QueryClient,
  skipToken,
  type UseQueryOptions,
} from '@tanstack/react-query'

import type { RequestChannel, RequestInput, RequestOutput } from '../../src-shared/ipc/contract'
import { call } from './call'

/** How long an answer that stays is kept when nobody looks, in ms. */
export const STAYS_MS = 300_000

/** When main is asked, besides at the begin of a look and with each other input. */
export type Asking = {
  /** What the answer is made of besides the input: where one is another it is asked again. Objects are told apart as such, not by what they hold. */
  readonly state?: readonly (object | string | number | undefined)[]
  /** How long the input is to rest before it is asked for, in ms: not every keystroke is a question. */
  readonly restMs?: number | undefined
  /** Asks again so long after each answer while the window is seen, and at once when it is seen again. */
  readonly everyMs?: number
  /** The answer stays for five minutes when nobody looks, and is asked for once for each state. */
  readonly stays?: boolean
}

const marks = new WeakMap<object, string>()

/** Identifies what an answer is made of in the key of its question: objects are told apart as such. */
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
export async function askAnew(queries: QueryClient, queryHash: string): Promise<void> {
  const it = { predicate: (query: Query) => query.queryHash === queryHash }
  await queries.cancelQueries(it)
  await queries.refetchQueries(it)
}
