import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

import { AgentProfile, type AgentsState } from '../../../src-shared/domain/agents/agent'
import { AgentPresence, agentView, type ShownTools } from '../../core/gateway/agents/agent-presence'
import { AgentStore } from '../../core/gateway/agents/agent-store'
import { AgentCalls } from '../../core/gateway/calls/agent-calls'
import { RunningCalls } from '../../core/gateway/calls/agent-request'
import { CallApprovals } from '../../core/gateway/calls/call-approvals'
import { type BusyPort, Gateway } from '../../core/gateway/gateway'
import { GatewayListener, type ServedEndpoint } from '../../core/gateway/gateway-listener'
import type { AgentListing } from '../../core/gateway/listing/agent-listing'
import { AgentListings } from '../../core/gateway/listing/agent-listings'
import type { AgentEndpoint } from '../../core/gateway/protocol/endpoint'
import type { AgentExchange } from '../../core/gateway/protocol/endpoint-context'
import { warnOnce } from '../../core/gateway/warn-once'
import { background, reportFailure } from '../../core/lifecycle/background'
import { Disposables } from '../../core/lifecycle/disposables'
import { Throttle } from '../../core/lifecycle/throttle'
import type { ServerDirectory } from '../../core/servers/server-directory'
import type { Notices } from '../../core/state/changes'
import type { Tools } from '../../core/tools/tools'
import type { HandlersOf } from '../../ipc/answer'
import type { ActivityModule } from './activity'
import type { AppContext } from './context'
import type { ToolsModule } from './tools'

/** Minimum interval of state updates for the UI, in ms: agents' state changes with each request. */
const NOTIFY_EVERY_MS = 500

/** The gateway for agents with its parts. */
export type GatewayModule = {
  readonly agents: AgentStore
  /** The profile of a new agent without one. */
  readonly newProfile: () => AgentProfile
  readonly calls: AgentCalls
  readonly snapshot: () => AgentsState
  /** Settles when the gateway has opened for a new agent, or failed to. */
  readonly settled: () => Promise<void>
  readonly handlers: HandlersOf<'agent' | 'gateway'> &
    Pick<HandlersOf<'activity'>, 'activity.running' | 'activity.cancel'>
  /** Disconnects every agent. */
  close(): Promise<void>
}

/** Opens the agents below the profile folder, and the gateway if there is an agent; doesn't wait for either. */
export function openGateway(
  ctx: AppContext,
  deps: Omit<EndpointDeps, 'agents' | 'presence'>,
): GatewayModule {
  const { store, changes, time } = ctx
  const { tools } = deps.tools
  const owned = new Disposables()
  const presence = new AgentPresence(time)
  const agents = openAgents(ctx)
  const endpoint = openEndpoint(ctx, { ...deps, agents, presence }, owned)
  const { listings, running, protocol } = endpoint
  const served = { agents, presence, endpoint: protocol }
  const gateway = openListener(ctx, served, () => throttle.call())
  const shownTo = (agentId: string): ShownTools => shownOf(listings.of(agentId), tools)
  const snapshot = (): AgentsState => ({
    gateway: gateway.status,
    agents: agents.agents.map((agent) => {
      const { agentId } = agent
      const connections = gateway.connectionsOf(agentId)
      return agentView(agent, shownTo(agentId), presence.of(agentId), connections)
    }),
  })
  let lastEmitted = snapshot()
  const throttle = owned.add(
    new Throttle(NOTIFY_EVERY_MS, () => {
      const now = snapshot()
      if (isDeepStrictEqual(now, lastEmitted)) return
      lastEmitted = now
      changes.topic('agents')
    }),
  )
  const changed = (): void => throttle.call()
  for (const one of [gateway, presence]) owned.add(one.onDidChange(changed))
  owned.add(
    agents.onDidChange(({ kind, agentId }) => {
      if (kind === 'removed') presence.forget(agentId)
      changed()
    }),
  )
  owned.add(store.onDidChange(() => gateway.follow()))
  owned.add(deps.servers.onDidWake(() => background(gateway.retry(), 'opening the gateway')))
  owned.add(
    changes.onDidChange((change) => {
      if (change.kind !== 'topic' || change.topic !== 'tools') return
      protocol.changed()
      if (agents.agents.length > 0) changed()
    }),
  )
  const newProfile = (): AgentProfile => AgentProfile.parse({ toolCap: store.settings.toolCap })
  return {
    ...{ agents, newProfile, calls: endpoint.calls, snapshot },
    settled: () => gateway.settled(),
    handlers: {
      'agent.add': ({ name, profile }) => agents.add(name, profile ?? newProfile()),
      'agent.renewKey': async ({ agentId }) => ({ key: await agents.renewKey(agentId) }),
      'agent.rename': ({ agentId, name }) => agents.rename(agentId, name),
      'agent.setProfile': ({ agentId, profile }) => agents.setProfile(agentId, profile),
      'agent.forgetAllowed': ({ agentId, tool }) => {
        agents.revoke(agentId, tool)
        endpoint.approvals.forget(agentId, tool)
      },
      'agent.remove': ({ agentId }) => agents.remove(agentId),
      'agent.tools': ({ agentId, profile }) => {
        const shown = profile
          ? shownOf(listings.preview(agentId, profile), tools)
          : shownTo(agentId)
        return { tools: [...shown.tools], overCap: shown.overCap }
      },
      'gateway.retry': () => gateway.retry(),
      'activity.running': () => running.list,
      'activity.cancel': ({ runId }) => running.cancel(runId),
    },
    close: async () => {
      owned[Symbol.dispose]()
      await gateway.close()
      protocol.close()
      agents[Symbol.dispose]()
    },
  }
}

function openAgents({ profileDir, vault, notices, time }: AppContext): AgentStore {
  const file = join(profileDir, 'agents.json')
  return new AgentStore({
    file,
    secrets: vault,
    clock: time,
    onLost: (kind, reason) =>
      notices.warn(
        'agents-file',
        'No agent has access',
        kind === 'lost'
          ? `${file} can’t be used: ${reason} Add your agents again; the file is then kept as agents.json.bad.`
          : `${file} can’t be read: ${reason} Restart Patchbay when the file is readable.`,
      ),
    onKeyLeft: ({ agentId, name }, reason) =>
      notices.add({
        noticeId: `agent-key-${agentId}`,
        severity: 'info',
        title: `The key of ${name} is still in the keychain`,
        message: `The key no longer works but couldn’t be deleted: ${reason}`,
      }),
    onUnsaved: (message) => {
      const noticeId = 'agents-unsaved'
      if (message === undefined) notices.dismiss(noticeId)
      else
        notices.add({
          noticeId,
          severity: 'error',
          title: 'What you revoked isn’t saved yet',
          message: `It holds until Patchbay closes, and would be back after that. ${message} Free up disk space; Patchbay tries again automatically.`,
        })
    },
  })
}

function openListener(
  { profileDir, store, notices, time }: AppContext,
  deps: {
    readonly agents: AgentStore
    readonly presence: AgentPresence
    readonly endpoint: ServedEndpoint
  },
  onConnections: () => void,
): Gateway {
  const { agents, presence, endpoint } = deps
  return new Gateway({
    ...{ agents, time },
    port: () => store.settings.gatewayPort,
    addressFile: join(profileDir, 'gateway.json'),
    platform: process.platform,
    open: (port) =>
      GatewayListener.open({
        port,
        byKey: (key) => agents.byKey(key),
        endpoint,
        settings: () => store.settings,
        time,
        onEvent: (event) => {
          if (event.kind === 'fault') reportFailure('gateway', event.error)
          else if (event.kind === 'connections') onConnections()
          else {
            presence.seen(event.agentId)
            if (!event.isBridge) agents.recordHttp(event.agentId)
          }
        },
      }),
    onBusy: (busy) => showBusy(notices, busy),
    onMoved: (url) =>
      notices.add({
        noticeId: 'gateway-moved',
        severity: 'info',
        title: 'The gateway address changed',
        message: `The gateway is now at ${url}, and connected agents were disconnected. Agents that use HTTP need the new address; "patchbay bridge" finds it automatically.`,
      }),
    onLost: (message) =>
      notices.warn('gateway-address', 'The bridge may not find the gateway', message),
  })
}

function showBusy(notices: Notices, busy: BusyPort | undefined): void {
  const noticeId = 'gateway-busy'
  if (busy === undefined) {
    notices.dismiss(noticeId)
    return
  }
  const { port, url } = busy
  const who = `Another program, maybe of another account, uses port ${String(port)}`
  notices.add(
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

type ServerLog = NonNullable<ReturnType<ServerDirectory['find']>>['log']

type EndpointDeps = {
  readonly servers: ServerDirectory
  readonly tools: ToolsModule
  readonly activity: Pick<ActivityModule, 'record'>
  readonly agents: AgentStore
  readonly presence: AgentPresence
}

/** Opens the agents' listings, their calls, and the protocol around both; nothing runs before the first request. */
function openEndpoint(ctx: AppContext, deps: EndpointDeps, owned: Disposables) {
  const { store, settings, time, userRequests } = ctx
  const { servers, agents, presence, activity } = deps
  const { tools, watches } = deps.tools
  const nameOf = (installationId: string): string =>
    store.find(installationId)?.name ?? installationId
  const logOf = (installationId = ''): ServerLog | undefined => servers.find(installationId)?.log
  const mask = (text: string, installationId?: string): string =>
    logOf(installationId)?.redactor(text) ?? text
  const warn = warnOnce((installationId, message) =>
    logOf(installationId)?.append('patchbay', 'warn', message),
  )
  const listings = new AgentListings({ tools, agents, nameOf, warn })
  const approvals = new CallApprovals({
    ...{ userRequests, agents, mask, nameOf },
    callable: (agentId) => listings.of(agentId).callable.map(({ resolved }) => resolved),
    waitMs: () => settings().questionMs,
  })
  const running = new RunningCalls(time, mask, {
    record: (call) => {
      presence.called(call.agentId, call.outcome)
      activity.record(call)
    },
  })
  const calls = new AgentCalls({ listings, tools, servers, approvals, running, presence, warn })
  const modules = { listings, calls, servers, tools, watches, presence }
  const protocol = openProtocol(modules, ctx.info, time)
  owned.add(
    agents.onDidChange(({ kind, agentId }) => {
      if (kind === 'removed' || kind === 'keyRenewed') protocol.cut(agentId)
      if (kind === 'removed') {
        listings.forget(agentId)
        approvals.forget(agentId)
      }
      protocol.changed()
    }),
  )
  return { listings, calls, running, approvals, protocol }
}

/** Loads the protocol with the first request: most runs of the app have none. */
function openProtocol(...parts: ConstructorParameters<typeof AgentEndpoint>) {
  let endpoint: AgentEndpoint | undefined
  let isClosed = false
  const load = async (): Promise<AgentEndpoint> => {
    const { AgentEndpoint } = await import('../../core/gateway/protocol/endpoint')
    endpoint ??= new AgentEndpoint(...parts)
    return endpoint
  }
  return {
    /** Serves an allowed request; settles when the response is complete or its stream has ended. Never rejects. */
    serve: async (exchange: AgentExchange): Promise<void> => {
      const loaded = endpoint ?? (await load())
      if (isClosed) exchange.response.destroy()
      else await loaded.serve(exchange)
    },
    /** Servers or their lists may have changed. */
    changed: () => endpoint?.changed(),
    cut: (agentId: string) => endpoint?.closeAgent(agentId),
    close: () => {
      isClosed = true
      endpoint?.close()
    },
  }
}
