import { isDeepStrictEqual } from 'node:util'

import type { Agent, AgentProfile } from '../../../../src-shared/domain/agents/agent'
import { AppError } from '../../../../src-shared/domain/app-error'
import { keepNewest } from '../../lifecycle/keep-newest'
import type { AgentListing } from './agent-listing'
import { buildListing, type ListingSources, type NameOwners } from './build-listing'

export type AgentListingsParts = Omit<ListingSources, 'hide'> & {
  readonly agents: () => { find(agentId: string): Agent | undefined }
  /** Something that a server lists is hidden from agents; called once for each sentence. */
  readonly onLeftOut: (installationId: string, message: string) => void
}

/** Sentences that are reported in one run: a server may list others all the time. */
const MAX_REPORTED = 1_000
/** Listings that are kept, of different profiles. */
const MAX_LISTINGS = 64

/** `madeOf`: the generation of the directory. */
type Kept = { readonly listing: AgentListing; readonly madeOf: number }

/** What is exposed to every agent, built again only when servers, tools or its profile changed (C5). Agents whose profiles expose the same share one listing. Reading never waits. */
export class AgentListings {
  readonly #parts: AgentListingsParts
  readonly #sources: ListingSources
  /** By what of a profile and of its agent decides what is exposed. */
  readonly #kept = new Map<string, Kept>()
  readonly #keys = new WeakMap<Agent, string>()
  readonly #owners = new Map<string, NameOwners>()
  readonly #reported = new Set<string>()

  constructor(parts: AgentListingsParts) {
    this.#parts = parts
    this.#sources = { ...parts, hide: (...hidden) => this.#report(...hidden) }
  }

  of(agentId: string): AgentListing {
    const agent = this.#parts.agents().find(agentId)
    if (!agent) throw new AppError('NOT_FOUND', 'This agent was removed.')
    const { generation: madeOf } = this.#parts.tools.snapshot
    const key = this.#keyOf(agent)
    const kept = this.#kept.get(key)
    if (kept?.madeOf === madeOf) return kept.listing
    const owners = this.#owners.get(agentId) ?? { tools: new Map(), prompts: new Map() }
    this.#owners.set(agentId, owners)
    const built = buildListing(this.#sources, agent.profile, owners)
    const listing = kept ? withUnchanged(kept.listing, built) : built
    keepNewest(this.#kept, key, { listing, madeOf }, MAX_LISTINGS)
    return listing
  }

  /** What would be exposed to an agent with this profile; nothing is kept of it. */
  preview(agentId: string, profile: AgentProfile): AgentListing {
    const { tools, prompts } = this.#owners.get(agentId) ?? {}
    const owners = { tools: new Map(tools), prompts: new Map(prompts) }
    return buildListing(this.#sources, profile, owners)
  }

  forget(agentId: string): void {
    this.#owners.delete(agentId)
  }

  #report(installationId: string, words: string): void {
    const key = `${installationId} ${words}`
    if (this.#reported.has(key) || this.#reported.size >= MAX_REPORTED) return
    this.#reported.add(key)
    this.#parts.onLeftOut(installationId, words)
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

/** `now` with each part that is the same as before as the same object; all of it where nothing changed. */
function withUnchanged(before: AgentListing, now: AgentListing): AgentListing {
  const keys = Object.keys(now) as (keyof AgentListing)[]
  const same = keys.filter((key) => isDeepStrictEqual(before[key], now[key]))
  if (same.length === keys.length) return before
  return { ...now, ...Object.fromEntries(same.map((key) => [key, before[key]])) }
}
