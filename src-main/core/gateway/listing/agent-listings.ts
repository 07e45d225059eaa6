import { isDeepStrictEqual } from 'node:util'

import type { Agent, AgentProfile } from '../../../../src-shared/domain/agents/agent'
import { AppError } from '../../../../src-shared/domain/app-error'
import { keepNewest } from '../../lifecycle/keep-newest'
import {
  type AgentListedTool,
  type AgentListing,
  agentListing,
  type ListingContent,
} from './agent-listing'
import { buildListing, type ListingSources, type NameOwners } from './build-listing'

export type AgentListingsParts = ListingSources & {
  readonly agents: () => { find(agentId: string): Agent | undefined }
  /** Something that a server lists is hidden from agents; called once for each sentence. */
  readonly onLeftOut: (installationId: string, message: string) => void
}

/** Sentences that are reported in one run: a server may list others all the time. */
const MAX_REPORTED = 1_000
/** Listings that are kept, of different profiles. */
const MAX_LISTINGS = 64

type Kept = {
  readonly listing: AgentListing
  /** Of the directory that it was made of. */
  readonly madeOf: number
}

/**
 * What is exposed to every agent, made anew only when servers, tools or its profile changed (C5). Agents whose profiles
 * expose the same share one listing. Reading never waits.
 */
export class AgentListings {
  readonly #parts: AgentListingsParts
  /** By what of a profile and of its agent decides what is exposed. */
  readonly #kept = new Map<string, Kept>()
  readonly #keys = new WeakMap<Agent, string>()
  readonly #owners = new Map<string, NameOwners>()
  readonly #reported = new Set<string>()
  #generation = 0

  constructor(parts: AgentListingsParts) {
    this.#parts = parts
  }

  /** Throws NOT_FOUND. */
  of(agentId: string): AgentListing {
    const agent = this.#parts.agents().find(agentId)
    if (!agent) throw new AppError('NOT_FOUND', 'This agent was removed.')
    const { generation: madeOf } = this.#parts.tools.snapshot
    const key = this.#keyOf(agent)
    const kept = this.#kept.get(key)
    if (kept?.madeOf === madeOf) return kept.listing
    const owners = this.#owners.get(agentId) ?? { tools: new Map(), prompts: new Map() }
    this.#owners.set(agentId, owners)
    const listing = this.#made(agent.profile, owners, kept?.listing)
    keepNewest(this.#kept, key, { listing, madeOf }, MAX_LISTINGS)
    if (listing !== kept?.listing) this.#reportHidden(listing)
    return listing
  }

  /** What would be exposed to an agent with this profile; nothing is kept of it. */
  preview(agentId: string, profile: AgentProfile): AgentListing {
    const { tools, prompts } = this.#owners.get(agentId) ?? {}
    return this.#made(profile, { tools: new Map(tools), prompts: new Map(prompts) })
  }

  /** Forgets an agent that was removed. */
  forget(agentId: string): void {
    this.#owners.delete(agentId)
  }

  /** What is the same as `before` is the same object. */
  #made(profile: AgentProfile, owners: NameOwners, before?: AgentListing): AgentListing {
    const content = buildListing(this.#parts, profile, owners)
    const keys = Object.keys(content) as (keyof ListingContent)[]
    const same = before ? keys.filter((key) => isSame(before[key], content[key])) : []
    if (before && same.length === keys.length) return before
    this.#generation += 1
    const unchanged = Object.fromEntries(same.map((key) => [key, before?.[key]]))
    return agentListing(this.#generation, { ...content, ...unchanged })
  }

  #reportHidden({ leftOut }: AgentListing): void {
    for (const { installationId, words } of leftOut) {
      const key = `${installationId} ${words}`
      if (this.#reported.has(key) || this.#reported.size >= MAX_REPORTED) continue
      this.#reported.add(key)
      this.#parts.onLeftOut(installationId, words)
    }
  }

  #keyOf(agent: Agent): string {
    const known = this.#keys.get(agent)
    if (known !== undefined) return known
    const { servers, toolCap, naming, searchMode, simplifiedSchemas } = agent.profile
    // Which plain names an agent knows is its own.
    const owner = naming === 'plain' ? agent.agentId : undefined
    const key = JSON.stringify({ servers, toolCap, naming, searchMode, simplifiedSchemas, owner })
    this.#keys.set(agent, key)
    return key
  }
}

function isSame(before: unknown, now: unknown): boolean {
  if (!Array.isArray(before) || !Array.isArray(now)) return isDeepStrictEqual(before, now)
  return (
    before.length === now.length &&
    now.every((one: unknown, index) => isSameElement(before[index], one))
  )
}

/** Of tools the place counts, which is the same object until something of it changes; of the rest all that it holds. */
function isSameElement(before: unknown, now: unknown): boolean {
  if (isTool(before) && isTool(now))
    return before.placed === now.placed && before.listed === now.listed
  return before === now || isDeepStrictEqual(before, now)
}

function isTool(one: unknown): one is AgentListedTool {
  return typeof one === 'object' && one !== null && 'placed' in one
}
