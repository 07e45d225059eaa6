import pLimit from 'p-limit'

import type { Agent } from '../../../../src-shared/domain/agents/agent'
import type { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import { AppError } from '../../../../src-shared/domain/app-error'
import { cleanLine } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { messageOf } from '../../failure/describe-failure'
import { Emitter } from '../../lifecycle/emitter'
import type { Clock, SecretBackend } from '../../ports'
import { AgentFile, MOST_AGENTS } from './agent-file'
import { agentIdFor } from './agent-id'
import { hashOfKey, newAgentKey, ownerOfKey } from './agent-key'
import { agentSecretName } from './agent-secret-name'

/** What became of an agent. With `keyRenewed` and `removed` whoever is connected has no right to it any more. */
export type AgentEvent = {
  readonly kind: 'added' | 'changed' | 'keyRenewed' | 'removed'
  readonly agentId: string
}

/** A tool that an agent may call without a question. */
export type AllowedTool = Agent['allowed'][number]

export type AgentStoreOptions = {
  /** Absolute path of the file that keeps agents. */
  readonly file: string
  /** Where keys lie, under `agent/ID`. */
  readonly secrets: SecretBackend
  readonly clock: Clock
  /** What is kept of agents cannot be used, or not be read now, so that none has access: why, once. */
  readonly onLost: (kind: 'lost' | 'unreadable', reason: string) => void
  /** The key of a removed agent is void and still in the secret store: a sentence. */
  readonly onKeyLeft: (agent: Agent, message: string) => void
}

const MOST_ALLOWED = 10_000

/** The agents that may use the gateway, in the order in which they were added. What one gets is never changed in place. */
export class AgentStore {
  readonly #options: AgentStoreOptions
  readonly #file: AgentFile
  readonly #changed = new Emitter<AgentEvent>()
  /** Keys are written one after the other, so that the last one written is the one whose hash is kept. */
  readonly #inTurn = pLimit(1)
  #agents: readonly Agent[] = []
  #retired: readonly string[] = []
  #hashes: ReadonlyMap<string, Buffer> = new Map()

  /** Fires when it is written. */
  readonly onDidChange = this.#changed.event

  constructor(options: AgentStoreOptions) {
    this.#options = options
    this.#file = new AgentFile(options.file)
    const { found } = this.#file
    if (found.kind === 'there') this.#take(found.value.agents, found.value.retired)
    if (found.kind === 'lost' || found.kind === 'unreadable')
      options.onLost(found.kind, found.reason)
  }

  get agents(): readonly Agent[] {
    return this.#agents
  }

  find(agentId: string): Agent | undefined {
    return this.#agents.find((one) => one.agentId === agentId)
  }

  /** Throws NOT_FOUND. */
  read(agentId: string): Agent {
    const agent = this.find(agentId)
    if (!agent) throw new AppError('NOT_FOUND', 'This agent was removed.')
    return agent
  }

  /** Whose key it is; in a time that does not depend on it. */
  byKey(key: string): Agent | undefined {
    const agentId = ownerOfKey(key, this.#hashes)
    return agentId === undefined ? undefined : this.find(agentId)
  }

  /** The id that an agent of this name would get now. Throws NAME_TAKEN or INVALID_VALUES. */
  nextId(wanted: string): string {
    return this.#freeId(this.#freeName(wanted))
  }

  /** The key is told here and never again. Rejects with NAME_TAKEN, INVALID_VALUES, SECRET_STORE_FAILED or SETTINGS_UNWRITABLE. */
  add(wanted: string, profile: AgentProfile): Promise<{ agentId: string; key: string }> {
    return this.#inTurn(async () => {
      if (this.#agents.length >= MOST_AGENTS)
        throw new AppError('INVALID_VALUES', `The limit of ${MOST_AGENTS} agents is reached.`, {
          hint: 'Remove an agent that you no longer use.',
        })
      const name = this.#freeName(wanted)
      const agentId = this.#freeId(name)
      const key = newAgentKey()
      const agent: Agent = {
        agentId,
        name,
        createdAt: this.#options.clock.now(),
        ...hashes(key),
        profile,
        allowed: [],
      }
      await this.#keepKey(agentId, key, () => this.#write([...this.#agents, agent]))
      this.#changed.emit({ kind: 'added', agentId })
      return { agentId, key }
    })
  }

  /** Rejects with NOT_FOUND, SECRET_STORE_FAILED or SETTINGS_UNWRITABLE; the old key holds then. */
  renewKey(agentId: string): Promise<string> {
    return this.#inTurn(async () => {
      this.read(agentId)
      const key = newAgentKey()
      await this.#keepKey(agentId, key, () => this.#replace(agentId, () => hashes(key)))
      this.#changed.emit({ kind: 'keyRenewed', agentId })
      return key
    })
  }

  /** Throws NOT_FOUND, NAME_TAKEN, INVALID_VALUES or SETTINGS_UNWRITABLE. */
  rename(agentId: string, name: string): void {
    this.#change(agentId, () => ({ name: this.#freeName(name, agentId) }))
  }

  /** Throws NOT_FOUND or SETTINGS_UNWRITABLE. */
  setProfile(agentId: string, profile: AgentProfile): void {
    this.#change(agentId, () => ({ profile }))
  }

  /** Lets tools pass without an approval for good. Throws NOT_FOUND or SETTINGS_UNWRITABLE. */
  allow(agentId: string, tools: readonly AllowedTool[]): void {
    this.#change(agentId, ({ allowed }) => {
      const others = allowed.filter((one) => !tools.some((tool) => isSameTool(one, tool)))
      return { allowed: [...others, ...tools].slice(-MOST_ALLOWED) }
    })
  }

  /** Asks for an approval of a tool again. Throws NOT_FOUND or SETTINGS_UNWRITABLE. */
  revoke(agentId: string, tool: ToolRef): void {
    this.#change(agentId, ({ allowed }) => ({
      allowed: allowed.filter((one) => !isSameTool(one, tool)),
    }))
  }

  /** Throws NOT_FOUND or SETTINGS_UNWRITABLE. */
  forgetAllowed(agentId: string): void {
    this.#change(agentId, () => ({ allowed: [] }))
  }

  /** Its key is void when this returns; settles when it is out of the secret store as well. Rejects with NOT_FOUND or SETTINGS_UNWRITABLE. */
  async remove(agentId: string): Promise<void> {
    const agent = this.read(agentId)
    const others = this.#agents.filter((one) => one !== agent)
    this.#write(others, [...this.#retired, agentId])
    this.#changed.emit({ kind: 'removed', agentId })
    await this.#inTurn(() => this.#forgetKey(agent))
  }

  /** Puts the key into the secret store and has it noted; where that fails, the store holds what it held before. */
  async #keepKey(agentId: string, key: string, note: () => void): Promise<void> {
    const { secrets } = this.#options
    const name = agentSecretName(agentId)
    const before = await secrets.get(name)
    await secrets.set(name, key)
    try {
      note()
    } catch (error) {
      await (before === null ? secrets.delete(name) : secrets.set(name, before))
      throw error
    }
  }

  async #forgetKey(agent: Agent): Promise<void> {
    try {
      await this.#options.secrets.delete(agentSecretName(agent.agentId))
    } catch (error) {
      this.#options.onKeyLeft(agent, messageOf(error))
    }
  }

  #change(agentId: string, change: (agent: Agent) => Partial<Agent>): void {
    this.#replace(agentId, change)
    this.#changed.emit({ kind: 'changed', agentId })
  }

  #replace(agentId: string, change: (agent: Agent) => Partial<Agent>): void {
    const before = this.read(agentId)
    const changed = { ...before, ...change(before) }
    this.#write(this.#agents.map((one) => (one === before ? changed : one)))
  }

  #write(agents: readonly Agent[], retired = this.#retired): void {
    this.#file.write({ agents, retired })
    this.#take(agents, retired)
  }

  #take(agents: readonly Agent[], retired: readonly string[]): void {
    this.#agents = agents
    this.#retired = retired
    this.#hashes = new Map(
      agents.map(({ agentId, keyHash }) => [agentId, Buffer.from(keyHash, 'hex')]),
    )
  }

  #freeId(name: string): string {
    const taken = [...this.#agents.map((one) => one.agentId), ...this.#retired]
    return agentIdFor(name, new Set(taken))
  }

  /** The name as it is shown. Throws INVALID_VALUES where nothing is left of it. */
  #freeName(wanted: string, ownId?: string): string {
    const name = cleanLine(wanted)
    if (name === '') throw new AppError('INVALID_VALUES', 'Enter a name for the agent.')
    const isTaken = this.#agents.some(
      (one) => one.agentId !== ownId && one.name.toLowerCase() === name.toLowerCase(),
    )
    if (!isTaken) return name
    throw new AppError('NAME_TAKEN', `An agent named ${name} already exists.`, {
      hint: 'Choose another name.',
    })
  }
}

function hashes(key: string): Pick<Agent, 'keyHash' | 'keyTail'> {
  return { keyHash: hashOfKey(key), keyTail: key.slice(-4) }
}

/** Names a tool of a server. */
export type ToolRef = Pick<AllowedTool, 'installationId' | 'tool'>

function isSameTool(one: ToolRef, other: ToolRef): boolean {
  return one.installationId === other.installationId && one.tool === other.tool
}
