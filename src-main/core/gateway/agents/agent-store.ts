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
import { type Found, putAside, readOwnJson, unwritable, writeOwnJson } from '../../storage/own-file'
import { agentSecretName } from './agent-secret-name'

/** What became of an agent. With `keyRenewed` and `removed` open connections have no right to it any more. */
type AgentEvent = {
  readonly kind: 'added' | 'changed' | 'keyRenewed' | 'removed'
  readonly agentId: string
}

/** A tool that an agent may call without an approval, and what names it. */
type AllowedTool = Agent['allowed'][number]
export type ToolRef = Pick<AllowedTool, 'installationId' | 'tool'>

export type AgentStoreOptions = {
  readonly file: string
  readonly secrets: SecretBackend
  readonly clock: Pick<Timekeeper, 'now' | 'after'>
  /** The file can't be used, or not be read now, so that no agent has access: why, once. */
  readonly onLost: (kind: 'lost' | 'unreadable', reason: string) => void
  /** The key of a removed agent is void and still in the secret store: a sentence. */
  readonly onKeyLeft: (agent: Agent, message: string) => void
  /** What was revoked holds but isn't written: why, as a sentence; undefined as soon as it is. */
  readonly onUnsaved: (message: string | undefined) => void
}

const MOST_AGENTS = 100
const MOST_ALLOWED = 10_000
const MOST_RETIRED = 1_000
const MOST_BYTES = 32 * 1024 * 1024
const LONGEST_ID = 40
const KEY_BYTES = 32
/** After a disk that took nothing, in ms. */
const WRITE_AGAIN_AFTER_MS = 30_000
/** Of `pb_` and 32 bytes in base64url. */
const KEY_LENGTH = 46

const AgentDocument = z.object({
  version: z.literal(1),
  agents: z
    .array(Agent)
    .max(MOST_AGENTS)
    .refine((agents) => new Set(agents.map(({ agentId }) => agentId)).size === agents.length),
  /** Ids of agents that were removed, the last one last: an app that still names one must not become another agent. */
  retired: z.array(AgentId).max(MOST_RETIRED).default([]),
})
type AgentDocument = z.infer<typeof AgentDocument>

/** The agents that may use the gateway, in the order in which they were added. They are never changed in place. Changes throw NOT_FOUND, and those that give a right SETTINGS_UNWRITABLE: what takes one away holds immediately, and is written as soon as the disk takes it. */
export class AgentStore implements Disposable {
  readonly #found: Found<AgentDocument>
  readonly #changed = new Emitter<AgentEvent>()
  /** Keys are written one after the other, so that the last one written is the one whose hash is kept. */
  readonly #inTurn = pLimit(1)
  #holdsLost: boolean
  #agents: readonly Agent[] = []
  #retired: readonly string[] = []
  readonly #unsaved: ErrorLatch
  #writingAgain: Disposable | undefined

  /** Fires when the change holds. */
  readonly onDidChange = this.#changed.event

  constructor(private readonly options: AgentStoreOptions) {
    this.#unsaved = new ErrorLatch(options.onUnsaved)
    const found = readOwnJson(options.file, AgentDocument, MOST_BYTES)
    this.#found = found
    this.#holdsLost = found.kind === 'lost'
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

  /** Finds the key's owner in a time that does not depend on it. */
  byKey(key: string): Agent | undefined {
    if (key.length !== KEY_LENGTH) return undefined
    const digest = hash('sha256', key, 'buffer')
    let owner: Agent | undefined
    for (const agent of this.#agents)
      if (timingSafeEqual(Buffer.from(agent.keyHash, 'hex'), digest)) owner = agent
    return owner
  }

  /** The id that an agent of this name would get now. Throws NAME_TAKEN or INVALID_VALUES. */
  nextId(wanted: string): string {
    const taken = [...this.#agents.map((one) => one.agentId), ...this.#retired]
    return agentIdFor(this.#freeName(wanted), new Set(taken))
  }

  /** The key is returned here and never again. Rejects with NAME_TAKEN, INVALID_VALUES, SECRET_STORE_FAILED or SETTINGS_UNWRITABLE. */
  add(wanted: string, profile: AgentProfile): Promise<{ agentId: string; key: string }> {
    return this.#inTurn(async () => {
      if (this.#agents.length >= MOST_AGENTS)
        throw new AppError('INVALID_VALUES', `The limit of ${MOST_AGENTS} agents is reached.`, {
          hint: 'Remove an agent that you no longer use.',
        })
      const [name, agentId] = [this.#freeName(wanted), this.nextId(wanted)]
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

  /** Rejects with NOT_FOUND, SECRET_STORE_FAILED or SETTINGS_UNWRITABLE; the old key holds then. */
  renewKey(agentId: string): Promise<string> {
    return this.#inTurn(async () => {
      this.read(agentId)
      const key = await this.#storeKey(agentId, (hashes) => this.#replace(agentId, () => hashes))
      this.#changed.emit({ kind: 'keyRenewed', agentId })
      return key
    })
  }

  /** Throws NAME_TAKEN and INVALID_VALUES too. */
  rename(agentId: string, name: string): void {
    this.#change(agentId, () => ({ name: this.#freeName(name, agentId) }))
  }

  setProfile(agentId: string, profile: AgentProfile): void {
    this.#change(agentId, () => ({ profile }))
  }

  /** Whether an agent may know the gateway by its address, which must not change then. */
  get usesHttp(): boolean {
    return this.#agents.some(({ usedHttp = true }) => usedHttp)
  }

  /** The agent connected by the gateway's address. */
  noteHttp(agentId: string): void {
    if (this.#agents.find((one) => one.agentId === agentId)?.usedHttp !== false) return
    this.#agents = this.#agents.map((one) =>
      one.agentId === agentId ? { ...one, usedHttp: true } : one,
    )
    this.#writeSoon()
  }

  allow(agentId: string, tools: readonly AllowedTool[]): void {
    this.#change(agentId, ({ allowed }) => {
      const others = allowed.filter((one) => !tools.some((tool) => isSameTool(one, tool)))
      return { allowed: [...others, ...tools].slice(-MOST_ALLOWED) }
    })
  }

  /** Asks for an approval of a tool again, or of all. */
  revoke(agentId: string, tool?: ToolRef): void {
    const before = this.read(agentId)
    const allowed = tool ? before.allowed.filter((one) => !isSameTool(one, tool)) : []
    this.#agents = this.#agents.map((one) => (one === before ? { ...before, allowed } : one))
    this.#writeSoon()
    this.#changed.emit({ kind: 'changed', agentId })
  }

  /** Its key is void when this returns; settles when it is out of the secret store as well. Rejects with NOT_FOUND. */
  async remove(agentId: string): Promise<void> {
    const { secrets, onKeyLeft } = this.options
    const agent = this.read(agentId)
    this.#agents = this.#agents.filter((one) => one !== agent)
    this.#retired = [...this.#retired, agentId]
    this.#writeSoon()
    this.#changed.emit({ kind: 'removed', agentId })
    await this.#inTurn(async () => {
      try {
        await secrets.delete(agentSecretName(agentId))
      } catch (error) {
        onKeyLeft(agent, messageOf(error))
      }
    })
  }

  /** Writes what waits, if the disk takes it now. */
  [Symbol.dispose](): void {
    if (this.#unsaved.isThere) this.#writeSoon()
    this.#writingAgain?.[Symbol.dispose]()
  }

  /** Writes what holds already, now or when the disk takes it; never throws. */
  #writeSoon(): void {
    this.#writingAgain?.[Symbol.dispose]()
    try {
      this.#write(this.#agents)
    } catch (error) {
      this.#writingAgain = this.options.clock.after(WRITE_AGAIN_AFTER_MS, () => this.#writeSoon())
      this.#unsaved.set(messageOf(error))
    }
  }

  /** Puts a new key into the secret store and has its hash written; where that fails, the store holds what it held before. */
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
      // A key is random, so that nothing slower is needed.
      write({ keyHash: hash('sha256', key, 'hex'), keyTail: key.slice(-4) })
    } catch (error) {
      // Why it failed first is what helps.
      const back = before === null ? secrets.delete(name) : secrets.set(name, before)
      await back.catch((late: unknown) => reportFailure(`the key of ${agentId}`, late))
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

  /** A corrupt file is kept as `….bad` in the same folder; one that can't be read is never overwritten. */
  #write(agents: readonly Agent[], retired = this.#retired): void {
    const { file } = this.options
    try {
      if (this.#found.kind === 'unreadable') throw new Error(this.#found.reason)
      if (this.#holdsLost) putAside(file)
      this.#holdsLost = false
      const kept = retired.slice(-MOST_RETIRED)
      writeOwnJson(file, { version: 1, agents, retired: kept }, MOST_BYTES)
    } catch (cause) {
      throw unwritable(file, cause)
    }
    this.#agents = agents
    this.#retired = retired
    this.#unsaved.set(undefined)
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

/** The name in lower case with `-` for what an id may not hold, and the first free number behind it where it is `taken`. */
export function agentIdFor(name: string, taken: ReadonlySet<string>): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const slug = trimmed(plain.replace(/[^a-z0-9]+/gu, '-'), LONGEST_ID) || 'agent'
  let agentId = slug
  // One of them is free: there are more tries than ids.
  for (let number = 2; taken.has(agentId); number += 1) {
    const tail = `-${String(number)}`
    agentId = trimmed(slug, LONGEST_ID - tail.length) + tail
  }
  return agentId
}

function trimmed(slug: string, longest: number): string {
  return slug.replace(/^-+/u, '').slice(0, longest).replace(/-+$/u, '')
}

function isSameTool(one: ToolRef, other: ToolRef): boolean {
  return one.installationId === other.installationId && one.tool === other.tool
}
