import type { CallOutcome } from '../../../../src-shared/domain/agents/activity'
import type { AgentView } from '../../../../src-shared/domain/agents/agent'
import { Emitter } from '../../lifecycle/emitter'
import type { Clock } from '../../ports'

/** What an agent did since Patchbay runs. */
export type Presence = Pick<AgentView, 'lastSeenAt' | 'app' | 'calls' | 'errors' | 'listedAt'>

const NONE: Presence = { calls: 0, errors: 0 }
/** What a person or the agent itself ended is no failure. */
const WELL: readonly CallOutcome[] = ['ok', 'denied', 'cancelled']

/** Who of the agents is there, and what they do. */
export class AgentPresence {
  readonly #present = new Map<string, Presence>()
  readonly #changed = new Emitter<undefined>()

  /** Fires with every request: whoever follows it takes his time. */
  readonly onDidChange = this.#changed.event

  constructor(private readonly clock: Clock) {}

  of(agentId: string): Presence {
    return this.#present.get(agentId) ?? NONE
  }

  /** It asked for something. */
  seen(agentId: string): void {
    this.#set(agentId, { lastSeenAt: this.clock.now() })
  }

  /** It called something, which ended so. */
  called(agentId: string, outcome: CallOutcome): void {
    const { calls, errors } = this.of(agentId)
    this.#set(agentId, { calls: calls + 1, errors: errors + (WELL.includes(outcome) ? 0 : 1) })
  }

  /** It asked for its tools. */
  listed(agentId: string): void {
    this.#set(agentId, { listedAt: this.clock.now() })
  }

  /** It told what it is; text of its own, to be shown as text. */
  named(agentId: string, app: NonNullable<Presence['app']>): void {
    this.#set(agentId, { app })
  }

  /** It was removed. */
  forget(agentId: string): void {
    this.#present.delete(agentId)
    this.#changed.emit(undefined)
  }

  #set(agentId: string, change: Partial<Presence>): void {
    this.#present.set(agentId, { ...this.of(agentId), ...change })
    this.#changed.emit(undefined)
  }
}
