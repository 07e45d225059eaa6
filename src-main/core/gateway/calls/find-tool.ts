import type { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import {
  hiddenError,
  type HiddenReason,
  ToolNotExposedError,
  unknownError,
} from '../../tools/directory/hidden-tool'
import type { PlacedTool } from '../../tools/directory/placed-server'
import type { AgentListedTool, AgentListing } from '../listing/agent-listing'
import { fold } from '../listing/agent-names'
import { isReadOnly } from '../listing/build-listing'

/** The tool that an agent calls by this name; throws a `ToolNotExposedError` that says why there is none, or which may be meant. */
export function findTool(
  listing: AgentListing,
  name: string,
  { profile, all }: { readonly profile: AgentProfile; readonly all: readonly PlacedTool[] },
): AgentListedTool {
  const found =
    listing.byName.get(name) ??
    // What it is called by default is its name too.
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
  // Of servers that are not its own an agent learns nothing.
  if (hidden && choiceOf(profile, hidden) !== undefined)
    throw hiddenError(hidden, hiddenReason(profile, hidden))
  throw unknownError(name, [...listing.byName.keys()])
}

function hiddenReason(profile: AgentProfile, placed: PlacedTool): HiddenReason {
  const { standing, tool } = placed
  if (standing !== 'exposed') return standing
  const choice = choiceOf(profile, placed)
  if (profile.servers.kind === 'readOnly' && !isReadOnly(tool)) return 'notChosen'
  const isChosen =
    choice?.kind === 'all' || (choice?.kind === 'list' && choice.names.includes(tool.name))
  return isChosen ? 'overLimit' : 'notChosen'
}

/** What a profile wants of the server of a tool; undefined where it has nothing of it. */
function choiceOf(
  { servers }: AgentProfile,
  { installationId }: PlacedTool,
):
  | { readonly kind: 'all' | 'none' }
  | { readonly kind: 'list'; readonly names: readonly string[] }
  | undefined {
  if (servers.kind !== 'list') return { kind: 'all' }
  return servers.list.find((one) => one.installationId === installationId)?.choice
}
