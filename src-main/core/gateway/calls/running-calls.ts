import type { RunningCall } from '../../../../src-shared/domain/agents/activity'
import type { ResultText } from '../../mcp/json/result-text'
import type { Clock } from '../../ports'
import type { NewCall } from '../audit/audit-call'
import { type Call, recorded } from './agent-request'

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

  constructor(
    private readonly clock: Clock,
    /** Masks the secrets of a server. */
    private readonly mask: (text: string, installationId: string | undefined) => string,
    /** The call log, which gets each call when it is over; neither throws nor waits. */
    private readonly audit: { record(call: NewCall): void },
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

  /** Counts a call while it works, and records how that ended. */
  async run(
    call: Call,
    cancel: (reason: string) => void,
    work: () => Promise<ResultText>,
  ): Promise<ResultText> {
    this.#lastId += 1
    const running = { runId: this.#lastId, at: this.clock.now(), call, cancel }
    this.#running.push(running)
    try {
      return await recorded(this.audit, call, work)
    } finally {
      this.#running.splice(this.#running.indexOf(running), 1)
    }
  }

  /** Gives a call up; nothing where it is over. */
  cancel(runId: number): void {
    this.#running.find((one) => one.runId === runId)?.cancel(CANCELED_BY_USER)
  }
}
