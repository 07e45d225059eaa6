import { join } from 'node:path'
import type { Worker, WorkerOptions } from 'node:worker_threads'

import type { AppInfo } from '../../../src-shared/domain/state/app-state'
import type { Settings } from '../../../src-shared/domain/state/settings'
import type { BundleOpener } from '../../core/bundle/bundle-opener'
import type { History } from '../../core/history/history'
import type { SeenMarker } from '../../core/history/seen-marker'
import type { InstallationService } from '../../core/installation/installation-service'
import type { ProfileDocument } from '../../core/installation/store/profile-document'
import { childEnvironment } from '../../core/launch/environment/child-environment'
import type { ComputerVariables } from '../../core/launch/environment/computer-variables'
import type { RunnerDoctor } from '../../core/launch/runners/runner-doctor'
import type { LogArchive } from '../../core/log/log-archive'
import type { LogReader } from '../../core/log/log-reader'
import { ServerRequests } from '../../core/mcp/elicitation/server-requests'
import type { MessageLog } from '../../core/message-log/message-log'
import type { Metrics } from '../../core/metrics/metrics'
import { noteNetworkChanges } from '../../core/network-choice/note-network-changes'
import type { SecretBackend } from '../../core/ports'
import { LedgerFile } from '../../core/process/orphans/ledger-file'
import { noticeOf } from '../../core/process/orphans/ledger-notices'
import { OrphanLedger } from '../../core/process/orphans/orphan-ledger'
import { PrivateFolders } from '../../core/process/spawn/private-folders'
import type { Questions } from '../../core/questions/questions'
import { type DirectoryContext, ServerDirectory } from '../../core/servers/server-directory'
import { type LaunchContext, prepareLaunch } from '../../core/servers/start/prepare-launch'
import { ProtocolVersionCache } from '../../core/servers/start/protocol-version-cache'
import type { SignIns } from '../../core/sign-in/sign-ins'
import type { StateFeed } from '../../core/state/state-feed'
import { openBundles } from './open-bundles'
import type { OpenedCatalog } from './open-catalog'
import { openHistory } from './open-history'
import { openLogs } from './open-logs'
import { openMetrics } from './open-metrics'
import { openRunners } from './open-runners'
import { openSignIn } from './open-sign-in'
import type { OpenTools } from './open-tools'

/** What runs servers, and what is written of them. */
export type OpenServers = {
  readonly servers: ServerDirectory
  readonly signIns: SignIns
  readonly doctor: RunnerDoctor
  readonly variables: ComputerVariables
  readonly bundles: BundleOpener
  readonly archive: LogArchive
  readonly lines: LogReader
  readonly metrics: Metrics
  readonly history: History
  readonly looked: SeenMarker
  /** Stops all servers side by side; settles when none is left and all is written. */
  close(): Promise<void>
}

/** What servers run with. */
export type ServersParts = {
  readonly store: ProfileDocument
  readonly settings: () => Settings
  readonly installations: InstallationService
  readonly secrets: SecretBackend
  readonly listed: OpenedCatalog
  readonly feed: StateFeed
  readonly offered: () => OpenTools
  readonly questions: Questions
  readonly messageLog: () => Pick<MessageLog, 'openSession'>
}

/** Opens what runs servers; none of them is there yet. */
export function openServers(
  options: {
    readonly profileDir: string
    readonly info: Pick<AppInfo, 'version' | 'wayIn'>
    readonly mayFetchBundle?: ((address: URL) => boolean) | undefined
    readonly createSearchWorker?: ((options: WorkerOptions) => Worker) | undefined
  },
  parts: ServersParts,
): OpenServers {
  const { store, settings, installations, secrets, listed, feed, offered } = parts
  const { version, wayIn } = options.info
  const ledger = openLedger(options.profileDir, store, feed)
  const folders = openFolders(options.profileDir, ledger)
  const { doctor, loginShell, variables } = openRunners({
    ...listed,
    wayIn,
    ledger,
    folders,
    settings,
  })
  const shared = { ...options, ...listed, store, ledger, feed, servers: () => servers }
  const bundles = openBundles({ ...shared, doctor })
  const { fetch, patientFetch } = listed.network
  const signIns = openSignIn({ ...shared, secrets, fetch })
  const launches: LaunchContext = {
    ...{ installations, settings },
    fetch: patientFetch,
    openAuth: (id) => signIns.openFor(id),
    versions: new ProtocolVersionCache(options.profileDir),
    commands: { doctor, ledger, folders, bundlesOf: bundles.checkFor },
  }
  const logs = openLogs({ ...shared, settings })
  const counted = openMetrics({ ...shared, version })
  const past = openHistory(shared)
  const servers: ServerDirectory = new ServerDirectory(
    {
      installationOf: (id) => store.find(id),
      prepare: (installationId, log, isInstance) =>
        prepareLaunch(launches, { installationId, log, isInstance }),
      settings,
      unapplied: installations.changes,
      clientVersion: version,
      serverRequests: asksFor(parts),
      openTap: (installationId) => parts.messageLog().openSession(installationId),
    },
    logs,
  )
  servers.onDidChange((installationId) => {
    counted.metrics.changed(installationId)
    offered().serverChanged(installationId)
    feed.serverChanged(installationId)
  })
  const following = followChanges(parts, servers)
  return {
    servers,
    signIns,
    ...{ doctor, variables },
    bundles: bundles.opener,
    archive: logs.archive,
    lines: logs.lines,
    metrics: counted.metrics,
    history: past.history,
    looked: past.looked,
    close: async () => {
      const shut: Disposable[] = [...following, loginShell, signIns, bundles.opener]
      for (const one of shut) one[Symbol.dispose]()
      await servers.close()
      ledger.close()
      await Promise.all([logs.close(), counted.close(), past.close()])
    },
  }
}

/** What reaches servers that are there already. */
function followChanges(
  { store, listed, installations }: ServersParts,
  servers: ServerDirectory,
): Disposable[] {
  return [
    store.onDidChange(({ hasSettings }) => {
      if (hasSettings) servers.settingsChanged()
    }),
    servers.onDidWake(() => listed.network.renew()),
    noteNetworkChanges(listed.choice, () => store.installations, installations.changes),
  ]
}

function asksFor({
  store,
  settings,
  feed,
  questions,
}: ServersParts): DirectoryContext['serverRequests'] {
  return (installationId, log, appRoots) =>
    new ServerRequests({
      installationId,
      questions,
      waitMs: () => settings().questionMs,
      roots: () => store.find(installationId)?.roots ?? [],
      appRoots,
      log,
      onDidChange: () => feed.serverChanged(installationId),
    })
}

function openFolders(profileDir: string, ledger: OrphanLedger): PrivateFolders {
  const folders = new PrivateFolders(join(profileDir, 'scratch'), ledger.ready)
  void folders.sweep()
  return folders
}

function openLedger(profileDir: string, store: ProfileDocument, feed: StateFeed): OrphanLedger {
  return new OrphanLedger({
    file: new LedgerFile(profileDir),
    env: childEnvironment({ own: process.env, platform: process.platform }, {}),
    onNotification: (news) => feed.addNotice(noticeOf(news, (owner) => store.find(owner)?.name)),
  })
}
