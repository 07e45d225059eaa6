import type { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import type {
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from '../../../../src-shared/domain/agents/capability'
import type { HiddenReason } from '../../tools/directory/hidden-tool'
import type { ResolvedTool } from '../../tools/directory/tool-directory'
import { LONGEST_EXPOSED } from '../../tools/names/tool-names'

/** A server that an agent is shown, in the order of installations. */
export type ShownServer = {
  readonly installationId: string
  readonly alias: string
  readonly name: string
}

export type AgentListedTool = {
  readonly exposedName: string
  readonly resolved: ResolvedTool
  /** As its server gave it, with the exposed name in the place of its own: calls are validated against it. */
  readonly definition: Tool
  readonly listed: Tool
  /** The server's own name of each argument that is listed under another. */
  readonly ownNames: ReadonlyMap<string, string>
}

/** A prompt that an agent can get, as its server gave it, with the exposed name in the place of its own. */
export type AgentListedPrompt = {
  readonly exposedName: string
  readonly installationId: string
  readonly ownName: string
  readonly definition: Prompt
}

/** A resource, or a template of them, and the server that is asked for it. */
export type AgentListedResource = {
  readonly installationId: string
  readonly resource: Resource
  /** The URI at its server, where the agent has another because several servers claim it. */
  readonly ownUri?: string
}
export type AgentListedTemplate = {
  readonly installationId: string
  readonly template: ResourceTemplate
}

/** What an agent is shown at one moment; it never changes. A part that did not change since the listing before is the same object. */
export type AgentListing = {
  readonly servers: readonly ShownServer[]
  /** What the agent can call, in the order of servers and of their lists. */
  readonly callable: readonly AgentListedTool[]
  /** The same by the names that the agent knows. */
  readonly byName: ReadonlyMap<string, AgentListedTool>
  /** What its list says that it can call: the definitions of these, or the two of the search mode. */
  readonly definitions: readonly Tool[]
  /** By their prefixed names, why tools of its servers are hidden. */
  readonly hidden: ReadonlyMap<string, HiddenReason>
  /** Chosen tools beyond the tool limit of the profile (C3). */
  readonly overCap: number
  readonly prompts: readonly AgentListedPrompt[]
  readonly resources: readonly AgentListedResource[]
  readonly templates: readonly AgentListedTemplate[]
  /** By the URI of a `ui://` resource: the servers whose tools are drawn with it. */
  readonly uiOwners: ReadonlyMap<string, readonly string[]>
  /** Own names that several tools of the profile have, folded, with what each of these is called instead. */
  readonly sharedNames: ReadonlyMap<string, readonly string[]>
}

/** To whom plain names belong, by the folded name; see `agentNames`. */
export type PlainOwners = Map<string, string>

/** Something that may be shown to an agent under its own name or under `ALIAS__NAME`. */
export type NamedOffer = {
  readonly installationId: string
  readonly ownName: string
  readonly prefixedName: string
}

/** The longest plain name, and names that nothing can have. */
type NameBounds = { readonly limit?: number; readonly reserved?: readonly string[] }

/** Characters of a tool's name that the APIs of models accept. */
const EXPOSABLE = /^[A-Za-z0-9_-]+$/
/** Most names that are remembered for one agent: a server may list others all the time. */
const MOST_OWNERS = 20_000

/**
 * What an agent calls each of `offers`: with `plain`, the own name where nothing else of the profile, shown or not, has it.
 * A name never passes from one to another: who had it first in this run (`owners`) is the only one that gets it again.
 */
export function agentNames(
  offers: readonly NamedOffer[],
  naming: AgentProfile['naming'],
  owners: PlainOwners,
  { limit = LONGEST_EXPOSED, reserved = [] }: NameBounds = {},
): string[] {
  if (naming === 'prefixed') return offers.map(({ prefixedName }) => prefixedName)
  const claims = claimsOf(offers)
  const taken = new Set([...offers.map(({ prefixedName }) => fold(prefixedName)), ...reserved])
  return offers.map(({ installationId, ownName, prefixedName }) => {
    const folded = fold(ownName)
    const isFree = claims.get(folded)?.length === 1 && !taken.has(folded)
    if (!isFree || ownName.length > limit || !EXPOSABLE.test(ownName)) return prefixedName
    const own = `${installationId} ${ownName}`
    const owner = owners.get(folded) ?? (owners.size < MOST_OWNERS ? own : undefined)
    if (owner !== own) return prefixedName
    owners.set(folded, own)
    return ownName
  })
}

/** A name as names are compared: without case. */
export function fold(name: string): string {
  return name.toLowerCase()
}

/** By the folded own name, the prefixed names of all that have it. */
export function claimsOf(offers: readonly NamedOffer[]): Map<string, string[]> {
  const claims = Map.groupBy(offers, ({ ownName }) => fold(ownName))
  return new Map(
    [...claims].map(([name, all]) => [name, all.map(({ prefixedName }) => prefixedName)]),
  )
}
