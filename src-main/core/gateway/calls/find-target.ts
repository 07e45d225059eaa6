import type { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import { AppError } from '../../../../src-shared/domain/app-error'
import {
  hiddenError,
  type HiddenReason,
  ToolNotExposedError,
  unknownError,
} from '../../tools/directory/hidden-tool'
import type { PlacedTool } from '../../tools/directory/placed-server'
import { nearestNames } from '../../tools/names/nearest-names'
import type { AgentListedPrompt, AgentListedTool, AgentListing } from '../listing/agent-listing'
import { fold, isReadOnly } from '../listing/build-listing'
import { type ResourceRoute, routesOf } from '../listing/resource-route'

const MOST_NEAR = 3

/** The tool that an agent calls by this name; throws a `ToolNotExposedError` that says why there is none, or which may be meant. `all`: the tools of all servers. */
export function findTool(
  listing: AgentListing,
  name: string,
  profile: AgentProfile,
  all: readonly PlacedTool[],
): AgentListedTool {
  const found =
    listing.byName.get(name) ??
    // A plain name does not replace the default one.
    listing.callable.find(({ placed }) => placed.exposedName === name)
  if (found) return found
  const shared = listing.sharedNames.get(fold(name)) ?? []
  if (shared.length > 0)
    throw new ToolNotExposedError(
      'NOT_FOUND',
      `${name} is ambiguous: several tools have this name.`,
      'unknown',
      `Use one of these names: ${shared.join(' or ')}.`,
    )
  const hidden = all.find(({ exposedName }) => exposedName === name)
  const reason = hidden && hiddenReason(profile, hidden)
  throw reason ? hiddenError(hidden, reason) : unknownError(name, [...listing.byName.keys()])
}

/** Undefined for a tool of a server that is not the agent's, of which it learns nothing. */
function hiddenReason(
  { servers }: AgentProfile,
  { installationId, standing, tool }: PlacedTool,
): HiddenReason | undefined {
  const choice =
    servers.kind === 'list'
      ? servers.list.find((one) => one.installationId === installationId)?.choice
      : { kind: 'all' as const }
  if (!choice) return undefined
  if (standing !== 'exposed') return standing
  const isChosen =
    choice.kind === 'all' || (choice.kind === 'list' && choice.names.includes(tool.name))
  const isWanted = servers.kind !== 'readOnly' || isReadOnly(tool)
  return isChosen && isWanted ? 'overLimit' : 'notChosen'
}

/** The prompt that an agent gets by this name; throws NOT_FOUND. */
export function findPrompt({ prompts }: AgentListing, name: string): AgentListedPrompt {
  const found = prompts.find(({ exposedName }) => exposedName === name)
  if (found) return found
  const names = prompts.map(({ exposedName }) => exposedName)
  const near = nearestNames(name, names, MOST_NEAR)
  throw new AppError('NOT_FOUND', 'Prompt not found on the servers available to this agent.', {
    hint: near.length > 0 ? `The closest names are ${near.join(', ')}.` : 'List prompts again.',
  })
}

/** Where a resource is read; throws NOT_FOUND, with the names of all servers that have the same claim. `origin`: the server that linked to it. */
export function findResource(
  listing: AgentListing,
  uri: string,
  nameOf: (installationId: string) => string,
  origin?: string,
): ResourceRoute {
  const routes = routesOf(listing, uri, origin)
  const [route, ...others] = routes
  if (!route)
    throw new AppError('NOT_FOUND', 'Resource not found on the servers available to this agent.', {
      hint: 'List resources and resource templates again.',
    })
  if (others.length === 0) return route
  const names = routes.map(({ installationId }) => nameOf(installationId))
  const addresses = listing.resources
    .filter(({ ownUri }) => ownUri !== undefined && routes.some((one) => one.uri === ownUri))
    .map(({ resource }) => resource.uri)
  const hint =
    addresses.length > 0
      ? `Read one of these instead: ${addresses.join(' or ')}.`
      : 'Expose only one of these servers to this agent.'
  const message = `Several servers offer this resource: ${names.join(' and ')}.`
  throw new AppError('NOT_FOUND', message, { hint })
}
