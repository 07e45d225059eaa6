import type { AgentsState } from '../../../src-shared/domain/agents/agent'
import type { HostConnection, HostView } from '../../../src-shared/domain/agents/host'
import type { ToolsState } from '../../../src-shared/domain/agents/tools'
import { type RunStatus, STATUS_WORD } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { appAttentionItems, connectionMessage } from '../../components/app/host-rows'
import { registryStatusMessage } from '../../components/status/registry-messages'
import {
  causeAction,
  offersSignIn,
  SIGN_IN,
  statusText,
  type SuggestedAction,
  suggestedAction,
  waitsForUser,
} from '../../components/status/status-messages'
import { type AppLimit, limitsBelow } from '../../components/tool/app-limits'
import { quarantinedText, reviewText } from '../../components/tool/tool-messages'
import { reviewPath } from '../../components/tool/tool-paths'
import { counted, problemText } from '../../ui/text/format'

/** Button of an attention item: a server's suggested step, a gateway restart, or a link. */
type NeedAction =
  | { readonly kind: 'server'; readonly server: ServerView; readonly action: SuggestedAction }
  | { readonly kind: 'gateway'; readonly label: string }
  | { readonly kind: 'page'; readonly label: string; readonly href: string }

/** One item that needs the user: its subject, a sentence, and the next step. */
export type Need = {
  readonly key: string
  /** The server that the item is about. */
  readonly installationId?: string
  /** Appearance of the item; `note` and `update` are neutral. */
  readonly look: 'error' | 'paused' | 'signInNeeded' | 'degraded' | 'note' | 'update'
  /** The appearance as a word, for screen readers. */
  readonly label: string
  readonly name: string
  readonly text: string
  readonly action?: NeedAction
}

/** The state that the attention list is built from. */
export type AttentionSource = {
  readonly servers: readonly ServerView[]
  readonly tools: ToolsState | undefined
  readonly gateway: AgentsState['gateway'] | undefined
  readonly hosts: readonly HostView[]
  readonly limits: readonly AppLimit[]
}

/** Order of the items, most urgent first. */
const ORDER = [
  'gateway',
  'error',
  'paused',
  'signInNeeded',
  'taken',
  'apps',
  'needsReview',
  'degraded',
  'unkept',
  'update',
  'quarantined',
  'overLimit',
] as const
type Urgency = (typeof ORDER)[number]
type Attention = Need & { readonly place: Urgency }

/** Returns everything that waits for the user, most urgent first, then in the user's order of servers. */
export function attentionItems(source: AttentionSource): readonly Need[] {
  const { servers, tools, gateway, hosts, limits } = source
  const names = new Map(servers.map(({ installationId, name }) => [installationId, name]))
  const items: readonly Attention[] = [
    ...gatewayAttention(gateway),
    ...servers.flatMap(serverAttention),
    ...appAttention(hosts),
    ...(tools ? toolAttention(tools, names) : []),
    ...limitsBelow(limits).map(limitNeed),
  ]
  return items.toSorted((one, other) => ORDER.indexOf(one.place) - ORDER.indexOf(other.place))
}

/** Counts the apps that need the user: their entry changed, or their tools exceed the limit. */
export function appsInNeed({ hosts, limits }: Pick<AttentionSource, 'hosts' | 'limits'>): number {
  const changed = appAttentionItems(hosts).map(({ hostName }) => hostName)
  return new Set([...changed, ...limitsBelow(limits).map(({ name }) => name)]).size
}

function gatewayAttention(gateway: AgentsState['gateway'] | undefined): Attention[] {
  if (gateway?.kind !== 'failed') return []
  const { error, port } = gateway
  const why = problemText(error)
  return [
    {
      ...{ place: 'gateway', key: 'gateway', look: 'error', label: 'Error' },
      name: 'Gateway',
      text: `Apps can’t connect on port ${String(port)}. ${why}`,
      action: { kind: 'gateway', label: 'Try again' },
    },
  ]
}

function serverAttention(server: ServerView): Attention[] {
  return [statusNeed(server), signInNeed(server), registryNeed(server), updateNeed(server)].flatMap(
    (need) => need ?? [],
  )
}

/** Builds an item about a server; `about` distinguishes the items of the same server. */
function needOf(
  { installationId, name }: Pick<ServerView, 'installationId' | 'name'>,
  about: string,
  need: Omit<Attention, 'key' | 'installationId' | 'name'>,
): Attention {
  return { key: `${about} ${installationId}`, installationId, name, ...need }
}

/** Returns the sign-in item of a working server if a request needs a sign-in. */
function signInNeed(server: ServerView): Attention | undefined {
  const { signInOffer } = server
  if (!signInOffer || !offersSignIn(server)) return undefined
  return needOf(server, 'signIn', {
    ...{ place: 'signInNeeded', look: 'signInNeeded', label: STATUS_WORD.signInNeeded },
    text: signInOffer.message,
    action: { kind: 'server', server, action: SIGN_IN },
  })
}

/** Opens the server's page, which has the sign-in link and code. */
const SEE: SuggestedAction = { kind: 'open', label: 'Sign in', place: '' }

function appearanceOf(kind: RunStatus['kind']): 'error' | 'paused' | 'signInNeeded' | 'degraded' {
  if (kind === 'awaitingSignIn') return 'signInNeeded'
  return kind === 'error' || kind === 'paused' || kind === 'signInNeeded' ? kind : 'degraded'
}

function statusNeed(server: ServerView): Attention | undefined {
  const { status } = server
  const { kind } = status
  if (!waitsForUser({ status })) return undefined
  const look = appearanceOf(kind)
  const action = causeAction(status) ?? (kind === 'awaitingSignIn' ? SEE : suggestedAction(status))
  return needOf(server, 'status', {
    ...{ place: look, look, label: STATUS_WORD[kind] },
    text: statusText(server, server.statusSince).message,
    ...(action && { action: { kind: 'server', server, action } }),
  })
}

function registryNeed(server: ServerView): Attention | undefined {
  if (server.registryStatus === undefined) return undefined
  const { title, text } = registryStatusMessage(server.registryStatus)
  const isDeleted = server.registryStatus.status === 'deleted'
  return needOf(server, 'standing', {
    place: isDeleted ? 'taken' : 'unkept',
    look: isDeleted ? 'error' : 'degraded',
    label: 'Warning',
    text: `${title} ${text}`,
    action: { kind: 'page', label: 'Show server', href: `/servers/${server.installationId}` },
  })
}

function updateNeed(server: ServerView): Attention | undefined {
  const { installationId, entryVersion, update } = server
  if (update === undefined) return undefined
  const href = `/servers/${installationId}/update/${encodeURIComponent(update.entryId)}`
  return needOf(server, 'update', {
    ...{ place: 'update', look: 'update', label: 'Update' },
    text: `Version ${update.version} is available. You have ${entryVersion}.`,
    action: { kind: 'page', label: 'See changes', href },
  })
}

function appAttention(hosts: readonly HostView[]): Attention[] {
  return appAttentionItems(hosts).map(({ hostName, connection }, index) => ({
    ...{ place: 'apps', look: 'degraded', key: `app ${String(index)}`, label: 'Needs attention' },
    name: hostName,
    text: connectionMessage(connection, hostName, undefined),
    action: { kind: 'page', label: 'Review', href: appPath(connection) },
  }))
}

/** Returns the app's page, where its entry is repaired; for a removed app the list. */
function appPath({ agentId, state }: HostConnection): string {
  return agentId === undefined || state === 'agentGone' ? '/apps' : `/apps/${agentId}`
}

function toolAttention({ servers }: ToolsState, names: ReadonlyMap<string, string>): Attention[] {
  return servers.flatMap((tools): Attention[] => {
    const { installationId, needsReview, quarantined } = tools
    const name = names.get(installationId)
    if (name === undefined) return []
    const reviewNeed = needOf({ installationId, name }, 'needsReview', {
      ...{ place: 'needsReview', look: 'degraded', label: 'Needs review' },
      text: reviewText({ needsReview }),
      action: { kind: 'page', label: 'Review', href: reviewPath(installationId) },
    })
    const quarantinedNeed = needOf({ installationId, name }, 'quarantined', {
      ...{ place: 'quarantined', look: 'note', label: 'Note' },
      text: quarantinedText(tools),
      action: { kind: 'page', label: 'Show tools', href: `/servers/${installationId}/tools` },
    })
    return [
      ...(needsReview === 0 ? [] : [reviewNeed]),
      ...(quarantined === 0 ? [] : [quarantinedNeed]),
    ]
  })
}

function limitNeed({ agentId, name, limit, over: excess }: AppLimit): Attention {
  const tools = counted(excess, 'tool is', 'tools are')
  const href = `/apps/${encodeURIComponent(agentId)}`
  return {
    ...{ place: 'overLimit', key: `overLimit ${agentId}`, name, look: 'note', label: 'Note' },
    text: `${tools} over the limit of ${limit}.`,
    action: { kind: 'page', label: 'Show tools', href },
  }
}
