import type { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import type {
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from '../../../../src-shared/domain/agents/capability'
import type { HiddenReason } from '../../tools/directory/hidden-tool'
import type { ResolvedTool } from '../../tools/directory/tool-directory'
import { MAX_EXPOSED_LENGTH } from '../../tools/names/tool-names'

/** A server that is exposed to an agent, in the order of installations. */
export type ShownServer = {
  readonly installationId: string
  readonly alias: string
  readonly name: string
}

export type AgentListedTool = {
  readonly exposedName: string
  readonly resolved: ResolvedTool
  /** As its server sent it, with the exposed name in place of its own; calls are validated against this. */
  readonly definition: Tool
  readonly listed: Tool
  /** The server's own name of each argument that is listed under another. */
  readonly ownNames: ReadonlyMap<string, string>
}

/** A prompt that an agent can get, as its server sent it, with the exposed name in place of its own. */
export type AgentListedPrompt = {
  readonly exposedName: string
  readonly installationId: string
  readonly ownName: string
  readonly definition: Prompt
}

/** A resource or resource template with the server that has it. */
export type AgentListedResource = {
  readonly installationId: string
  readonly resource: Resource
  /** The URI at its server, if the agent has another because several servers claim it. */
  readonly ownUri?: string
}
export type AgentListedTemplate = {
  readonly installationId: string
  readonly template: ResourceTemplate
}

/**
 * Everything that is exposed to an agent at one moment; immutable. A part that is unchanged since the previous listing is the same object.
 */
export type AgentListing = {
  readonly servers: readonly ShownServer[]
  /** Tools that the agent can call, in the order of servers and of their lists. */
  readonly callable: readonly AgentListedTool[]
  /** The callable tools by the names that the agent knows. */
  readonly byName: ReadonlyMap<string, AgentListedTool>
  /** The tools in the agent's list: the definitions of the callable ones, or the two of search mode. */
  readonly definitions: readonly Tool[]
  /** Why tools of its servers are hidden, by their prefixed names. */
  readonly hidden: ReadonlyMap<string, HiddenReason>
  /** Number of selected tools beyond the profile's tool limit (C3). */
  readonly overCap: number
  readonly prompts: readonly AgentListedPrompt[]
  readonly resources: readonly AgentListedResource[]
  readonly templates: readonly AgentListedTemplate[]
  /** By the URI of a `ui://` resource: the servers whose tools are drawn with it. */
  readonly uiOwners: ReadonlyMap<string, readonly string[]>
  /** By the folded own name that several tools of the profile share: the names they have instead. */
  readonly sharedNames: ReadonlyMap<string, readonly string[]>
}

/** Owners of plain names, by folded name; see `agentNames`. */
export type PlainOwners = Map<string, string>

/** An item that an agent may see under its own name or as `ALIAS__NAME`. */
export type NamedOffer = {
  readonly installationId: string
  readonly ownName: string
  readonly prefixedName: string
}

/** Maximum length of plain names, and names that nothing may have. */
type NameBounds = { readonly limit?: number; readonly reserved?: readonly string[] }

/** Characters of a tool name that model APIs accept. */
const EXPOSABLE = /^[A-Za-z0-9_-]+$/
/** Maximum number of remembered names per agent: a server may keep listing new ones. */
const MAX_OWNERS = 20_000

/**
 * Returns the agent's name of each of `offers`. With `plain`, an item gets its own name if no other item of the profile, exposed or not,
 * has it. A name never moves to another item: only its first owner in this run (`owners`) gets it again.
 */
export function agentNames(
  offers: readonly NamedOffer[],
  naming: AgentProfile['naming'],
  owners: PlainOwners,
  { limit = MAX_EXPOSED_LENGTH, reserved = [] }: NameBounds = {},
): string[] {
  if (naming === 'prefixed') return offers.map(({ prefixedName }) => prefixedName)
  const claims = claimsOf(offers)
  const unavailable = new Set([
    ...offers.map(({ prefixedName }) => fold(prefixedName)),
    ...reserved,
  ])
  return offers.map(({ installationId, ownName, prefixedName }) => {
    const folded = fold(ownName)
    const isAvailable = claims.get(folded)?.length === 1 && !unavailable.has(folded)
    if (!isAvailable || ownName.length > limit || !EXPOSABLE.test(ownName)) return prefixedName
    const claimant = `${installationId} ${ownName}`
    const owner = owners.get(folded) ?? (owners.size < MAX_OWNERS ? claimant : undefined)
    if (owner !== claimant) return prefixedName
    owners.set(folded, claimant)
    return ownName
  })
}

/** Normalizes a name for comparison: ignores case. */
export function fold(name: string): string {
  return name.toLowerCase()
}

/** Groups the prefixed names of all items by their folded own name. */
export function claimsOf(offers: readonly NamedOffer[]): Map<string, string[]> {
  const claims = Map.groupBy(offers, ({ ownName }) => fold(ownName))
  return new Map(
    [...claims].map(([name, all]) => [name, all.map(({ prefixedName }) => prefixedName)]),
  )
}
