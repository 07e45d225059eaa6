import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

import pLimit from 'p-limit'
import * as z from 'zod'

import { Agent, AgentId, type AgentProfile } from '../../../../src-shared/domain/agents/agent'
import { AppError } from '../../../../src-shared/domain/app-error'
import { cleanLine } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { messageOf } from '../../failure/describe-failure'
import { ErrorLatch } from '../../failure/error-latch'
import { reportFailure } from '../../lifecycle/background'
import { Emitter } from '../../lifecycle/emitter'
import type { SecretBackend, Timekeeper } from '../../ports'
import {
  type Found,
  moveToBad,
  readOwnJson,
  unwritable,
  writeOwnJson,
} from '../../storage/own-file'
import { agentSecretName } from './agent-secret-name'

/** A change of an agent. After `keyRenewed` and `removed`, open connections of the agent have no access anymore. */
type AgentEvent = {
  readonly kind: 'added' | 'changed' | 'keyRenewed' | 'removed'
  readonly agentId: string
}

/** A tool that an agent may call without approval, and the members that identify it. */
type AllowedTool = Agent['allowed'][number]
export type ToolRef = Pick<AllowedTool, 'installationId' | 'tool'>

export type AgentStoreOptions = {
  readonly file: string
  readonly secrets: SecretBackend
  readonly clock: Pick<Timekeeper, 'now' | 'after'>
  /** The file is unusable or unreadable, so no agent has access. Called once, with the reason. */
  readonly onLost: (kind: 'lost' | 'unreadable', reason: string) => void
  /** The key of a removed agent is void but still in the secret store; gets a sentence. */
  readonly onKeyLeft: (agent: Agent, message: string) => void
  /** A revocation is in effect but isn't written. Gets the reason as a sentence, and undefined as soon as it is written. */
  readonly onUnsaved: (message: string | undefined) => void
}

const MAX_AGENTS = 100
const MAX_ALLOWED = 10_000
const MAX_RETIRED = 1_000
const MAX_BYTES = 32 * 1024 * 1024
const MAX_ID_LENGTH = 40
const KEY_BYTES = 32
/** Delay before the next attempt after a failed write, in ms. */
const WRITE_RETRY_MS = 30_000
/** Length of `pb_` and 32 bytes in base64url. */
const KEY_LENGTH = 46

const AgentDocument = z.object({
  version: z.literal(1),
  agents: z
    .array(Agent)
    .max(MAX_AGENTS)
    .refine((agents) => new Set(agents.map(({ agentId }) => agentId)).size === agents.length),
  /** Ids of removed agents, newest last. An app that still uses one must not become another agent. */
  retired: z.array(AgentId).max(MAX_RETIRED).default([]),
})
type AgentDocument = z.infer<typeof AgentDocument>

/**
 * The agents that may use the gateway, in the order of their addition; the objects are immutable. Changes throw NOT_FOUND. Changes that
 * grant access also throw SETTINGS_UNWRITABLE; changes that revoke access take effect immediately and are written as soon as the disk
 * works.
 */
export class AgentStore implements Disposable {
  readonly #readResult: Found<AgentDocument>
  readonly #changed = new Emitter<AgentEvent>()
  /** Serializes key writes, so that the last key written matches the stored hash. */
  readonly #keyWrites = pLimit(1)
  #isCorrupt: boolean
  #agents: readonly Agent[] = []
  #retired: readonly string[] = []
  readonly #unsaved: ErrorLatch
  #writeRetry: Disposable | undefined

  /** Fires once the change is in effect. */
  readonly onDidChange = this.#changed.event

  constructor(private readonly options: AgentStoreOptions) {
    this.#unsaved = new ErrorLatch(options.onUnsaved)
    const found = readOwnJson(options.file, AgentDocument, MAX_BYTES)
    this.#readResult = found
    this.#isCorrupt = found.kind === 'lost'
    if (found.kind === 'there') ({ agents: this.#agents, retired: this.#retired } = found.value)
    if (found.kind === 'lost' || found.kind === 'unreadable')
      options.onLost(found.kind, found.reason)
  }

  get agents(): readonly Agent[] {
    return this.#agents
  }

  find(agentId: string): Agent | undefined {
    return this.#agents.find((one) => one.agentId === agentId)
  }

  read(agentId: string): Agent {
    const agent = this.find(agentId)
    if (!agent) throw new AppError('NOT_FOUND', 'This agent was removed.')
    return agent
  }

  /** Finds the key's owner in constant time. */
  byKey(key: string): Agent | undefined {
    if (key.length !== KEY_LENGTH) return undefined
    const digest = hash('sha256', key, 'buffer')
    let owner: Agent | undefined
    for (const agent of this.#agents)
      if (timingSafeEqual(Buffer.from(agent.keyHash, 'hex'), digest)) owner = agent
    return owner
  }

  /** Returns the id that an agent of this name would get now. Throws NAME_TAKEN or INVALID_VALUES. */
  nextId(wanted: string): string {
    const usedIds = [...this.#agents.map((one) => one.agentId), ...this.#retired]
    return agentIdFor(this.#availableName(wanted), new Set(usedIds))
  }

  /**
   * Adds an agent and returns its key, which can't be read again. Rejects with NAME_TAKEN, INVALID_VALUES, SECRET_STORE_FAILED or
   * SETTINGS_UNWRITABLE.
   */
  add(wanted: string, profile: AgentProfile): Promise<{ agentId: string; key: string }> {
    return this.#keyWrites(async () => {
      if (this.#agents.length >= MAX_AGENTS)
        throw new AppError('INVALID_VALUES', `The limit of ${MAX_AGENTS} agents is reached.`, {
          hint: 'Remove an agent that you no longer use.',
        })
      const [name, agentId] = [this.#availableName(wanted), this.nextId(wanted)]
      const createdAt = this.options.clock.now()
      const key = await this.#storeKey(agentId, (hashes) =>
        this.#write([
          ...this.#agents,
          { agentId, name, createdAt, ...hashes, profile, usedHttp: false, allowed: [] },
        ]),
      )
      this.#changed.emit({ kind: 'added', agentId })
      return { agentId, key }
    })
  }

  /** Replaces the agent's key. Rejects with NOT_FOUND, SECRET_STORE_FAILED or SETTINGS_UNWRITABLE; the old key then stays valid. */
  renewKey(agentId: string): Promise<string> {
    return this.#keyWrites(async () => {
      this.read(agentId)
      const key = await this.#storeKey(agentId, (hashes) => this.#replace(agentId, () => hashes))
      this.#changed.emit({ kind: 'keyRenewed', agentId })
      return key
    })
  }

  /** Also throws NAME_TAKEN and INVALID_VALUES. */
  rename(agentId: string, name: string): void {
    this.#change(agentId, () => ({ name: this.#availableName(name, agentId) }))
  }

  setProfile(agentId: string, profile: AgentProfile): void {
    this.#change(agentId, () => ({ profile }))
  }

  /** Whether an agent may use the gateway's address directly; the address must not change then. */
  get usesHttp(): boolean {
    return this.#agents.some(({ usedHttp = true }) => usedHttp)
  }

  /** Records that the agent connected by the gateway's address. */
  recordHttp(agentId: string): void {
    if (this.#agents.find((one) => one.agentId === agentId)?.usedHttp !== false) return
    this.#agents = this.#agents.map((one) =>
      one.agentId === agentId ? { ...one, usedHttp: true } : one,
    )
    this.#writeSoon()
  }

  allow(agentId: string, tools: readonly AllowedTool[]): void {
    this.#change(agentId, ({ allowed }) => {
      const others = allowed.filter((one) => !tools.some((tool) => isSameTool(one, tool)))
      return { allowed: [...others, ...tools].slice(-MAX_ALLOWED) }
    })
  }

  /** Revokes the standing approval of a tool, or of all tools. */
  revoke(agentId: string, tool?: ToolRef): void {
    const before = this.read(agentId)
    const allowed = tool ? before.allowed.filter((one) => !isSameTool(one, tool)) : []
    this.#agents = this.#agents.map((one) => (one === before ? { ...before, allowed } : one))
    this.#writeSoon()
    this.#changed.emit({ kind: 'changed', agentId })
  }

  /** Removes an agent. Its key is void when this returns; settles when the key is also out of the secret store. Rejects with NOT_FOUND. */
  async remove(agentId: string): Promise<void> {
    const { secrets, onKeyLeft } = this.options
    const agent = this.read(agentId)
    this.#agents = this.#agents.filter((one) => one !== agent)
    this.#retired = [...this.#retired, agentId]
    this.#writeSoon()
    this.#changed.emit({ kind: 'removed', agentId })
    await this.#keyWrites(async () => {
      try {
        await secrets.delete(agentSecretName(agentId))
      } catch (error) {
        onKeyLeft(agent, messageOf(error))
      }
    })
  }

  /** Writes pending changes if the disk works now. */
  [Symbol.dispose](): void {
    if (this.#unsaved.isThere) this.#writeSoon()
    this.#writeRetry?.[Symbol.dispose]()
  }

  /** Writes changes that are already in effect, now or when the disk works again; never throws. */
  #writeSoon(): void {
    this.#writeRetry?.[Symbol.dispose]()
    try {
      this.#write(this.#agents)
    } catch (error) {
      this.#writeRetry = this.options.clock.after(WRITE_RETRY_MS, () => this.#writeSoon())
      this.#unsaved.set(messageOf(error))
    }
  }

  /** Stores a new key in the secret store and has its hash written; restores the old key if that fails. */
  async #storeKey(
    agentId: string,
    write: (hashes: Pick<Agent, 'keyHash' | 'keyTail'>) => void,
  ): Promise<string> {
    const { secrets } = this.options
    const key = `pb_${randomBytes(KEY_BYTES).toString('base64url')}`
    const name = agentSecretName(agentId)
    const before = await secrets.get(name)
    await secrets.set(name, key)
    try {
      // The key is random, so a slow hash isn't needed.
      write({ keyHash: hash('sha256', key, 'hex'), keyTail: key.slice(-4) })
    } catch (error) {
      // Report the first failure: it is the useful one.
      const restored = before === null ? secrets.delete(name) : secrets.set(name, before)
      await restored.catch((restoreError: unknown) =>
        reportFailure(`the key of ${agentId}`, restoreError),
      )
      throw error
    }
    return key
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

  /** Keeps a corrupt file as `….bad` in the same folder; never overwrites an unreadable one. */
  #write(agents: readonly Agent[], retired = this.#retired): void {
    const { file } = this.options
    try {
      if (this.#readResult.kind === 'unreadable') throw new Error(this.#readResult.reason)
      if (this.#isCorrupt) moveToBad(file)
      this.#isCorrupt = false
      const retained = retired.slice(-MAX_RETIRED)
      writeOwnJson(file, { version: 1, agents, retired: retained }, MAX_BYTES)
    } catch (cause) {
      throw unwritable(file, cause)
    }
    this.#agents = agents
    this.#retired = retired
    this.#unsaved.set(undefined)
  }

  /** Returns the name as it is shown. Throws INVALID_VALUES if nothing is left of it. */
  #availableName(wanted: string, currentId?: string): string {
    const name = cleanLine(wanted)
    if (name === '') throw new AppError('INVALID_VALUES', 'Enter a name for the agent.')
    const isTaken = this.#agents.some(
      (one) => one.agentId !== currentId && one.name.toLowerCase() === name.toLowerCase(),
    )
    if (!isTaken) return name
    throw new AppError('NAME_TAKEN', `An agent named ${name} already exists.`, {
      hint: 'Choose another name.',
    })
  }
}

/** Returns the name in lower case with `-` for characters that an id can't have, plus the first free number if that is `usedIds`. */
export function agentIdFor(name: string, usedIds: ReadonlySet<string>): string {
  const normalized = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const slug = trimmed(normalized.replace(/[^a-z0-9]+/gu, '-'), MAX_ID_LENGTH) || 'agent'
  let agentId = slug
  // The loop always finds a free one: there are more candidates than ids.
  for (let number = 2; usedIds.has(agentId); number += 1) {
    const tail = `-${String(number)}`
    agentId = trimmed(slug, MAX_ID_LENGTH - tail.length) + tail
  }
  return agentId
}

function trimmed(slug: string, maxLength: number): string {
  return slug.replace(/^-+/u, '').slice(0, maxLength).replace(/-+$/u, '')
}

function isSameTool(one: ToolRef, other: ToolRef): boolean {
  return one.installationId === other.installationId && one.tool === other.tool
}
