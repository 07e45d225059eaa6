import type {
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from '../../../../src-shared/domain/agents/capability'
import type { HiddenReason } from '../../tools/directory/hidden-tool'
import type { ResolvedTool } from '../../tools/directory/resolved-server'

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
  /** What it is told that it can call: the definitions of these, or the two of the search mode. */
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
