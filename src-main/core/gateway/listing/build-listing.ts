import type { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import type { Tool } from '../../../../src-shared/domain/agents/capability'
import { isJsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import type { ToolChoice } from '../../../../src-shared/domain/tool-choice'
import { contextField } from '../../tools/context/context-field'
import { agentDefinition, type Definition } from '../../tools/definitions/agent-definition'
import type { PlacedServer, PlacedTool } from '../../tools/directory/placed-server'
import type { DirectorySnapshot } from '../../tools/directory/tool-directory'
import { SEPARATOR } from '../../tools/names/tool-names'
import type { Tools } from '../../tools/tools'
import type {
  AgentListedPrompt,
  AgentListedResource,
  AgentListedTemplate,
  AgentListedTool,
  LeftOut,
  ListingContent,
  ShownServer,
  UiOwners,
} from './agent-listing'
import { agentNames, type PlainOwners, sharedNames } from './agent-names'
import { isUi, normalUri } from './resource-route'
import { SEARCH_NAMES, searchTools } from './search-tools'
import { isForPageOnly, simplifiedTool, toolDefinition } from './tool-definition'

/** Who owns which plain name, of tools and of prompts. */
export type NameOwners = { readonly tools: PlainOwners; readonly prompts: PlainOwners }

export type ListingSources = {
  readonly tools: Pick<Tools, 'snapshot' | 'capabilitiesOf'>
  /** Of a server, as its user calls it. */
  readonly nameOf: (installationId: string) => string
}

/** A server of a profile with what of its tools the profile wants. */
type Chosen = { readonly server: PlacedServer; readonly choice: ToolChoice }

/** What the lists are made from, and what is hidden meanwhile. */
type Build = ListingSources & {
  readonly open: readonly PlacedServer[]
  readonly profile: AgentProfile
  readonly owners: NameOwners
  readonly leftOut: LeftOut[]
}

/** Longest name of a prompt: MCP sets no limit. */
const LONGEST_PROMPT = 1_000
const NO_OTHER_NAMES: AgentListedTool['ownNames'] = new Map()

/** What a profile exposes of all that there is. */
export function buildListing(
  sources: ListingSources,
  profile: AgentProfile,
  owners: NameOwners,
): ListingContent {
  const { nameOf, tools } = sources
  const chosen = chosenServers(tools.snapshot, profile)
  // A server of which its own choice or that of the profile hides everything is not there for the agent.
  const open = chosen
    .filter(({ choice }) => choice.kind !== 'none')
    .map(({ server }) => server)
    .filter(({ isEnabled, choice }) => isEnabled && choice.kind !== 'none')
  const servers = open.map(({ installationId, alias }): ShownServer => {
    return { installationId, alias, name: nameOf(installationId) }
  })
  const listed = listTools(chosen, profile, owners.tools)
  const build: Build = { ...sources, open, profile, owners, leftOut: [] }
  const resources = listResources(build, listed.callable)
  return {
    servers,
    ...listed,
    // A page is drawn for a tool that is listed and called directly.
    definitions: profile.searchMode
      ? [...searchTools(servers), ...listed.callable.filter(hasPage).map((one) => one.listed)]
      : listed.callable.map((one) => one.listed),
    prompts: listPrompts(build),
    ...resources,
    templates: listTemplates(build),
    leftOut: build.leftOut,
  }
}

function chosenServers({ servers }: DirectorySnapshot, profile: AgentProfile): Chosen[] {
  const all = [...servers.values()]
  if (profile.servers.kind !== 'list')
    return all.map((server) => ({ server, choice: { kind: 'all' } }))
  const choices = new Map(
    profile.servers.list.map(({ installationId, choice }) => [installationId, choice]),
  )
  return all.flatMap((server) => {
    const choice = choices.get(server.installationId)
    return choice ? [{ server, choice }] : []
  })
}

function listTools(
  chosen: readonly Chosen[],
  { naming, searchMode, simplifiedSchemas, toolCap, servers }: AgentProfile,
  owners: PlainOwners,
): Pick<ListingContent, 'callable' | 'overCap' | 'sharedNames'> {
  const offers = chosen.flatMap(({ server, choice }) => {
    const names = new Set(choice.kind === 'list' ? choice.names : [])
    return server.tools.flatMap((placed) => {
      const { installationId, exposedName, standing, tool } = placed
      if (exposedName === undefined) return []
      const isShown =
        standing === 'exposed' &&
        (servers.kind !== 'readOnly' || isReadOnly(tool)) &&
        (choice.kind === 'all' || names.has(tool.name))
      return [{ installationId, ownName: tool.name, prefixedName: exposedName, placed, isShown }]
    })
  })
  const named = agentNames(offers, naming, owners, searchMode ? SEARCH_NAMES : [])
  const callable: AgentListedTool[] = []
  let overCap = 0
  for (const [index, { placed, isShown }] of offers.entries()) {
    if (!isShown) continue
    // In search mode the agent is told of two, however many it can find.
    if (!searchMode && callable.length >= toolCap) {
      overCap += 1
      continue
    }
    const exposedName = named[index] ?? ''
    const definition = toolDefinition(placed.tool, exposedName)
    if (!definition) continue
    const shown = simplifiedSchemas
      ? simplifiedTool(definition)
      : { listed: definition, ownNames: NO_OTHER_NAMES }
    callable.push({ exposedName, placed, definition, ...shown })
  }
  const shown = new Set(callable.map(({ exposedName }) => exposedName))
  const shared = sharedNames(naming === 'plain' ? offers : [], (name) => shown.has(name))
  return { callable, overCap, sharedNames: shared }
}

/** Whether the server marks a tool as one that changes nothing (MCP, ToolAnnotations). */
export function isReadOnly({ annotations }: PlacedTool['tool']): boolean {
  return annotations?.readOnlyHint === true
}

function listPrompts(build: Build): AgentListedPrompt[] {
  const offers = build.open.flatMap(({ installationId, alias }) => {
    const prompts = build.tools
      .capabilitiesOf(installationId)
      .prompts.filter(({ name }) => name !== '' && name.length <= LONGEST_PROMPT)
    return validOnce(build, installationId, prompts, (prompt) => ({
      ...agentDefinition('Prompt', prompt),
      key: prompt.name,
      name: `the prompt ${prompt.name}`,
    })).map((prompt) => {
      const prefixedName = `${alias}${SEPARATOR}${prompt.name}`
      return { installationId, ownName: prompt.name, prefixedName, prompt }
    })
  })
  const named = agentNames(offers, build.profile.naming, build.owners.prompts)
  return offers.map(({ installationId, ownName, prompt }, index) => {
    const exposedName = named[index] ?? ''
    return { exposedName, installationId, ownName, definition: { ...prompt, name: exposedName } }
  })
}

/** A URI that several servers list gets one address for each of them; `ui://` resources have one owner or none. */
function listResources(
  build: Build,
  callable: readonly AgentListedTool[],
): Pick<ListingContent, 'resources' | 'uiOwners'> {
  const { open, tools, nameOf, leftOut } = build
  const all = open.flatMap(({ installationId }) =>
    validOnce(
      build,
      installationId,
      tools.capabilitiesOf(installationId).resources,
      (resource) => ({
        ...agentDefinition('Resource', resource),
        key: resource.uri,
        name: `the resource ${resource.uri}`,
      }),
    ).map((resource): AgentListedResource => ({ installationId, resource })),
  )
  const owners = uiOwners(callable, all)
  leftOut.push(...leftOutOf(all, owners, nameOf))
  const own = Map.groupBy(
    all.filter((one) => isOwn(one, owners)),
    ({ resource }) => normalUri(resource.uri),
  )
  const aliases = new Map(open.map(({ installationId, alias }) => [installationId, alias]))
  const resources = [...own.values()].flatMap((same) => {
    const each = [...new Map(same.map((one) => [one.installationId, one])).values()]
    return each.length === 1
      ? each
      : each.map((one) => addressed(one, aliases.get(one.installationId) ?? '', nameOf))
  })
  return { resources, uiOwners: owners }
}

/** A resource under an address that no other server has. */
function addressed(
  { installationId, resource }: AgentListedResource,
  alias: string,
  nameOf: ListingSources['nameOf'],
): AgentListedResource {
  const { uri, title = resource.name } = resource
  return {
    installationId,
    ownUri: uri,
    resource: {
      ...resource,
      uri: `patchbay://${alias}/${encodeURIComponent(uri.toWellFormed())}`,
      title: `${title} (${nameOf(installationId)})`,
    },
  }
}

function listTemplates(build: Build): AgentListedTemplate[] {
  return build.open.flatMap(({ installationId }) => {
    const { resourceTemplates } = build.tools.capabilitiesOf(installationId)
    return validOnce(build, installationId, resourceTemplates, (template) => ({
      ...agentDefinition('ResourceTemplate', template),
      key: template.uriTemplate,
      name: `the template ${template.uriTemplate}`,
    })).map((template) => ({ installationId, template }))
  })
}

/** Each element that agents can take, once by its key; the others are noted for the log of their server. */
function validOnce<T>(
  { leftOut }: Build,
  installationId: string,
  elements: readonly T[],
  define: (element: T) => Definition<T> & { readonly key: string; readonly name: string },
): T[] {
  const valid = new Map<string, T>()
  for (const element of elements) {
    const { key, name, fault, valid: own } = define(element)
    if (valid.has(key)) continue
    if (own !== undefined) valid.set(key, own)
    else {
      const words = `Hidden from agents: ${contextField(name)} (${contextField(fault ?? '')})`
      leftOut.push({ installationId, words })
    }
  }
  return [...valid.values()]
}

/**
 * Whose the `ui://` resources of a listing are. A page speaks for the tool that names it, so it is the server's whose
 * tools do, whoever lists it; one that no tool names is the only server's that lists it. What several claim is nobody's.
 */
function uiOwners(
  tools: readonly AgentListedTool[],
  listed: readonly AgentListedResource[],
): UiOwners {
  const named = tools.flatMap(({ placed, definition }) =>
    uisNamedBy(definition).map((uri) => ({ uri, server: placed.installationId })),
  )
  const own = listed
    .filter(({ resource }) => isUi(resource.uri))
    .map(({ installationId, resource }) => ({ uri: resource.uri, server: installationId }))
  const claims = new Map([...ownersOf(own), ...ownersOf(named)])
  return new Map(
    [...claims].map(([uri, [only, ...others]]) => [uri, others.length > 0 ? undefined : only]),
  )
}

function ownersOf(
  claims: readonly { readonly uri: string; readonly server: string }[],
): Map<string, Set<string>> {
  const byUri = Map.groupBy(claims, ({ uri }) => uri)
  return new Map([...byUri].map(([uri, all]) => [uri, new Set(all.map(({ server }) => server))]))
}

/** Whether a resource of a server is one that agents are shown as its own. */
function isOwn({ installationId, resource }: AgentListedResource, owners: UiOwners): boolean {
  return !owners.has(resource.uri) || owners.get(resource.uri) === installationId
}

/** What is said in the log of each server that lists what is not its own. */
function leftOutOf(
  listed: readonly AgentListedResource[],
  owners: UiOwners,
  nameOf: (installationId: string) => string,
): LeftOut[] {
  const others = Map.groupBy(
    listed.filter((one) => !isOwn(one, owners)),
    ({ installationId, resource }) => JSON.stringify([installationId, owners.get(resource.uri)]),
  )
  return [...others.values()].flatMap(([first, ...more]) => {
    if (!first) return []
    const { installationId, resource } = first
    const owner = owners.get(resource.uri)
    const and = more.length === 0 ? '' : ` and ${more.length} more of the server’s ui:// resources`
    const why =
      owner === undefined
        ? 'other servers use the same URI, and no tool identifies the owner'
        : `tools of ${contextField(nameOf(owner))} use the same URI`
    const words = `Hidden from agents: ${contextField(resource.uri)}${and} (${why}).`
    return [{ installationId, words }]
  })
}

/** Whether a tool is drawn with a page, and models call it. */
function hasPage({ definition }: AgentListedTool): boolean {
  return uisNamedBy(definition).length > 0 && !isForPageOnly(definition)
}

/** Those that a tool is drawn with, by the key of MCP Apps and by the older one, which some hosts still read. */
function uisNamedBy({ _meta }: Tool): string[] {
  if (!isJsonObject(_meta)) return []
  const { ui, 'ui/resourceUri': older } = _meta
  const named = [isJsonObject(ui) ? ui.resourceUri : undefined, older]
  return named.filter((uri) => typeof uri === 'string' && isUi(uri)) as string[]
}
