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
export class AgentListing implements ListingContent {
  readonly servers: ListingContent['servers']
  readonly callable: ListingContent['callable']
  readonly definitions: ListingContent['definitions']
  readonly overCap: number
  readonly prompts: ListingContent['prompts']
  readonly resources: ListingContent['resources']
  readonly templates: ListingContent['templates']
  readonly uiOwners: UiOwners
  readonly leftOut: ListingContent['leftOut']
  readonly sharedNames: ListingContent['sharedNames']
  readonly #byName: ReadonlyMap<string, AgentListedTool>
  constructor(
    /** No other listing of this run has it. */
    readonly generation: number,
    content: ListingContent,
  ) {
    this.servers = content.servers
    this.callable = content.callable
    this.definitions = content.definitions
    this.overCap = content.overCap
    this.prompts = content.prompts
    this.resources = content.resources
    this.templates = content.templates
    this.uiOwners = content.uiOwners
    this.leftOut = content.leftOut
    this.sharedNames = content.sharedNames
    this.#byName = new Map(content.callable.map((tool) => [tool.exposedName, tool]))
  }

  /** What can be called by the names that the agent knows. */
  get byName(): ReadonlyMap<string, AgentListedTool> {
    return this.#byName
  }

  /** What the agent lists of prompts; the same list as long as `prompts` is. */
  get promptDefinitions(): readonly Prompt[] {
    return listOnce(this.prompts, ({ definition }) => definition)
  }

  /** What the agent lists of resources; the same list as long as `resources` is. */
  get resourceList(): readonly Resource[] {
    return listOnce(this.resources, ({ resource }) => resource)
  }

  /** What the agent lists of templates, each once; the same list as long as `templates` is. */
  get templateList(): readonly ResourceTemplate[] {
    const known = LISTED.get(this.templates) as readonly ResourceTemplate[] | undefined
    if (known) return known
    const listed = new Map<string, ResourceTemplate>()
    for (const { template } of this.templates)
      if (!listed.has(template.uriTemplate)) listed.set(template.uriTemplate, template)
    const list = [...listed.values()]
    LISTED.set(this.templates, list)
    return list
  }
}

const LISTED = new WeakMap<readonly object[], readonly unknown[]>()

function listOnce<T extends object, U>(all: readonly T[], of: (one: T) => U): readonly U[] {
  const known = LISTED.get(all) as readonly U[] | undefined
  if (known) return known
  const listed = all.map(of)
  LISTED.set(all, listed)
  return listed
}
