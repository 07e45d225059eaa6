import type { RunningCall } from '../../../../src-shared/domain/agents/activity'
import type { Clock } from '../../ports'
import type { Call } from './agent-request'

/** Why the user gave a call up: the agent, the server and the log read it. */
export const CANCELED_BY_USER = 'The user canceled it in Patchbay.'

/** How long a call runs before it is shown, in ms: most are over by then. */
const SHOWN_MS = 1_000

type Running = {
  readonly runId: number
  readonly at: number
  readonly call: Call
  readonly cancel: (reason: string) => void
}

/** The calls of agents that are under way, for the user. */
export class RunningCalls {
  // No map: V8 keeps all that passed an outgrown one until the next full collection.
  readonly #running: Running[] = []
  #lastId = 0

  /** `mask`: masks the secrets of a server. */
  constructor(
    private readonly clock: Clock,
    private readonly mask: (text: string, installationId: string | undefined) => string,
  ) {}

  /** Those that take long, oldest first. */
  get list(): RunningCall[] {
    const latest = this.clock.now() - SHOWN_MS
    return this.#running
      .filter(({ at }) => at <= latest)
      .map(({ runId, at, call: { agent, method, record } }) => ({
        ...{ runId, at, method, agentName: agent.name },
        serverName: record.serverName,
        target: this.mask(record.target, record.installationId),
      }))
  }

  /** Counts a call until the result is called. */
  begin(call: Call, cancel: (reason: string) => void): () => void {
    this.#lastId += 1
    const running = { runId: this.#lastId, at: this.clock.now(), call, cancel }
    this.#running.push(running)
    return () => void this.#running.splice(this.#running.indexOf(running), 1)
  }

  /** Gives a call up; nothing where it is over. */
  cancel(runId: number): void {
    this.#running.find((one) => one.runId === runId)?.cancel(CANCELED_BY_USER)
  }
}
