import type { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import type { Capabilities } from '../../../../src-shared/domain/agents/capability'
import type { ToolChoice } from '../../../../src-shared/domain/tool-choice'
import { contextField } from '../../tools/context/context-field'
import { agentDefinition, type Definition } from '../../tools/definitions/agent-definition'
import type { PlacedServer, PlacedTool } from '../../tools/directory/placed-server'
import type { DirectorySnapshot } from '../../tools/directory/tool-directory'
import { SEPARATOR } from '../../tools/names/tool-names'
import type {
  AgentListedPrompt,
  AgentListedResource,
  AgentListedTemplate,
  AgentListedTool,
  LeftOut,
  ListingContent,
  ShownServer,
} from './agent-listing'
import { agentNames, type NamedOffer, type PlainOwners, sharedNames } from './agent-names'
import { normalUri } from './resource-route'
import { SEARCH_NAMES, searchTools } from './search-tools'
import { simplifiedTool, toolDefinition } from './tool-definition'
import { hasPage, isOwn, leftOutOf, uiOwners } from './ui-owners'

/** Who owns which plain name, of tools and of prompts. */
export type NameOwners = { readonly tools: PlainOwners; readonly prompts: PlainOwners }

export type ListingSources = {
  readonly snapshot: DirectorySnapshot
  readonly capabilitiesOf: (installationId: string) => Capabilities
  readonly nameOf: (installationId: string) => string
}

/** A server of a profile with what of its tools the profile wants. */
type Chosen = { readonly server: PlacedServer; readonly choice: ToolChoice }

/** Longest name of a prompt: MCP sets no limit. */
const LONGEST_PROMPT = 1_000
const NO_OTHER_NAMES: AgentListedTool['ownNames'] = new Map()

/** What a profile shows of all that there is. */
export function buildListing(
  sources: ListingSources,
  profile: AgentProfile,
  owners: NameOwners,
): ListingContent {
  const chosen = chosenServers(sources.snapshot, profile)
  // What its own choice or that of the profile hides all of is not there for the agent.
  const open = chosen.filter(
    ({ server, choice }) =>
      server.isEnabled && server.choice.kind !== 'none' && choice.kind !== 'none',
  )
  const servers = open.map(({ server: { installationId, alias } }): ShownServer => {
    return { installationId, alias, name: sources.nameOf(installationId) }
  })
  const listed = listTools(chosen, profile, owners.tools)
  const invalid: LeftOut[] = []
  const { leftOut, ...resources } = listResources(open, sources, listed.callable, invalid)
  return {
    servers,
    ...listed,
    // A page is drawn for a tool that is listed and called directly.
    definitions: profile.searchMode
      ? [...searchTools(servers), ...listed.callable.filter(hasPage).map((one) => one.listed)]
      : listed.callable.map((one) => one.listed),
    prompts: listPrompts(open, sources, profile, owners.prompts, invalid),
    ...resources,
    templates: listTemplates(open, sources, invalid),
    leftOut: [...leftOut, ...invalid],
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
    const names = choice.kind === 'list' ? new Set(choice.names) : undefined
    return server.tools.flatMap((placed) => {
      const isWanted = servers.kind !== 'readOnly' || isReadOnly(placed.tool)
      return offerOf(placed, isWanted && isChosen(placed, choice, names))
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

type ToolOffer = NamedOffer & { readonly placed: PlacedTool; readonly isShown: boolean }

function offerOf(placed: PlacedTool, isWanted: boolean): ToolOffer[] {
  const { installationId, exposedName, standing, tool } = placed
  if (exposedName === undefined) return []
  const isShown = isWanted && standing === 'exposed'
  return [{ installationId, ownName: tool.name, prefixedName: exposedName, placed, isShown }]
}

/** Whether the server marks a tool as one that changes nothing (MCP, ToolAnnotations). */
export function isReadOnly({ annotations }: PlacedTool['tool']): boolean {
  return annotations?.readOnlyHint === true
}

function isChosen(
  { tool }: PlacedTool,
  { kind }: ToolChoice,
  names: ReadonlySet<string> | undefined,
): boolean {
  return kind === 'all' || (names?.has(tool.name) ?? false)
}

function listPrompts(
  open: readonly Chosen[],
  { capabilitiesOf }: ListingSources,
  { naming }: AgentProfile,
  owners: PlainOwners,
  invalid: LeftOut[],
): AgentListedPrompt[] {
  const offers = open.flatMap(({ server: { installationId, alias } }) => {
    const seen = new Set<string>()
    return capabilitiesOf(installationId).prompts.flatMap((prompt) => {
      const { name } = prompt
      if (name === '' || name.length > LONGEST_PROMPT || seen.has(name)) return []
      const definition = agentDefinition('Prompt', prompt)
      return validOf(definition, installationId, `the prompt ${name}`, invalid).map((valid) => {
        seen.add(name)
        const prefixedName = `${alias}${SEPARATOR}${name}`
        return { installationId, ownName: name, prefixedName, prompt: valid }
      })
    })
  })
  const named = agentNames(offers, naming, owners)
  return offers.map(({ installationId, ownName, prompt }, index) => {
    const exposedName = named[index] ?? ''
    const definition = { ...prompt, name: exposedName }
    return { exposedName, installationId, ownName, definition }
  })
}

/** A URI that several servers list gets one address for each of them; `ui://` resources have one owner or none. */
function listResources(
  open: readonly Chosen[],
  { capabilitiesOf, nameOf }: ListingSources,
  tools: readonly AgentListedTool[],
  invalid: LeftOut[],
): Pick<ListingContent, 'resources' | 'uiOwners' | 'leftOut'> {
  const all = open.flatMap(({ server: { installationId } }) =>
    capabilitiesOf(installationId).resources.flatMap((listed): AgentListedResource[] => {
      const definition = agentDefinition('Resource', listed)
      const valid = validOf(definition, installationId, `the resource ${listed.uri}`, invalid)
      return valid.map((resource) => ({ installationId, resource }))
    }),
  )
  const owners = uiOwners(tools, all)
  const own = Map.groupBy(
    all.filter((one) => isOwn(one, owners)),
    ({ resource }) => normalUri(resource.uri),
  )
  const aliases = new Map(open.map(({ server }) => [server.installationId, server.alias]))
  const resources = [...own.values()].flatMap((same) => {
    const each = [...new Map(same.map((one) => [one.installationId, one])).values()]
    return each.length === 1
      ? each
      : each.map((one) => addressed(one, aliases.get(one.installationId) ?? '', nameOf))
  })
  return { resources, uiOwners: owners, leftOut: leftOutOf(all, owners, nameOf) }
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

function listTemplates(
  open: readonly Chosen[],
  { capabilitiesOf }: ListingSources,
  invalid: LeftOut[],
): AgentListedTemplate[] {
  return open.flatMap(({ server: { installationId } }) => {
    const seen = new Set<string>()
    return capabilitiesOf(installationId).resourceTemplates.flatMap((listed) => {
      const { uriTemplate } = listed
      if (seen.has(uriTemplate)) return []
      const definition = agentDefinition('ResourceTemplate', listed)
      const valid = validOf(definition, installationId, `the template ${uriTemplate}`, invalid)
      if (valid.length > 0) seen.add(uriTemplate)
      return valid.map((template) => ({ installationId, template }))
    })
  })
}

/** The element in a list; an empty list where agents cannot take it, which is noted for the server's log. */
function validOf<T>(
  { valid, fault }: Definition<T>,
  installationId: string,
  name: string,
  invalid: LeftOut[],
): T[] {
  if (valid !== undefined) return [valid]
  const words = `Hidden from agents: ${contextField(name)} (${contextField(fault ?? '')})`
  invalid.push({ installationId, words })
  return []
}
