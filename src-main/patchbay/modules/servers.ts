import { AppError } from '../../../src-shared/domain/app-error'
import type { RunStatus } from '../../../src-shared/domain/running/run-status'
import { type InstallationService, offerOf } from '../../core/installation/installation-service'
import type { ProfileDocument } from '../../core/installation/store/profile-document'
import { busyError } from '../../core/installed/installed-servers'
import { background } from '../../core/lifecycle/background'
import { ServerRequests } from '../../core/mcp/elicitation/server-requests'
import { ProtocolVersionCache } from '../../core/mcp/negotiate'
import type { MessageLog } from '../../core/message-log/message-log'
import { recordNetworkChanges } from '../../core/network-choice/network-choice'
import { ServerDirectory } from '../../core/servers/server-directory'
import type { ServerLogs } from '../../core/servers/server-logs'
import { type LaunchContext, prepareLaunch } from '../../core/servers/start/prepare-launch'
import { SignIns } from '../../core/sign-in/sign-in'
import type { HandlersOf } from '../../ipc/answer'
import { openBundles } from './bundles'
import type { CatalogModule } from './catalog'
import { type AppContext, type Computer, openPage, type Shell } from './context'
import type { NetworkModule } from './network'
import type { RunnersModule } from './runners'

export type ServersModule = {
  readonly servers: ServerDirectory
  readonly signIns: SignIns
  readonly handlers: HandlersOf<'bundle' | 'signIn'> & ServerHandlers
  /** Stops all servers in parallel; settles when none is left. */
  close(): Promise<void>
}

type ServerHandlers = Pick<
  HandlersOf<'server' | 'runner'>,
  | 'server.start'
  | 'server.stop'
  | 'server.restart'
  | 'server.reconnect'
  | 'server.endInstance'
  | 'runner.setUp'
>

/** Dependencies of running servers. */
export type ServerDeps = {
  readonly installations: InstallationService
  readonly logs: ServerLogs
  readonly messageLog: MessageLog
  readonly catalog: CatalogModule
  readonly network: NetworkModule
  readonly runners: RunnersModule
}

/** Opens the directory of servers, still empty. */
export function openServers(
  ctx: AppContext,
  deps: ServerDeps,
  { mayFetchBundle: mayFetch }: Computer,
  shell: Shell,
): ServersModule {
  const { store, settings, changes, info, userRequests } = ctx
  const { installations, logs, messageLog, runners, catalog } = deps
  const { choice, network } = deps.network
  const bundles = openBundles(ctx, {
    ...{ catalog: catalog.catalog, runners, network, mayFetch },
    statusOf: (installationId) => servers.find(installationId)?.status,
  })
  const signIns = openSignIn(ctx, deps, (installationId) => servers.find(installationId))
  const { doctor, ledger, folders } = runners
  const launches: LaunchContext = {
    ...{ installations, settings },
    fetch: network.patientFetch,
    openAuth: (installationId) => signIns.openFor(installationId),
    versions: new ProtocolVersionCache(ctx.profileDir),
    commands: { doctor, ledger, folders, bundlesOf: bundles.checkFor },
  }
  const servers: ServerDirectory = new ServerDirectory(
    {
      settings,
      clientVersion: info.version,
      installationOf: (installationId) => store.find(installationId),
      prepare: (installationId, log, kind) =>
        prepareLaunch(launches, { installationId, log, kind }),
      openTap: (installationId) => messageLog.openSession(installationId),
      unapplied: installations.changes,
      serverRequests: (installationId, log, ofApp) =>
        new ServerRequests({
          ...{ installationId, userRequests, log },
          waitMs: () => settings().questionMs,
          roots: { chosen: () => store.find(installationId)?.roots ?? [], ofApp },
          onDidChange: () => changes.server(installationId),
        }),
    },
    logs,
  )
  const following = [
    store.onDidChange(({ hasSettings }) => {
      if (hasSettings) servers.settingsChanged()
    }),
    servers.onDidWake(() => network.renew()),
    recordNetworkChanges(choice, () => store.installations, installations.changes),
    installations.changes.onDidNote((installationId) => changes.server(installationId)),
  ]
  return {
    ...{ servers, signIns },
    handlers: {
      ...bundles.handlers,
      ...signInHandlers(signIns, servers, shell),
      ...serverHandlers(servers),
      'runner.setUp': async ({ installationId, setupId }) => {
        const server = servers.read(installationId)
        // An unknown id is the caller's error, not the server's state.
        await doctor.findSetup(setupId)
        const isTaken = server.start({
          setUp: {
            limitMs: settings().installMs,
            run: (onLine, signal) => doctor.setUp(setupId, { onLine, signal }),
          },
        })
        if (!isTaken) throw busyError(server.status)
      },
    },
    close: async () => {
      for (const one of [...following, signIns]) one[Symbol.dispose]()
      bundles.close()
      await servers.close()
    },
  }
}

function serverHandlers(servers: ServerDirectory): Omit<ServerHandlers, 'runner.setUp'> {
  return {
    'server.start': ({ installationId }) => {
      // A running server already is as requested.
      servers.read(installationId).start()
    },
    'server.stop': ({ installationId }) => servers.read(installationId).stopOrEscalate(),
    'server.restart': ({ installationId }) => servers.read(installationId).restart(),
    'server.reconnect': ({ installationId }) => {
      const server = servers.read(installationId)
      if (!server.reconnect()) throw notRunningError(server.status)
    },
    'server.endInstance': ({ installationId, instanceId }) => {
      // An ended instance already is as requested.
      servers.read(installationId).instances?.endOne(instanceId)
    },
  }
}

function notRunningError({ kind }: RunStatus): AppError {
  const isUnderWay = kind === 'starting' || kind === 'stopping'
  const state = isUnderWay ? kind : 'not running'
  return new AppError('INVALID_REQUEST', `Not reconnected: the server is ${state}.`, {
    hint: isUnderWay ? 'Wait until it is done.' : 'Start the server.',
  })
}

/** Opens the sign-ins at remote servers, and reads who is signed in. */
function openSignIn(
  { store, vault, time, changes }: AppContext,
  { logs, network }: ServerDeps,
  find: ServerDirectory['find'],
): SignIns {
  const signIns = new SignIns({
    ...{ store, time, fetch: network.network.fetch, secrets: vault },
    clientMetadataUrl: () => store.settings.clientMetadataUrl,
    onEvent: (installationId, event) => {
      const server = find(installationId)
      if (event.kind === 'changed') changes.server(installationId)
      else if (event.kind === 'log')
        logs.find(installationId)?.append('patchbay', event.level, event.text)
      else if (event.kind !== 'signedIn') server?.signInLost()
      // A running server gets the new sign-in's permissions.
      else if (server && !server.reconnect()) server.start()
    },
  })
  background(loadSignIns(store, signIns), 'reading the sign-ins')
  return signIns
}

/** Handlers of sign-ins; each rejects with NOT_FOUND for a removed server. */
function signInHandlers(
  signIns: SignIns,
  servers: ServerDirectory,
  shell: Shell,
): HandlersOf<'signIn'> {
  return {
    'signIn.begin': ({ installationId, client, scopes }) => {
      servers.read(installationId)
      return signIns.of(installationId).begin(client, scopes)
    },
    'signIn.open': ({ installationId }) => {
      servers.read(installationId)
      return openPage(shell, signIns.of(installationId).address)
    },
    'signIn.cancel': ({ installationId }) => {
      servers.read(installationId)
      signIns.of(installationId).cancel()
    },
    'signIn.signOut': async ({ installationId }) => {
      servers.read(installationId).stopOrEscalate()
      return { revoked: await signIns.of(installationId).signOut() }
    },
  }
}

/** A keychain that doesn't answer is reported when a server starts. */
async function loadSignIns(
  { installations, removed }: ProfileDocument,
  signIns: SignIns,
): Promise<void> {
  for (const installation of [...installations, ...removed.map((one) => one.installation)]) {
    if (offerOf(installation).kind !== 'remote') continue
    await signIns
      .of(installation.installationId)
      .load()
      .catch(() => undefined)
  }
}
