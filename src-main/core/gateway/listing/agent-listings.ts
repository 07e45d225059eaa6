import type { Agent, AgentProfile } from '../../../../src-shared/domain/agents/agent'
import type { ResourceTemplate, Tool } from '../../../../src-shared/domain/agents/capability'
import { uiOf } from '../../../../src-shared/domain/installation/view'
import { isJsonObject } from '../../../../src-shared/domain/json-object'
import type { ToolChoice } from '../../../../src-shared/domain/tool-choice'
import { keepNewest } from '../../lifecycle/keep-newest'
import { madeOnce, sameWhereEqual } from '../../lifecycle/same-object'
import { withLongNumbers } from '../../mcp/json/exact-json'
import { contextField } from '../../tools/context/context-field'
import { agentDefinition, type Elements } from '../../tools/definitions/agent-definition'
import type { HiddenReason } from '../../tools/directory/hidden-tool'
import type { DirectorySnapshot, ResolvedServer } from '../../tools/directory/tool-directory'
import { nameTools, SEPARATOR } from '../../tools/names/tool-names'
import type { Tools } from '../../tools/tools'
import type { AgentStore } from '../agents/agent-store'
import type { WarnServer } from '../warn-once'
import {
  type AgentListedPrompt,
  type AgentListedResource,
  type AgentListedTemplate,
  type AgentListedTool,
  type AgentListing,
  agentNames,
  claimsOf,
  type PlainOwners,
} from './agent-listing'
import { isUi, normalUri } from './resource-route'
import { SEARCH_NAMES, searchTools } from './search-tools'
import { isForPageOnly, listedTool } from './tool-definition'

export type AgentListingsParts = {
  readonly agents: Pick<AgentStore, 'read'>
  readonly tools: Pick<Tools, 'snapshot' | 'capabilitiesOf'>
  readonly nameOf: (installationId: string) => string
  /** Reports that an item of a server is hidden from agents. */
  readonly warn: WarnServer
}

type NameOwners = { readonly tools: PlainOwners; readonly prompts: PlainOwners }

/** A server of a profile with the profile's tool selection. */
type Chosen = { readonly server: ResolvedServer; readonly choice: ToolChoice }

const MAX_LISTINGS = 64
const MAX_PROMPT_LENGTH = 1_000
/** A cached listing; `generation` is the directory's generation. */
type CachedListing = { readonly listing: AgentListing; readonly generation: number }

/**
 * Listings of all agents, rebuilt only when servers, tools or a profile change (C5). Agents with equal profiles share one listing. Reading
 * never waits.
 */
export class AgentListings {
  /** By the members of a profile and its agent that decide what is exposed. */
  readonly #cache = new Map<string, CachedListing>()
  readonly #owners = new Map<string, NameOwners>()

  constructor(private readonly parts: AgentListingsParts) {}

  of(agentId: string): AgentListing {
    const agent = this.parts.agents.read(agentId)
    const { generation } = this.parts.tools.snapshot
    const key = keyOf(agent)
    const cached = this.#cache.get(key)
    if (cached?.generation === generation) return cached.listing
    const owners = this.#owners.get(agentId) ?? { tools: new Map(), prompts: new Map() }
    this.#owners.set(agentId, owners)
    const built = buildListing(this.parts, agent.profile, owners)
    const listing = sameWhereEqual(cached?.listing, built)
    keepNewest(this.#cache, key, { listing, generation }, MAX_LISTINGS)
    return listing
  }

  /** Returns what an agent with this profile would see; nothing is cached. */
  preview(agentId: string, profile: AgentProfile): AgentListing {
    const { tools, prompts } = this.#owners.get(agentId) ?? {}
    const owners = { tools: new Map(tools), prompts: new Map(prompts) }
    return buildListing(this.parts, profile, owners)
  }

  nameOf(installationId: string): string {
    return this.parts.nameOf(installationId)
  }

  forget(agentId: string): void {
    this.#owners.delete(agentId)
  }
}

const keyOf = madeOnce(({ agentId, profile }: Agent): string => {
  const { servers, toolCap, naming, searchMode, simplifiedSchemas, nameLimit } = profile
  // Each agent has its own plain names.
  const owner = naming === 'plain' ? agentId : undefined
  return JSON.stringify({
    ...{ servers, toolCap, naming, searchMode, simplifiedSchemas, nameLimit, owner },
  })
})

function buildListing(
  sources: AgentListingsParts,
  profile: AgentProfile,
  owners: NameOwners,
): AgentListing {
  const chosen = chosenServers(sources.tools.snapshot, profile)
  // A server is absent for the agent if its own selection or the profile's hides everything.
  const open = chosen
    .filter(({ choice }) => choice.kind !== 'none')
    .map(({ server }) => server)
    .filter(({ isEnabled, choice }) => isEnabled && choice.kind !== 'none')
  const servers = open.map(({ installationId, alias }) => {
    return { installationId, alias, name: sources.nameOf(installationId) }
  })
  const tools = listTools(sources, chosen, profile, owners.tools)
  const uiOwners = uiOwnersOf(tools.callable)
  // A page needs its tool to be listed and called directly.
  const definitions = profile.searchMode
    ? [...searchTools(servers), ...tools.callable.filter(hasPage).map(({ listed }) => listed)]
    : tools.callable.map(({ listed }) => listed)
  return {
    ...{ servers, ...tools, definitions, uiOwners },
    byName: new Map(tools.callable.map((tool) => [tool.exposedName, tool])),
    prompts: listPrompts(sources, open, profile.naming, owners.prompts),
    resources: listResources(sources, open, uiOwners),
    templates: listTemplates(sources, open),
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
  sources: AgentListingsParts,
  chosen: readonly Chosen[],
  { naming, nameLimit, searchMode, simplifiedSchemas, toolCap, servers }: AgentProfile,
  owners: PlainOwners,
): Pick<AgentListing, 'callable' | 'hidden' | 'overCap' | 'sharedNames'> {
  const offers = chosen.flatMap(({ server, choice }) => {
    const names = new Set(choice.kind === 'list' ? choice.names : [])
    const all = server.tools.map(({ tool }) => tool.name)
    const namings = nameTools(server.alias, all, nameLimit)
    return server.tools.flatMap((resolved, index) => {
      const { installationId, exposure, tool } = resolved
      if (resolved.exposedName === undefined) return []
      const fitting = namings[index]?.exposedName
      const prefixedName = fitting ?? resolved.exposedName
      // Whether the server marks the tool as read-only (MCP, ToolAnnotations).
      const isReadOnly = tool.annotations?.readOnlyHint === true
      const isWanted =
        (choice.kind === 'all' || names.has(tool.name)) &&
        (servers.kind !== 'readOnly' || isReadOnly)
      const choiceReason = isWanted ? undefined : ('notChosen' as const)
      const baseReason = exposure === 'exposed' ? choiceReason : exposure
      // Two names that differ only beyond the cut: both tools are hidden.
      const reason = fitting === undefined ? ('quarantined' as const) : baseReason
      return [{ installationId, ownName: tool.name, prefixedName, resolved, reason }]
    })
  })
  const named = agentNames(offers, naming, owners, {
    limit: nameLimit,
    reserved: searchMode ? SEARCH_NAMES : [],
  })
  const callable: AgentListedTool[] = []
  const hidden = new Map<string, HiddenReason>()
  let overCap = 0
  for (const [index, { resolved, prefixedName, reason }] of offers.entries()) {
    // In search mode the agent's list has two tools, however many it can find.
    const isBeyondLimit = reason === undefined && !searchMode && callable.length >= toolCap
    if (isBeyondLimit) overCap += 1
    if (isBeyondLimit || reason) hidden.set(prefixedName, reason ?? 'overLimit')
    else {
      const exposedName = named[index] ?? ''
      const listed = listedTool(resolved.tool, exposedName, simplifiedSchemas)
      if (!listed) continue
      const exact = exactly(sources, resolved.installationId, resolved.tool.name, listed.listed)
      callable.push({ exposedName, resolved, ...listed, listed: exact })
    }
  }
  const shown = new Set(callable.map(({ exposedName }) => exposedName))
  const shared = [...claimsOf(naming === 'plain' ? offers : [])]
    .filter(([, names]) => names.length > 1)
    .map(([name, names]) => [name, names.filter((one) => shown.has(one))] as const)
  return { callable, hidden, overCap, sharedNames: new Map(shared) }
}

function listPrompts(
  sources: AgentListingsParts,
  open: readonly ResolvedServer[],
  naming: AgentProfile['naming'],
  owners: PlainOwners,
): AgentListedPrompt[] {
  const offers = open.flatMap(({ installationId, alias }) => {
    const prompts = sources.tools
      .capabilitiesOf(installationId)
      .prompts.filter(({ name }) => name !== '' && name.length <= MAX_PROMPT_LENGTH)
    const valid = validOnce(sources, installationId, 'Prompt', prompts, ({ name }) => name)
    return valid.map((prompt) => {
      const prefixedName = `${alias}${SEPARATOR}${prompt.name}`
      return { installationId, ownName: prompt.name, prefixedName, prompt }
    })
  })
  const named = agentNames(offers, naming, owners)
  return offers.map(({ installationId, ownName, prompt }, index) => {
    const exposedName = named[index] ?? ''
    return { exposedName, installationId, ownName, definition: { ...prompt, name: exposedName } }
  })
}

/** Gives each server its own address of a shared URI, except for the only server whose tools are drawn with it. */
function listResources(
  sources: AgentListingsParts,
  open: readonly ResolvedServer[],
  uiOwners: AgentListing['uiOwners'],
): AgentListedResource[] {
  const all = open.flatMap(({ installationId, alias }) => {
    const { resources } = sources.tools.capabilitiesOf(installationId)
    const valid = validOnce(sources, installationId, 'Resource', resources, ({ uri }) => uri)
    return valid.map((resource) => ({ installationId, alias, resource }))
  })
  return [...Map.groupBy(all, ({ resource }) => normalUri(resource.uri)).values()].flatMap((same) =>
    same.map(({ installationId, alias, resource }) => {
      const { uri, title = resource.name } = resource
      const owners = uiOwners.get(uri) ?? same.map((one) => one.installationId)
      if (owners.length === 1 && owners[0] === installationId) return { installationId, resource }
      const address = {
        uri: `patchbay://${alias}/${encodeURIComponent(uri.toWellFormed())}`,
        title: `${title} (${sources.nameOf(installationId)})`,
      }
      return { installationId, ownUri: uri, resource: { ...resource, ...address } }
    }),
  )
}

function listTemplates(
  sources: AgentListingsParts,
  open: readonly ResolvedServer[],
): AgentListedTemplate[] {
  return open.flatMap(({ installationId }) => {
    const { resourceTemplates } = sources.tools.capabilitiesOf(installationId)
    const idOf = ({ uriTemplate }: ResourceTemplate): string => uriTemplate
    const valid = validOnce(sources, installationId, 'ResourceTemplate', resourceTemplates, idOf)
    return valid.map((template) => ({ installationId, template }))
  })
}

/** Returns an item with numbers in the digits that its server wrote. */
function exactly<T>(
  { tools }: AgentListingsParts,
  installationId: string,
  key: string,
  element: T,
): T {
  const { longNumbers } = tools.capabilitiesOf(installationId)
  if (!longNumbers) return element
  return withLongNumbers(
    element,
    longNumbers.filter((one) => one.element === key),
  )
}

/** Names of hidden items in their server's log. */
const NAMES = { Prompt: 'prompt', Resource: 'resource', ResourceTemplate: 'template' } as const

/** Returns each valid item once, by id; invalid ones are reported in their server's log. */
function validOnce<K extends keyof typeof NAMES>(
  sources: AgentListingsParts,
  installationId: string,
  kind: K,
  elements: readonly Elements[K][],
  idOf: (element: Elements[K]) => string,
): Elements[K][] {
  const valid = new Map<string, Elements[K]>()
  for (const element of elements) {
    const id = idOf(element)
    const key = kind === 'Resource' ? normalUri(id) : id
    if (valid.has(key)) continue
    const { fault, valid: definition } = agentDefinition(kind, element)
    if (fault === undefined) valid.set(key, exactly(sources, installationId, id, definition))
    else {
      const name = contextField(`the ${NAMES[kind]} ${id}`)
      sources.warn(installationId, `Hidden from agents: ${name} (${contextField(fault)})`)
    }
  }
  return [...valid.values()]
}

/** Assigns each page to the server whose tool names it, no matter which server lists it. */
function uiOwnersOf(tools: readonly AgentListedTool[]): AgentListing['uiOwners'] {
  const named = tools.flatMap(({ resolved: { installationId }, definition }) =>
    uisNamedBy(definition).map((uri) => ({ uri, installationId })),
  )
  const byUri = Map.groupBy(named, ({ uri }) => uri)
  return new Map(
    [...byUri].map(([uri, all]) => {
      return [uri, [...new Set(all.map(({ installationId }) => installationId))]]
    }),
  )
}

/** Whether a tool is drawn with a page and callable by models. */
function hasPage({ definition }: AgentListedTool): boolean {
  return uisNamedBy(definition).length > 0 && !isForPageOnly(definition)
}

/** Returns a tool's pages, by the key of MCP Apps and by the older one that some apps still read. */
function uisNamedBy(tool: Tool): string[] {
  const { 'ui/resourceUri': older } = isJsonObject(tool._meta) ? tool._meta : {}
  const named = [uiOf(tool).resourceUri, older]
  return named.filter((uri) => typeof uri === 'string' && isUi(uri)) as string[]
}
