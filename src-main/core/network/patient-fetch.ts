import type { Agent } from 'undici'

/** A client without time limits for head and body; undici's default is 300 s. */
export const NO_LIMITS = { headersTimeout: 0, bodyTimeout: 0 } as const

let direct: Promise<{ fetch: typeof globalThis.fetch; agent: Agent }> | undefined

/** The global `fetch` without a proxy and without time limits: the caller's signal decides (F10). */
export const patientFetch: typeof globalThis.fetch = async (input, init) => {
  direct ??= import('undici').then(({ Agent, fetch }) => ({
    fetch: fetch as unknown as typeof globalThis.fetch,
    agent: new Agent(NO_LIMITS),
  }))
  const { fetch, agent } = await direct
  return fetch(input, { ...init, dispatcher: agent })
}
