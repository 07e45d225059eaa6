import { isDeepStrictEqual } from 'node:util'

import type { Agent, AgentProfile } from '../../../../src-shared/domain/agents/agent'
import { AppError } from '../../../../src-shared/domain/app-error'
import type { Tools } from '../../tools/tools'
import { type AgentListing, agentListing, type ListingContent } from './agent-listing'
import { buildListing, type ListingSources, type NameOwners } from './build-listing'

export type AgentListingsParts = {
  readonly tools: Pick<Tools, 'snapshot' | 'capabilitiesOf'>
  readonly agents: () => { find(agentId: string): Agent | undefined }
  /** Of a server, as its person calls it. */
  readonly nameOf: (installationId: string) => string
  /** What a server lists is not shown, which is told once: a sentence. */
  readonly onLeftOut: (installationId: string, words: string) => void
}

/** Sentences that are told in one run: a server may list others all the time. */
const MOST_TOLD = 1_000

type Kept = {
  readonly listing: AgentListing
  /** Of the directory that it was made of. */
  readonly madeOf: number
}

/**
 * What every agent is shown, made anew only when servers, tools or its profile changed (C5). Agents whose profiles show
 * the same share one listing. Reading never waits.
 */
export class AgentListings {
  readonly #parts: AgentListingsParts
  /** By what of a profile and of its agent decides what is shown. */
  readonly #kept = new Map<string, Kept>()
  readonly #keys = new Map<string, { readonly profile: AgentProfile; readonly key: string }>()
  readonly #owners = new Map<string, NameOwners>()
  readonly #told = new Set<string>()
  #generation = 0

  constructor(parts: AgentListingsParts) {
    this.#parts = parts
  }

  /** Throws NOT_FOUND. */
  of(agentId: string): AgentListing {
    const agent = this.#parts.agents().find(agentId)
    if (!agent) {
      this.forget(agentId)
      throw new AppError('NOT_FOUND', 'This agent was removed.')
    }
    return this.#current(this.#keyOf(agent), agent)
  }

  /** What an agent would be shown with this profile; nothing is kept of it. */
  preview(agentId: string, profile: AgentProfile): AgentListing {
    const { tools = new Map<string, string>(), prompts = new Map<string, string>() } =
      this.#owners.get(agentId) ?? {}
    const owners = { tools: new Map(tools), prompts: new Map(prompts) }
    return agentListing(this.#next(), buildListing(this.#sources(), profile, owners))
  }

  /** Gives back what is kept for an agent that is gone. */
  forget(agentId: string): void {
    this.#keys.delete(agentId)
    this.#owners.delete(agentId)
    this.#sweep()
  }

  #current(key: string, { agentId, profile }: Agent): AgentListing {
    const { generation } = this.#parts.tools.snapshot
    const kept = this.#kept.get(key)
    if (kept?.madeOf === generation) return kept.listing
    const made = buildListing(this.#sources(), profile, this.#ownersOf(agentId))
    const content = kept ? settled(kept.listing, made) : made
    const isSame = kept !== undefined && isSameContent(kept.listing, content)
    const listing = isSame ? kept.listing : agentListing(this.#next(), content)
    this.#kept.set(key, { listing, madeOf: generation })
    if (!isSame) this.#tellLeftOut(listing)
    return listing
  }

  #tellLeftOut({ leftOut }: AgentListing): void {
    for (const { installationId, words } of leftOut) {
      const told = `${installationId} ${words}`
      if (this.#told.has(told) || this.#told.size >= MOST_TOLD) continue
      this.#told.add(told)
      this.#parts.onLeftOut(installationId, words)
    }
  }

  #keyOf({ agentId, profile }: Agent): string {
    const known = this.#keys.get(agentId)
    if (known?.profile === profile) return known.key
    const { servers, toolCap, naming, searchMode, simplifiedSchemas } = profile
    // Which plain names an agent knows is its own.
    const whose = naming === 'plain' ? agentId : undefined
    const key = JSON.stringify({ servers, toolCap, naming, searchMode, simplifiedSchemas, whose })
    this.#keys.set(agentId, { profile, key })
    if (known !== undefined && known.key !== key) this.#sweep()
    return key
  }

  #ownersOf(agentId: string): NameOwners {
    const owners = this.#owners.get(agentId) ?? { tools: new Map(), prompts: new Map() }
    this.#owners.set(agentId, owners)
    return owners
  }

  /** Listings that nobody is shown any more. */
  #sweep(): void {
    const used = new Set([...this.#keys.values()].map(({ key }) => key))
    for (const key of this.#kept.keys()) if (!used.has(key)) this.#kept.delete(key)
  }

  #sources(): ListingSources {
    const { tools, nameOf } = this.#parts
    const { snapshot } = tools
    return { snapshot, nameOf, capabilitiesOf: (id) => tools.capabilitiesOf(id) }
  }

  #next(): number {
    this.#generation += 1
    return this.#generation
  }
}

const LISTS = [
  'servers',
  'callable',
  'definitions',
  'prompts',
  'resources',
  'templates',
] as const satisfies (keyof ListingContent)[]

/** What is the same in both is that of `before`. */
function settled(before: ListingContent, now: ListingContent): ListingContent {
  const same = LISTS.filter((list) => isSameList(before[list], now[list]))
  return { ...now, ...Object.fromEntries(same.map((list) => [list, before[list]])) }
}

function isSameContent(before: ListingContent, now: ListingContent): boolean {
  return (
    LISTS.every((list) => before[list] === now[list]) &&
    before.overCap === now.overCap &&
    isDeepStrictEqual(before.sharedNames, now.sharedNames) &&
    isDeepStrictEqual(before.uiOwners, now.uiOwners) &&
    isDeepStrictEqual(before.leftOut, now.leftOut)
  )
}

/** Of tools the place counts, which is the same object until something of it is another; of the rest all that it holds. */
function isSameList(before: readonly unknown[], now: readonly unknown[]): boolean {
  return (
    before.length === now.length &&
    now.every((one, index) => {
      const old = before[index]
      if (isTool(one) && isTool(old)) return one.placed === old.placed && one.listed === old.listed
      return one === old || isDeepStrictEqual(old, one)
    })
  )
}

function isTool(one: unknown): one is ListingContent['callable'][number] {
  return typeof one === 'object' && one !== null && 'placed' in one
}
