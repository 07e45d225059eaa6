import type { Tool } from '../../../../src-shared/domain/agents/capability'
import { isJsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { contextField } from '../../tools/context/context-field'
import type { AgentListedResource, AgentListedTool, LeftOut, UiOwners } from './agent-listing'
import { isForPageOnly } from './tool-definition'

/** Whether it is the address of a page that a server draws in its host (MCP Apps). */
export function isUi(uri: string): boolean {
  return /^ui:/iu.test(uri)
}

/**
 * Whose the `ui://` resources of a listing are. A page speaks for the tool that names it, so it is the server's whose
 * tools do, whoever lists it; one that no tool names is the only server's that lists it. What several claim is nobody's.
 */
export function uiOwners(
  tools: readonly AgentListedTool[],
  listed: readonly AgentListedResource[],
): UiOwners {
  const named = new Map<string, Set<string>>()
  for (const { placed, definition } of tools)
    for (const uri of uisNamedBy(definition)) claim(named, uri, placed.installationId)
  const listing = new Map<string, Set<string>>()
  for (const { installationId, resource } of listed)
    if (isUi(resource.uri)) claim(listing, resource.uri, installationId)
  const claims = new Map([...listing, ...named])
  return new Map(
    [...claims].map(([uri, [only, ...others]]) => [uri, others.length > 0 ? undefined : only]),
  )
}

/** Whether a resource of a server is one that agents are shown as its own. */
export function isOwn(
  { installationId, resource }: AgentListedResource,
  owners: UiOwners,
): boolean {
  return !owners.has(resource.uri) || owners.get(resource.uri) === installationId
}

/** What is said in the log of each server that lists what is not its own. */
export function leftOutOf(
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
export function hasPage({ definition }: AgentListedTool): boolean {
  return uisNamedBy(definition).length > 0 && !isForPageOnly(definition)
}

/** Those that a tool is drawn with, by the key of MCP Apps and by the older one, which some hosts still read. */
function uisNamedBy({ _meta }: Tool): string[] {
  if (!isJsonObject(_meta)) return []
  const { ui, 'ui/resourceUri': older } = _meta
  const named = [isJsonObject(ui) ? ui.resourceUri : undefined, older]
  return named.filter((uri) => typeof uri === 'string' && isUi(uri)) as string[]
}

function claim(claims: Map<string, Set<string>>, uri: string, installationId: string): void {
  const servers = claims.get(uri)
  if (servers) servers.add(installationId)
  else claims.set(uri, new Set([installationId]))
}
