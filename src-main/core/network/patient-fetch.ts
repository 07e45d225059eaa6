import type { Agent } from 'undici'

/** A client that waits for the head and the body of a response as long as its caller does; undici gives up after 300 s. */
export const NO_LIMITS = { headersTimeout: 0, bodyTimeout: 0 } as const

let direct: Promise<{ fetch: typeof globalThis.fetch; agent: Agent }> | undefined

/** As the global `fetch`, without a proxy and without time limits: the caller gives up by the signal (F10). */
export const patientFetch: typeof globalThis.fetch = async (input, init) => {
  direct ??= import('undici').then(({ Agent, fetch }) => ({
    fetch: fetch as unknown as typeof globalThis.fetch,
    agent: new Agent(NO_LIMITS),
  }))
  const { fetch, agent } = await direct
  return fetch(input, { ...init, dispatcher: agent })
}
