import { type CallOutcome, FAILED_OUTCOMES } from '../../../../src-shared/domain/agents/activity'
import type { Agent, AgentTool, AgentView } from '../../../../src-shared/domain/agents/agent'
import { Emitter } from '../../lifecycle/emitter'
import type { Clock } from '../../ports'

type Presence = Pick<AgentView, 'lastSeenAt' | 'app' | 'calls' | 'errors' | 'listedAt'>

/** What an agent sees. `exposed` counts the listed tools; in search mode the agent can call more than these. */
export type ShownTools = {
  readonly exposed: number
  readonly overCap: number
  readonly tools: readonly AgentTool[]
}

const NONE: Presence = { calls: 0, errors: 0 }

export class AgentPresence {
  readonly #present = new Map<string, Presence>()
  readonly #changed = new Emitter<undefined>()

  /** Fires with every request; listeners should throttle. */
  readonly onDidChange = this.#changed.event

  constructor(private readonly clock: Clock) {}

  of(agentId: string): Presence {
    return this.#present.get(agentId) ?? NONE
  }

  seen(agentId: string): void {
    this.#set(agentId, { lastSeenAt: this.clock.now() })
  }

  called(agentId: string, outcome: CallOutcome): void {
    const { calls, errors } = this.of(agentId)
    this.#set(agentId, {
      calls: calls + 1,
      errors: errors + (FAILED_OUTCOMES.includes(outcome) ? 1 : 0),
    })
  }

  listed(agentId: string): void {
    this.#set(agentId, { listedAt: this.clock.now() })
  }

  named(agentId: string, app: NonNullable<Presence['app']>): void {
    this.#set(agentId, { app })
  }

  forget(agentId: string): void {
    this.#present.delete(agentId)
    this.#changed.emit(undefined)
  }

  #set(agentId: string, change: Partial<Presence>): void {
    this.#present.set(agentId, { ...this.of(agentId), ...change })
    this.#changed.emit(undefined)
  }
}

/** Returns the agent as the UI shows it. */
export function agentView(
  agent: Agent,
  { exposed, overCap, tools }: ShownTools,
  presence: Presence,
  connections: number,
): AgentView {
  const { keyHash: _, usedHttp: __, ...shown } = agent
  const areTokensKnown =
    !agent.profile.searchMode && tools.every(({ tokens }) => tokens !== undefined)
  const tokens = tools.reduce((sum, tool) => sum + (tool.tokens ?? 0), 0)
  return {
    ...{ ...shown, exposed, overCap, connections, ...presence },
    tokens: areTokensKnown ? tokens : undefined,
  }
}
