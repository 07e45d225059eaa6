import * as z from 'zod'

import { Agent, AgentId } from '../../../../src-shared/domain/agents/agent'
import { type Found, putAside, readOwnJson, writeOwnJson } from '../../storage/own-file'
import { unwritable } from '../../storage/unwritable'

/** Most agents at a time. */
export const MOST_AGENTS = 100
/** Ids of removed agents that are remembered. */
const MOST_RETIRED = 1_000
/** 100 agents whose lists of tools are full have more, and nobody has those. */
const MOST_BYTES = 32 * 1024 * 1024

const AgentDocument = z.object({
  version: z.literal(1),
  agents: z.array(Agent).max(MOST_AGENTS).refine(haveOwnIds),
  /** Ids of agents that were removed, the last one last: a host that still names one must not become another agent. */
  retired: z.array(AgentId).max(MOST_RETIRED).default([]),
})

/** What is kept of agents, and the ids that are not given again. */
export type KeptAgents = {
  readonly agents: readonly Agent[]
  readonly retired: readonly string[]
}

/** The file that agents are kept in, for this account alone. */
export class AgentFile {
  readonly found: Found<KeptAgents>
  #holdsLost: boolean

  constructor(private readonly path: string) {
    this.found = readOwnJson(path, AgentDocument, MOST_BYTES)
    this.#holdsLost = this.found.kind === 'lost'
  }

  /** What was lost is kept beside it, as `….bad`; what cannot be read is never written over. Throws SETTINGS_UNWRITABLE. */
  write({ agents, retired }: KeptAgents): void {
    try {
      if (this.found.kind === 'unreadable') throw new Error(this.found.reason)
      if (this.#holdsLost) putAside(this.path)
      this.#holdsLost = false
      const kept = retired.slice(-MOST_RETIRED)
      writeOwnJson(this.path, { version: 1, agents, retired: kept }, MOST_BYTES)
    } catch (cause) {
      throw unwritable(this.path, cause)
    }
  }
}

function haveOwnIds(agents: readonly Agent[]): boolean {
  return new Set(agents.map(({ agentId }) => agentId)).size === agents.length
}
