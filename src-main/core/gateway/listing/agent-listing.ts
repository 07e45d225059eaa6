import type {
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from '../../../../src-shared/domain/agents/capability'
import type { PlacedTool } from '../../tools/directory/placed-server'

/** A server that an agent is shown, in the order of installations. */
export type ShownServer = {
  readonly installationId: string
  readonly alias: string
  readonly name: string
}

/** A tool that an agent can call. */
export type AgentListedTool = {
  readonly exposedName: string
  readonly placed: PlacedTool
  /** As its server gave it, with the exposed name in the place of its own: calls are validated against it. */
  readonly definition: Tool
  /** As the agent lists it. */
  readonly listed: Tool
  /** The server's own name of each argument that is listed under another. */
  readonly ownNames: ReadonlyMap<string, string>
}

/** A prompt that an agent can get, as its server gave it, with the exposed name in the place of its own. */
export type AgentListedPrompt = {
  readonly exposedName: string
  readonly installationId: string
  /** What its server calls it. */
  readonly ownName: string
  readonly definition: Prompt
}

/** A resource, or a template of them, and the server that is asked for it. */
export type AgentListedResource = {
  readonly installationId: string
  readonly resource: Resource
  /** The URI at its server, where the agent has another because several servers list the same. */
  readonly ownUri?: string
}
export type AgentListedTemplate = {
  readonly installationId: string
  readonly template: ResourceTemplate
}

/** By the URI of a `ui://` resource: the server that is asked for it, by its id; undefined where it cannot be told whose it is. */
export type UiOwners = ReadonlyMap<string, string | undefined>

/** What a server lists and agents are not shown, as a sentence for its log. */
export type LeftOut = { readonly installationId: string; readonly words: string }

/** The lists of a listing. One that did not change since the listing before is the same object. */
export type ListingContent = {
  readonly servers: readonly ShownServer[]
  /** What the agent can call, in the order of servers and of their lists. */
  readonly callable: readonly AgentListedTool[]
  /** What it is told that it can call: the definitions of these, or the two of the search mode. */
  readonly definitions: readonly Tool[]
  /** Chosen tools beyond the tool limit of the profile (C3). */
  readonly overCap: number
  readonly prompts: readonly AgentListedPrompt[]
  readonly resources: readonly AgentListedResource[]
  readonly templates: readonly AgentListedTemplate[]
  readonly uiOwners: UiOwners
  readonly leftOut: readonly LeftOut[]
  /** Own names that several tools of the profile have, folded, with what each of these is called instead. */
  readonly sharedNames: ReadonlyMap<string, readonly string[]>
}

/** What an agent is shown at one moment; it never changes. */
export type AgentListing = ListingContent & {
  /** No other listing of this run has it. */
  readonly generation: number
  /** What can be called by the names that the agent knows. */
  readonly byName: ReadonlyMap<string, AgentListedTool>
}

/** The listing with this content. */
export function agentListing(generation: number, content: ListingContent): AgentListing {
  const byName = new Map(content.callable.map((tool) => [tool.exposedName, tool]))
  return { ...content, generation, byName }
}
