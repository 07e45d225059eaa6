import type { JSONRPCMessage } from '@modelcontextprotocol/client'

/** How long the stream of a request may stay open behind its answer, in ms. */
const ENDING_MS = 1_000

/** One message on its way and what comes back for it; ended, it lets go of its connection. */
export class Exchange {
  /** Aborted once nobody waits for anything of it. */
  readonly signal: AbortSignal
  /** Its answer is a stream of events. */
  hasStream = false
  /** Something came that could not be read. */
  hasUnread = false
  /** The message that it is, until it is on its way; what goes after it (a request for a token) is another one. */
  unsent: JSONRPCMessage | undefined
  readonly #over = new AbortController()
  #ending: NodeJS.Timeout | undefined

  /** `id`: of the request that it is, where it is one; `limit`: ends it too. */
  constructor(
    readonly id: string | number | undefined,
    limit: AbortSignal | undefined,
  ) {
    this.signal = limit ? AbortSignal.any([this.#over.signal, limit]) : this.#over.signal
  }

  /** Its answer was read: a server that leaves the stream open is not waited for. */
  endSoon(): void {
    this.#ending ??= setTimeout(() => this.#over.abort(), ENDING_MS).unref()
  }

  end(): void {
    this.hasEnded()
    this.#over.abort()
  }

  /** Nothing is left of it that could be let go of. */
  hasEnded(): void {
    clearTimeout(this.#ending)
  }
}
