import { join } from 'node:path'

import { isFailed } from '../../../src-shared/domain/running/run-status'
import type { SecretStoreState } from '../../../src-shared/domain/state/app-state'
import { AppFiles } from '../../core/apps/app-files'
import type { PathContext } from '../../core/apps/apps/host-app'
import { HOST_APPS } from '../../core/apps/apps/host-apps'
import { ChangeBackups } from '../../core/apps/files/change-backups'
import { FileEditor } from '../../core/apps/files/file-editor'
import { hostFileLocations } from '../../core/apps/files/found-file'
import { HostLedger } from '../../core/apps/files/host-ledger'
import { HostConnector } from '../../core/apps/host-connector'
import { watchHosts } from '../../core/apps/host-watch'
import { HostImports } from '../../core/apps/import/host-imports'
import type { InstallationService } from '../../core/installation/installation-service'
import type { InstalledServers } from '../../core/installed/installed-servers'
import { reportFailure } from '../../core/lifecycle/background'
import { Disposables } from '../../core/lifecycle/disposables'
import type { HostFiles } from '../../core/removal/own-entries'
import type { ServerDirectory } from '../../core/servers/server-directory'
import type { HandlersOf } from '../../ipc/answer'
import type { AppContext } from './context'
import type { GatewayModule } from './gateway'

export type AppsModule = HostFiles & {
  readonly handlers: HandlersOf<'hosts'>
  /** Stops watching; settles when nothing is being written. */
  close(): Promise<void>
}

export type AppDeps = {
  readonly place: PathContext
  readonly gateway: GatewayModule
  readonly installations: InstallationService
  readonly installed: InstalledServers
  readonly servers: Pick<ServerDirectory, 'find'>
}

/** Note for a bridge without a keychain: it reads its key there, and app files never contain keys. */
const NO_KEYCHAIN =
  'Without a keychain, the bridge finds no key. Create a new key for this agent and set it as PATCHBAY_AGENT_KEY in the app’s environment.'

/** Like `NO_KEYCHAIN`, if keys are in the encrypted file. */
const IN_FILE =
  'Keys are in the encrypted file, so set PATCHBAY_PASSPHRASE or PATCHBAY_AGENT_KEY in the app’s environment.'

function keyNotices({ kind }: SecretStoreState): string[] {
  if (kind === 'memory') return [NO_KEYCHAIN]
  return kind === 'file' ? [IN_FILE] : []
}

/** Starts looking for agent apps on this computer; doesn't wait. */
export function openApps(ctx: AppContext, deps: AppDeps): AppsModule {
  const { profileDir, changes, time, vault, info } = ctx
  const { place, gateway } = deps
  const ledger = new HostLedger(join(profileDir, 'hosts.json'))
  reportLost(ledger, ctx)
  const fileGroups = (): ReturnType<typeof hostFileLocations> =>
    hostFileLocations(HOST_APPS, place, ledger)
  const folder = join(profileDir, 'host-backups')
  const backups = new ChangeBackups({ folder, backupsId: () => ledger.backupsId, vault })
  const { platform } = place
  const editor = new FileEditor({ fileGroups, ledger, backups, clock: time, platform })
  const imports = openImports(ctx, deps, editor)
  const { agents, newProfile } = gateway
  const connector = new HostConnector({
    ...{ editor, agents, newProfile, info, findDuplicates: imports.findDuplicates },
    gatewaySettled: gateway.settled,
    wasSeen: (agentId) =>
      gateway
        .snapshot()
        .agents.some((one) => one.agentId === agentId && one.lastSeenAt !== undefined),
  })
  const files = new AppFiles({
    ...{ apps: HOST_APPS, place, editor, ledger, context: () => connector.context },
    onChange: () => changes.topic('hosts'),
  })
  const refresh = (): Promise<void> =>
    files.refresh(false).catch((error: unknown) => reportFailure('the files of agent apps', error))
  const owned = new Disposables()
  owned.add(
    watchHosts({
      ...{ time, platform, refresh },
      paths: () => [
        ...fileGroups().flatMap((group) => group.map(({ path }) => path)),
        ...HOST_APPS.flatMap(({ traces }) => traces(place)),
      ],
    }),
  )
  owned.add(
    agents.onDidChange(({ kind }) => {
      if (files.state.isRead && (kind === 'added' || kind === 'removed')) void refresh()
    }),
  )
  const undo = files.changing(connector.undo)
  return {
    state: () => files.state,
    refresh: () => files.refresh(),
    undo,
    putBack: files.changing(editor.undoOrRestore),
    written: () =>
      ledger.written.map(({ hostId, path, entryName }) => {
        const hostName = HOST_APPS.find((app) => app.hostId === hostId)?.name ?? hostId
        return { fileId: `${hostId}:${path}`, entryName, hostName, path }
      }),
    removeEntry: (fileId, entryName) =>
      files.changing(() => connector.removeEntry(fileId, entryName))(undefined),
    handlers: {
      'hosts.look': () => files.refresh(),
      'hosts.addFolder': ({ path }) => files.addFolder(path),
      'hosts.removeFolder': ({ path }) => files.removeFolder(path),
      'hosts.previewConnect': async (input) => {
        const preview = await connector.previewConnect(input)
        return { ...preview, notes: [...preview.notes, ...keyNotices(vault.state)] }
      },
      'hosts.connect': files.changing(connector.connect),
      'hosts.previewDisconnect': connector.previewDisconnect,
      'hosts.disconnect': files.changing(connector.disconnect),
      'hosts.accept': files.changing(connector.accept),
      'hosts.undo': ({ changeId }) => undo(changeId),
      'hosts.servers': imports.servers,
      'hosts.previewSwitchOff': imports.previewSwitchOff,
      'hosts.import': files.changing(imports.import),
    },
    close: async () => {
      owned[Symbol.dispose]()
      await files.idle()
      await editor.idle()
    },
  }
}

function openImports({ vault }: AppContext, deps: AppDeps, editor: FileEditor): HostImports {
  return new HostImports({
    ...{ ...deps, vault, editor },
    ownUrl: () => {
      const status = deps.gateway.snapshot().gateway
      return status.kind === 'open' ? status.url : undefined
    },
    hasFailed: (installationId) => {
      const server = deps.servers.find(installationId)
      return server !== undefined && isFailed(server.status)
    },
  })
}

function reportLost(ledger: HostLedger, { profileDir, notices }: AppContext): void {
  if (ledger.lost === undefined) return
  notices.warn(
    'hosts-file',
    'Patchbay doesn’t know which apps it connected',
    `${join(profileDir, 'hosts.json')} can’t be used: ${ledger.lost} Open Apps, then keep or repair the Patchbay entries.`,
  )
}
