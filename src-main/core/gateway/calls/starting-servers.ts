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

/** What waits, for whom: `session` is the session of an agent, or what stands for all that an agent without sessions sends. */
export type Waiting = {
  readonly listing: Pick<AgentListing, 'servers'>
  readonly method: string
  readonly session: object | undefined
  readonly signal: AbortSignal | undefined
}

/** How long a session waits in all for a server whose lists nobody knows yet, in ms: agents list once, and some never again (G13). */
const LIST_WAIT_MS = 8_000

/** Servers of an agent that start and were never listed: what they offer is not known yet, which is not that there is nothing. */
export class StartingServers {
  /** By session and server, until when a list or an unknown name waits. */
  readonly #until = new WeakMap<object, Map<string, number>>()

  constructor(private readonly parts: StartingServersParts) {}

  of({ servers }: Waiting['listing']): ShownServer[] {
    return servers.filter(({ installationId }) => this.#starting(installationId) !== undefined)
  }

  /** Settles when all are listed, have failed, or have had their time in this session; never rejects. */
  async listed(waiting: Waiting): Promise<void> {
    const starting = this.of(waiting.listing)
    await Promise.all(starting.map((one) => this.#wait(one, waiting, this.#leftMs(one, waiting))))
  }

  /** As `listed`, for a name that is not known yet: the server whose prefix it has is waited for as long as the agent waits. Whether any was waited for. */
  async named(name: string, waiting: Waiting): Promise<boolean> {
    const starting = this.of(waiting.listing)
    const owner = starting.find(({ alias }) => name.startsWith(alias + SEPARATOR))
    if (owner) await this.#wait(owner, waiting, START_WAIT_MS)
    else await this.listed(waiting)
    return starting.length > 0
  }

  /** Why a name is not known, where servers still start; undefined where none does. */
  unknown(listing: Waiting['listing'], what: string): AppError | undefined {
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

  #leftMs({ installationId }: ShownServer, { session }: Waiting): number {
    const now = performance.now()
    const known = (session && this.#until.get(session)) ?? new Map<string, number>()
    const until = known.get(installationId) ?? now + LIST_WAIT_MS
    if (session) this.#until.set(session, known.set(installationId, until))
    return Math.min(until - now, LIST_WAIT_MS)
  }

  async #wait(
    { installationId }: ShownServer,
    { method, signal }: Waiting,
    waitMs: number,
  ): Promise<void> {
    if (waitMs <= 0) return
    // Why it fails is said by its status and its log.
    await this.#starting(installationId)
      ?.ready({ method, waitMs, signal })
      .catch(() => undefined)
  }
}
