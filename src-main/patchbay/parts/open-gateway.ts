import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

import { AgentProfile, type AgentsState } from '../../../src-shared/domain/agents/agent'
import type { AppInfo } from '../../../src-shared/domain/state/app-state'
import { readHostNames } from '../../../src-shared/domain/state/host-names'
import { AgentPresence, agentView, type ShownTools } from '../../core/gateway/agents/agent-presence'
import { AgentStore, type ToolRef } from '../../core/gateway/agents/agent-store'
import type { AgentCalls } from '../../core/gateway/calls/agent-calls'
import type { RunningCalls } from '../../core/gateway/calls/running-calls'
import { type BusyPort, Gateway } from '../../core/gateway/gateway'
import { GatewayListener, type ServedEndpoint } from '../../core/gateway/gateway-listener'
import type { AgentListing } from '../../core/gateway/listing/agent-listing'
import type { ProfileDocument } from '../../core/installation/store/profile-document'
import { Disposables } from '../../core/lifecycle/disposables'
import { systemTime } from '../../core/lifecycle/system-time'
import { Throttle } from '../../core/lifecycle/throttle'
import type { SecretBackend } from '../../core/ports'
import type { Questions } from '../../core/questions/questions'
import type { ServerDirectory } from '../../core/servers/server-directory'
import type { StateFeed } from '../../core/state/state-feed'
import type { Tools } from '../../core/tools/tools'
import type { OpenActivity } from './open-activity'
import { openEndpoint } from './open-endpoint'
import type { OpenTools } from './open-tools'

/** What agents do changes with each request: the screens are told at most this often. */
const TELL_EVERY_MS = 500

/** The endpoint for agents with all that belongs to it. */
export type OpenGateway = {
  readonly state: () => AgentsState
  readonly agents: AgentStore
  /** The profile of an agent that is added without one. */
  readonly newProfile: () => AgentProfile
  /** What an agent is shown, or would be with another profile. Throws NOT_FOUND. */
  readonly shownTo: (agentId: string, profile?: AgentProfile) => ShownTools
  /** What agents do with what they are shown. */
  readonly calls: AgentCalls
  readonly running: RunningCalls
  /** From now on its person is asked again before calls that its profile asks about. Throws NOT_FOUND or SETTINGS_UNWRITABLE. */
  forgetAllowed(agentId: string, tool?: ToolRef): void
  /** Tries to open the endpoint again. */
  retry(): Promise<void>
  /** Cuts every agent. */
  close(): Promise<void>
}

/** What of the core the endpoint stands on. */
export type GatewayParts = {
  readonly info: Pick<AppInfo, 'version'>
  readonly profileDir: string
  readonly store: ProfileDocument
  readonly vault: SecretBackend
  readonly offered: Pick<OpenTools, 'tools' | 'watches'>
  readonly servers: ServerDirectory
  readonly questions: Questions
  readonly activity: Pick<OpenActivity, 'record'>
  readonly feed: StateFeed
}

/** Opens what is kept of agents below the profile folder, and the endpoint where there is an agent; waits for neither. */
export function openGateway(parts: GatewayParts): OpenGateway {
  const { store, offered, feed } = parts
  const owned = new Disposables()
  const presence = new AgentPresence(systemTime)
  const agents = openAgents(parts)
  const endpoint = openEndpoint({ ...parts, agents, presence })
  const { listings } = endpoint
  const gateway = openDoor(parts, { agents, presence, endpoint, tell: () => telling.call() })
  const shownTo = (agentId: string): ShownTools => shownOf(listings.of(agentId), offered.tools)
  const state = (): AgentsState => ({
    gateway: gateway.status,
    agents: agents.agents.map((agent) => {
      const { agentId } = agent
      const connections = gateway.connectionsOf(agentId)
      return agentView(agent, shownTo(agentId), presence.of(agentId), connections)
    }),
  })
  let told = state()
  const telling = owned.add(
    new Throttle(TELL_EVERY_MS, () => {
      const now = state()
      if (isDeepStrictEqual(now, told)) return
      told = now
      feed.agentsChanged()
    }),
  )
  const tell = (): void => telling.call()
  for (const one of [gateway, presence]) owned.add(one.onDidChange(tell))
  owned.add(
    agents.onDidChange(({ kind, agentId }) => {
      if (kind === 'removed') presence.forget(agentId)
      tell()
    }),
  )
  owned.add(store.onDidChange(() => gateway.follow()))
  owned.add(
    feed.onEvent(({ channel }) => {
      if (channel === 'tools.changed') endpoint.changed()
      if (channel === 'tools.changed' && agents.agents.length > 0) tell()
    }),
  )
  return {
    state,
    agents,
    newProfile: () => AgentProfile.parse({ toolCap: store.settings.toolCap }),
    shownTo: (agentId, profile) =>
      profile ? shownOf(listings.preview(agentId, profile), offered.tools) : shownTo(agentId),
    calls: endpoint.calls,
    running: endpoint.running,
    forgetAllowed: (agentId, tool) => {
      agents.revoke(agentId, tool)
      endpoint.forgetAllowed(agentId, tool)
    },
    retry: () => gateway.retry(),
    close: async () => {
      owned[Symbol.dispose]()
      await gateway.close()
      endpoint.close()
      agents[Symbol.dispose]()
    },
  }
}

/** Who may use the endpoint. */
function openAgents({ profileDir, vault, feed }: GatewayParts): AgentStore {
  const file = join(profileDir, 'agents.json')
  return new AgentStore({
    file,
    secrets: vault,
    clock: systemTime,
    onLost: (kind, reason) =>
      feed.addNotice({
        noticeId: 'agents-file',
        severity: 'warn',
        title: 'No agent has access',
        message:
          kind === 'lost'
            ? `${file} can’t be used: ${reason} Add your agents again; the file is then kept as agents.json.bad.`
            : `${file} can’t be read: ${reason} Restart Patchbay when the file is readable.`,
      }),
    onKeyLeft: ({ agentId, name }, reason) =>
      feed.addNotice({
        noticeId: `agent-key-${agentId}`,
        severity: 'info',
        title: `The key of ${name} is still in the keychain`,
        message: `The key no longer works but couldn’t be deleted: ${reason}`,
      }),
    onUnsaved: (message) => {
      const noticeId = 'agents-unsaved'
      if (message === undefined) feed.dismissNotice(noticeId)
      else
        feed.addNotice({
          noticeId,
          severity: 'error',
          title: 'What you revoked isn’t saved yet',
          message: `It holds until Patchbay closes, and would be back after that. ${message} Free up disk space; Patchbay tries again automatically.`,
        })
    },
  })
}

function openDoor(
  { profileDir, store, servers, feed }: GatewayParts,
  parts: {
    readonly agents: AgentStore
    readonly presence: AgentPresence
    readonly endpoint: ServedEndpoint
    readonly tell: () => void
  },
): Gateway {
  const { agents, presence, endpoint, tell } = parts
  return new Gateway({
    agents,
    port: () => store.settings.gatewayPort,
    addressFile: join(profileDir, 'gateway.json'),
    platform: process.platform,
    time: systemTime,
    onDidWake: (listener) => servers.onDidWake(listener),
    open: (port) =>
      GatewayListener.open({
        port,
        byKey: (key) => agents.byKey(key),
        endpoint,
        hostNames: () => readHostNames(store.settings.gatewayHosts) ?? [],
        limits: () => store.settings,
        time: systemTime,
        onUse: (agentId, isBridge) => {
          presence.seen(agentId)
          if (!isBridge) agents.noteHttp(agentId)
        },
        onConnections: tell,
        onFault: (error) => {
          process.stderr.write(`patchbay: gateway: ${String(error)}\n`)
        },
      }),
    onBusy: (busy) => tellBusy(feed, busy),
    onMoved: (url) =>
      feed.addNotice({
        noticeId: 'gateway-moved',
        severity: 'info',
        title: 'The gateway address changed',
        message: `The gateway is now at ${url}, and connected agents were disconnected. Agents that use HTTP need the new address; "patchbay bridge" finds it automatically.`,
      }),
    onTrouble: (message) => {
      const noticeId = 'gateway-address'
      if (message === undefined) feed.dismissNotice(noticeId)
      else
        feed.addNotice({
          noticeId,
          severity: 'warn',
          title: 'The bridge may not find the gateway',
          message,
        })
    },
  })
}

function tellBusy(feed: StateFeed, busy: BusyPort | undefined): void {
  const noticeId = 'gateway-busy'
  if (busy === undefined) {
    feed.dismissNotice(noticeId)
    return
  }
  const { port, url } = busy
  const who = `Another program, maybe of another account, uses port ${String(port)}`
  feed.addNotice(
    url === undefined
      ? {
          noticeId,
          severity: 'warn',
          title: 'The gateway port is in use',
          message: `${who}, so apps have no tools. Patchbay keeps trying. To change the port, open Settings.`,
        }
      : {
          noticeId,
          severity: 'info',
          title: 'The gateway uses another port',
          message: `${who}. Until Patchbay restarts, the gateway is at ${url}. "patchbay bridge" finds it automatically; agents that use HTTP need this address.`,
        },
  )
}

function shownOf(listing: AgentListing, tools: Tools): ShownTools {
  const { callable, overCap } = listing
  return {
    exposed: listing.definitions.length,
    overCap,
    tools: callable.map(({ resolved, exposedName }) => {
      const { installationId, tool } = resolved
      const tokens = tools.tokensOf(resolved)
      return { installationId, tool: tool.name, exposedName, title: tool.title, tokens }
    }),
  }
}
