import { homedir } from 'node:os'
import { join } from 'node:path'

import { isFailed } from '../../src-shared/domain/running/run-status'
import type { AppState } from '../../src-shared/domain/state/app-state'
import type { OpenedLink } from '../../src-shared/domain/state/opened-link'
import type { StateEvent } from '../../src-shared/ipc/contract'
import { OpenedLinks } from '../core/import/opened-links'
import { InstallationService } from '../core/installation/installation-service'
import { moveNamedValues } from '../core/installation/secrets/move-named-values'
import { startsWithApp } from '../core/installed/installed-servers'
import { background, reportFailure } from '../core/lifecycle/background'
import { withTimeLimit } from '../core/lifecycle/time-limit'
import type { ServerRemovals } from '../core/removal/server-removals'
import { withEnvironmentSecrets } from '../core/secrets/environment-secrets'
import { reachesSecrets } from '../core/secrets/secret-vault'
import type { ServerDirectory } from '../core/servers/server-directory'
import type { Notices } from '../core/state/changes'
import { serverView, StateFeed } from '../core/state/state-feed'
import { VetReports } from '../core/vet/vet-reports'
import type { Handlers, HandlersOf } from '../ipc/answer'
import { openActivity } from './modules/activity'
import { openApp } from './modules/app'
import { openApps } from './modules/apps'
import { openCatalog } from './modules/catalog'
import {
  type AppContext,
  openContext,
  openPage,
  type PatchbayOptions,
  type Shell,
} from './modules/context'
import { type GatewayModule, openGateway } from './modules/gateway'
import { openHistory } from './modules/history'
import { openInstallations } from './modules/installations'
import { openLogs } from './modules/logs'
import { openMetrics } from './modules/metrics'
import { openNetwork } from './modules/network'
import { openRemoval } from './modules/removal'
import { openRunners } from './modules/runners'
import { openServers } from './modules/servers'
import { openMessageLog, openToolRuns } from './modules/tool-runs'
import { openTools } from './modules/tools'
import { openVet } from './modules/vet'
import { openViews } from './modules/views'

/** Time for running removals at quit, in ms. */
const LAST_REMOVALS_MS = 2_000

/** The running core, the same for both ways in. */
export type Patchbay = {
  readonly handlers: Handlers
  readonly onEvent: (listener: (event: StateEvent) => void) => Disposable
  readonly notices: Pick<Notices, 'add' | 'dismiss'>
  readonly servers: ServerDirectory
  readonly gateway: Pick<GatewayModule, 'agents' | 'calls'>
  /** Masks every known secret of a server. */
  readonly mask: (text: string) => string
  /** Whether an address is that of a view waiting to be loaded. */
  isViewAddress(address: string): boolean
  state(): AppState
  /** Shows a link or bundle that the app was opened with, and does nothing else. */
  openLink(opened: Pick<OpenedLink, 'kind' | 'text'>): void
  /** Installs a downloaded update; call last, when everything has stopped. Never rejects. */
  installUpdate(): Promise<void>
  /** Stops all servers in parallel; settles when none is left, within about 6 s. */
  close(): Promise<void>
  /** Deletes an emptied profile folder; call after its lock is released. Never rejects. */
  finish(): Promise<void>
}

/** Opens the modules and starts every server that starts with the app, without waiting for any. */
export function openPatchbay(options: PatchbayOptions): Patchbay {
  const { shell = {}, profile } = options
  const ctx = openContext(options)
  const modules = openModules(ctx, options, shell)
  const { servers, gateway, apps, links, logs, installations, installed, app } = modules
  const feed = openFeed(ctx, modules)
  modules.history.follow(feed)
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= closeModules(ctx, modules))
  const removal = openRemoval(ctx, { agents: gateway.agents, apps, close, end: shell.end })
  const settingsFile = profile.document.file
  const handlers = removal.guard({
    ...handlersOf(modules),
    ...app.handlers({ feed, links, installations, logs, settingsFile }),
    ...userRequestHandlers(ctx, shell),
  })
  begin(ctx, servers, installations, installed.removals)
  return {
    handlers: { ...handlers, ...removal.handlers },
    onEvent: feed.onEvent,
    ...{ notices: ctx.notices, servers, gateway },
    mask: (text) => logs.logs.mask(text),
    isViewAddress: (address) => modules.views.isViewAddress(address),
    state: () => feed.snapshot(),
    openLink: (opened) => links.open(opened),
    close: async () => {
      await removal.removal.settled()
      await close()
    },
    finish: () => removal.removal.finish(),
    installUpdate: () => app.installUpdate(),
  }
}

type Modules = ReturnType<typeof openModules>

/** Opens the modules, each after its dependencies. */
function openModules(
  ctx: AppContext,
  { threads, computer = {}, updateSource }: PatchbayOptions,
  shell: Shell,
) {
  const { store, vault, changes } = ctx
  const links = new OpenedLinks()
  links.onDidChange(() => changes.topic('link'))
  const network = openNetwork(ctx, computer.resolveProxy)
  const runners = openRunners(ctx, network.choice)
  const { variables } = runners
  const installations = new InstallationService(
    store,
    withEnvironmentSecrets(vault, (name) => variables.valueOf(name)),
    computer.workingFolder ?? homedir(),
  )
  const catalog = openCatalog(ctx, {
    ...{ network: network.network, installations, createWorker: threads.createCatalogWorker },
    syncs: computer.syncsCatalog,
  })
  const logs = openLogs(ctx, threads, shell)
  const messageLog = openMessageLog(ctx, logs.logs)
  const serverDeps = { installations, logs: logs.logs, messageLog, catalog, network }
  const running = openServers(ctx, { ...serverDeps, runners }, computer, shell)
  const { servers } = running
  const metrics = openMetrics(ctx, servers, network)
  const tools = openTools(ctx, servers, threads.createTokenWorker)
  // These modules follow a server before the screens do.
  servers.onDidChange((installationId) => changes.server(installationId))
  const activity = openActivity(ctx, logs.logs, threads.createAuditWorker)
  const gateway = openGateway(ctx, { servers, tools, activity })
  const toolRuns = openToolRuns(ctx, servers, tools, messageLog)
  const views = openViews(ctx, servers, installations, toolRuns)
  const history = openHistory(ctx, servers)
  const reports = new VetReports(join(ctx.profileDir, 'reports'))
  const installed = openInstallations(ctx, {
    ...{ installations, catalog, servers: running, tools: tools.tools, variables },
    keepers: [logs.archive, metrics.metrics, history.history, reports],
  })
  const checked = { installations, removals: installed.removals, catalog, running, reports }
  const vet = openVet(ctx, { ...checked, logs: logs.logs }, tools.countTokens)
  const thisComputer = { platform: process.platform, home: homedir(), env: process.env }
  const apps = openApps(ctx, {
    ...{ place: computer.appPlace ?? thisComputer, gateway, installations, servers },
    installed: installed.installed,
  })
  const app = openApp(ctx, servers, network.network, updateSource, shell)
  return {
    ...{ links, network, runners, installations, catalog, logs, running, servers },
    ...{ metrics, tools, activity, gateway, toolRuns, views, vet, history, installed, apps, app },
  }
}

function openFeed(
  { info, changes, store, vault, notices, userRequests }: AppContext,
  modules: Modules,
): StateFeed {
  const { servers, running, tools, catalog, gateway, apps, activity, links } = modules
  const { changes: unapplied } = modules.installations
  const { signIns } = running
  const viewed = { store, servers, signIns, catalog, unapplied, tools: tools.tools }
  return new StateFeed({
    ...{ info, changes, store },
    viewOf: (installationId) => serverView(viewed, installationId),
    snapshots: {
      secretStore: () => vault.state,
      notices: () => [...notices.list],
      catalog: catalog.snapshot,
      tools: tools.snapshot,
      userRequests: () => [...userRequests.pending],
      agents: gateway.snapshot,
      hosts: apps.state,
      activity: activity.snapshot,
      link: () => links.link,
      appUpdate: modules.app.snapshot,
    },
  })
}

/** Handlers of all modules that don't need the feed. */
function handlersOf(
  modules: Modules,
): Omit<Handlers, keyof HandlersOf<'app' | 'settings' | 'userRequest' | 'removal'>> {
  return {
    ...modules.catalog.handlers,
    ...modules.network.handlers,
    ...modules.runners.handlers,
    ...modules.running.handlers,
    ...modules.logs.handlers,
    ...modules.metrics.handlers,
    ...modules.history.handlers,
    ...modules.tools.handlers,
    ...modules.toolRuns.handlers,
    ...modules.views.handlers,
    ...modules.vet.handlers,
    ...modules.activity.handlers,
    ...modules.gateway.handlers,
    ...modules.apps.handlers,
    ...modules.installed.handlers,
  }
}

async function closeModules({ userRequests }: AppContext, modules: Modules): Promise<void> {
  const { installed, catalog, apps, toolRuns, views, vet, gateway, running, runners } = modules
  const { logs, metrics, history, network, tools, activity, app } = modules
  userRequests[Symbol.dispose]()
  // A longer removal is finished at the next start.
  await withTimeLimit(LAST_REMOVALS_MS, () => installed.removals.endAll()).catch(() => undefined)
  const ending = closeAll({ catalog, apps, toolRuns, views, vet })
  await closeAll({ gateway })
  await closeAll({ servers: running })
  runners.close()
  await closeAll({ logs, metrics, history })
  await ending
  await closeAll({ network, tools, activity })
  app.close()
}

/** Closes modules in parallel. A failing one is logged and keeps no other from closing, least of all the servers. */
async function closeAll(
  modules: Readonly<Record<string, { close(): Promise<void> }>>,
): Promise<void> {
  await Promise.all(
    Object.entries(modules).map(async ([what, module]) => {
      try {
        await module.close()
      } catch (error) {
        reportFailure(`closing ${what}`, error)
      }
    }),
  )
}

function userRequestHandlers(
  { userRequests }: AppContext,
  shell: Shell,
): HandlersOf<'userRequest'> {
  return {
    'userRequest.answer': ({ requestId, answer }) => userRequests.answer(requestId, answer),
    'userRequest.argument': ({ requestId, at }) => userRequests.argumentOf(requestId, at),
    'userRequest.openPage': ({ requestId }) => openPage(shell, userRequests.pageOf(requestId)),
  }
}

function begin(
  { store, vault, notices }: AppContext,
  servers: ServerDirectory,
  installations: InstallationService,
  removals: ServerRemovals,
): void {
  // The first start waits for this, because a server needs its secrets in one place.
  const moving = moveNamedValues(store, vault, (version) => installations.previewOf(version))
  background(
    moving.then((moved) => moved.forEach((notice) => notices.add(notice))),
    'moving secrets',
  )
  for (const { installationId } of store.installations) servers.add(installationId)
  for (const one of store.installations) {
    if (startsWithApp(one)) servers.read(one.installationId).start(undefined, 'app')
  }
  // Servers that failed without their secrets start as soon as those are readable.
  vault.onDidChangeState((state) => {
    if (!reachesSecrets(state)) return
    for (const server of servers.all())
      if (isFailed(server.status) && server.status.code === 'SECRET_STORE_FAILED')
        server.start({}, 'app')
    deleteUnwantedSecrets()
  })
  // Deletes what an earlier run couldn't.
  const deleteUnwantedSecrets = (): void => {
    background(installations.earlier.tidy(), 'deleting earlier versions')
    background(removals.deleteRemaining(), 'deleting removed servers')
  }
  deleteUnwantedSecrets()
}
