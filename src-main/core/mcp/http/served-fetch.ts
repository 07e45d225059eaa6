import { setTimeout as delay } from 'node:timers/promises'

import type { RunningChild } from '../../process/spawn/child-process'
import { isCut } from './era-question'

/** How long after a connection was cut the exit behind it is waited for, in ms. */
const EXIT_WAIT_MS = 250
/** The same after an answer was cut in the middle: the child did work, and may still have something to write. */
const CUT_WAIT_MS = 1_000
/** How long after an answer of what only stands before a server it is asked again, in ms. */
const AGAIN_MS = 250
/** Statuses of what stands before a server that is not up. */
const NOT_UP = [502, 503]

/**
 * The `fetch` of a child that serves HTTP on this computer: no proxy stands between, until the first real answer it is
 * asked again as long as the child lives and the caller waits, and what fails as it ends is told by how it ended.
 * `onNotUp` is told once of a status that counts as none.
 */
export function servedFetch(
  child: Pick<RunningChild, 'exited'>,
  onNotUp: (status: number) => void,
): typeof globalThis.fetch {
  let isUp = false
  let isTold = false
  const sent = async (...[input, init]: Parameters<typeof globalThis.fetch>) => {
    const response = await globalThis.fetch(input, init)
    isUp ||= !NOT_UP.includes(response.status)
    if (isUp) return response
    await response.body?.cancel()
    if (!isTold) onNotUp(response.status)
    isTold = true
    return undefined
  }
  return async (input, init) => {
    const signal = init?.signal ?? undefined
    for (;;) {
      try {
        const response = await sent(input, init)
        if (response) return readWithChild(response, child, signal)
      } catch (error) {
        const isOver = signal?.aborted === true || (await exits(child, EXIT_WAIT_MS))
        if (isUp || isOver || !isNotUp(error)) throw error
      }
      await delay(AGAIN_MS, undefined, { signal })
    }
  }
}

/** The same answer, whose cut is told once it is known whether the child ends. */
function readWithChild(
  response: Response,
  child: Pick<RunningChild, 'exited'>,
  signal: AbortSignal | undefined,
): Response {
  const { body, status, statusText, headers, url } = response
  if (!body) return response
  async function* parts(whole: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* whole
    } catch (error) {
      if (signal?.aborted !== true) await exits(child, CUT_WAIT_MS)
      throw error
    }
  }
  const read = new Response(ReadableStream.from(parts(body)), { status, statusText, headers })
  return Object.defineProperty(read, 'url', { value: url })
}

/** Whether the child is gone, or goes within `withinMs`. */
async function exits({ exited }: Pick<RunningChild, 'exited'>, withinMs: number): Promise<boolean> {
  const limit = new AbortController()
  const waiting = delay(withinMs, false, { signal: limit.signal }).catch(() => false) // aborted: it has exited
  const hasExited = await Promise.race([exited.then(() => true), waiting])
  limit.abort()
  return hasExited
}

function isNotUp(error: unknown): boolean {
  const { cause } = error instanceof Error ? error : {}
  return isCut(error) || (cause as { code?: unknown } | undefined)?.code === 'ECONNREFUSED'
}
