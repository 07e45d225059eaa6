import { AppError } from '../../../../src-shared/domain/app-error'
import { type Server, START_WAIT_MS } from '../../servers/server'
import type { ServerDirectory } from '../../servers/server-directory'
import { SEPARATOR } from '../../tools/names/tool-names'
import type { Tools } from '../../tools/tools'
import type { AgentListing, ShownServer } from '../listing/agent-listing'

export type StartingServersParts = {
  readonly servers: Pick<ServerDirectory, 'find'>
  readonly tools: Pick<Tools, 'isListed'>
}

/** A waiting request. `session` is the session of an agent, or the object for everything that an agent without sessions sends. */
export type WaitOptions = {
  readonly listing: Pick<AgentListing, 'servers'>
  readonly method: string
  readonly session: object | undefined
  readonly signal: AbortSignal | undefined
}

/** Total time that a session waits for a server whose lists are unknown, in ms: agents list once, and some never again (G13). */
const LIST_WAIT_MS = 8_000

/** Starting servers of an agent that were never listed: their offers are unknown, which doesn't mean empty. */
export class StartingServers {
  /** Deadlines of lists and unknown names, by session and server. */
  readonly #deadlines = new WeakMap<object, Map<string, number>>()

  constructor(private readonly parts: StartingServersParts) {}

  of({ servers }: WaitOptions['listing']): ShownServer[] {
    return servers.filter(({ installationId }) => this.#starting(installationId) !== undefined)
  }

  /** Settles when all servers are listed, have failed, or have used up their time in this session; never rejects. */
  async whenListed(options: WaitOptions): Promise<void> {
    const starting = this.of(options.listing)
    await Promise.all(
      starting.map((one) => this.#wait(one, options, this.#remainingMs(one, options))),
    )
  }

  /**
   * Like `whenListed`, for an unknown name: waits for the server with the name's prefix as long as the agent waits. Returns whether it waited
   * for any.
   */
  async waitForName(name: string, options: WaitOptions): Promise<boolean> {
    const starting = this.of(options.listing)
    const owner = starting.find(({ alias }) => name.startsWith(alias + SEPARATOR))
    if (owner) await this.#wait(owner, options, START_WAIT_MS)
    else await this.whenListed(options)
    return starting.length > 0
  }

  /** Returns why a name is unknown if servers still start; undefined if none does. */
  unknown(listing: WaitOptions['listing'], what: string): AppError | undefined {
    const names = this.of(listing).map(({ name }) => name)
    if (names.length === 0) return undefined
    return new AppError(
      'NOT_FOUND',
      `${what} isn’t known yet: ${names.join(', ')} still starting.`,
      {
        hint: 'What a starting server offers is known once it is ready. Try again in a moment.',
      },
    )
  }

  #starting(installationId: string): Server | undefined {
    const server = this.parts.servers.find(installationId)
    const isUnlisted = !this.parts.tools.isListed(installationId)
    return server?.status.kind === 'starting' && isUnlisted ? server : undefined
  }

  #remainingMs({ installationId }: ShownServer, { session }: WaitOptions): number {
    const now = performance.now()
    const deadlines = (session && this.#deadlines.get(session)) ?? new Map<string, number>()
    const deadline = deadlines.get(installationId) ?? now + LIST_WAIT_MS
    if (session) this.#deadlines.set(session, deadlines.set(installationId, deadline))
    return Math.min(deadline - now, LIST_WAIT_MS)
  }

  async #wait(
    { installationId }: ShownServer,
    { method, signal }: WaitOptions,
    waitMs: number,
  ): Promise<void> {
    if (waitMs <= 0) return
    // The server's status and log report the failure.
    await this.#starting(installationId)
      ?.ready({ method, waitMs, signal })
      .catch(() => undefined)
  }
}
