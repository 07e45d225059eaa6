import type { Agent } from '../../../../../src-shared/domain/agents/agent'
import type { EndpointCore } from '../requests/endpoint-core'
import { AgentSession } from './agent-session'

/** How long a session may be without a request and an open stream, in ms. */
export const SESSION_IDLE_MS = 60 * 60_000
/** Sessions of one agent; with one more the one that rested longest ends. */
const MOST_SESSIONS = 64
const SWEEP_MS = SESSION_IDLE_MS / 12

/** The sessions of one agent in the older era. */
export class OlderSessions implements Disposable {
  readonly #core: EndpointCore
  readonly #sessions = new Map<string, AgentSession>()
  #sweeping: Disposable | undefined

  constructor(core: EndpointCore) {
    this.#core = core
  }

  get size(): number {
    return this.#sessions.size
  }

  /** Undefined for one that is over, or of another agent. */
  find(sessionId: string): AgentSession | undefined {
    return this.#sessions.get(sessionId)
  }

  /** One more, which waits for its `initialize`. */
  async open(agent: Agent): Promise<AgentSession> {
    const session = await AgentSession.open(agent, this.#core, () =>
      this.#sessions.delete(session.sessionId),
    )
    if (this.#sessions.size >= MOST_SESSIONS) this.#longestAtRest()?.[Symbol.dispose]()
    this.#sessions.set(session.sessionId, session)
    this.#sweepLater()
    return session
  }

  all(): Iterable<AgentSession> {
    return this.#sessions.values()
  }

  [Symbol.dispose](): void {
    this.#sweeping?.[Symbol.dispose]()
    for (const session of [...this.#sessions.values()]) session[Symbol.dispose]()
  }

  #longestAtRest(): AgentSession | undefined {
    const [first, ...others] = this.#sessions.values()
    return others.reduce(
      (oldest, one) => (one.usedAt < (oldest?.usedAt ?? 0) ? one : oldest),
      first,
    )
  }

  #sweepLater(): void {
    this.#sweeping ??= this.#core.time.after(SWEEP_MS, () => {
      this.#sweeping = undefined
      const latest = this.#core.time.monotonic() - SESSION_IDLE_MS
      for (const session of [...this.#sessions.values()])
        if (session.usedAt <= latest) session[Symbol.dispose]()
      if (this.#sessions.size > 0) this.#sweepLater()
    })
  }
}
