import { join } from 'node:path'

import type { HostsState } from '../../../src-shared/domain/agents/host'
import { isFailed } from '../../../src-shared/domain/running/run-status'
import type { AppInfo, SecretStoreState } from '../../../src-shared/domain/state/app-state'
import { AppFiles } from '../../core/apps/app-files'
import type { HostPlace } from '../../core/apps/apps/host-app'
import { HOST_APPS } from '../../core/apps/apps/host-apps'
import { ChangeBackups } from '../../core/apps/files/change-backups'
import { FileEditor } from '../../core/apps/files/file-editor'
import { hostFilePlaces } from '../../core/apps/files/host-file-places'
import { HostLedger } from '../../core/apps/files/host-ledger'
import { HostConnector } from '../../core/apps/host-connector'
import { watchHosts } from '../../core/apps/host-watch'
import type { HostConnections, HostImports } from '../../core/apps/hosts-answer'
import { findDoubles } from '../../core/apps/import/find-doubles'
import { openHostImports } from '../../core/apps/import/host-imports'
import type { InstallationService } from '../../core/installation/installation-service'
import type { ProfileDocument } from '../../core/installation/store/profile-document'
import type { InstalledServers } from '../../core/installed/installed-servers'
import { Disposables } from '../../core/lifecycle/disposables'
import { systemTime } from '../../core/lifecycle/system-time'
import type { HostFiles } from '../../core/removal/own-entries'
import type { SecretVault } from '../../core/secrets/secret-vault'
import type { ServerDirectory } from '../../core/servers/server-directory'
import type { StateFeed } from '../../core/state/state-feed'
import type { OpenGateway } from './open-gateway'

/** The files of agent apps, with what can be asked of them. */
export type OpenHosts = HostFiles & {
  readonly addFolder: (path: string) => Promise<void>
  readonly removeFolder: (path: string) => Promise<void>
  readonly connections: HostConnections
  readonly imports: HostImports
  /** Looks no more; settles when nothing is being written. */
  close(): Promise<void>
}

/** What of the core the files of agent apps stand on. */
export type HostParts = {
  readonly place: HostPlace
  readonly profileDir: string
  readonly info: Pick<AppInfo, 'ownCommand'>
  readonly vault: SecretVault
  readonly gateway: Pick<OpenGateway, 'agents' | 'newProfile' | 'state'>
  readonly store: ProfileDocument
  readonly installations: InstallationService
  readonly installed: InstalledServers
  readonly servers: Pick<ServerDirectory, 'find'>
  readonly feed: StateFeed
}

/** A bridge looks for its key in the keychain, and no file of a host gets one. */
const NO_KEYCHAIN =
  'Without a keychain, the bridge finds no key. Create a new key for this agent and set it as PATCHBAY_AGENT_KEY in the app’s environment.'

/** As `NO_KEYCHAIN`, where keys are in the encrypted file. */
const IN_FILE =
  'Keys are in the encrypted file, so set PATCHBAY_PASSPHRASE or PATCHBAY_AGENT_KEY in the app’s environment.'

function keyNotes({ kind }: SecretStoreState): string[] {
  if (kind === 'memory') return [NO_KEYCHAIN]
  return kind === 'file' ? [IN_FILE] : []
}

/** Looks for agent apps on this computer; waits for nothing. */
export function openHosts(parts: HostParts): OpenHosts {
  const { place, profileDir, feed, gateway } = parts
  const ledger = new HostLedger(join(profileDir, 'hosts.json'))
  tellLost(ledger, parts)
  const places = (): ReturnType<typeof hostFilePlaces> => hostFilePlaces(HOST_APPS, place, ledger)
  const editor = openEditor(parts, ledger, places)
  const connector = openConnector(parts, ledger, editor)
  const desk = new AppFiles({
    ...{ apps: HOST_APPS, place, editor, ledger, context: () => connector.context },
    onChange: () => feed.hostsChanged(),
  })
  const look = (): Promise<void> => desk.look(false).catch(report)
  const owned = new Disposables()
  owned.add(
    watchHosts({
      ...{ time: systemTime, platform: place.platform, look },
      paths: () => [
        ...places().flatMap((group) => group.map(({ path }) => path)),
        ...HOST_APPS.flatMap(({ traces }) => traces(place)),
      ],
    }),
  )
  owned.add(
    gateway.agents.onDidChange(({ kind }) => {
      if (desk.state.isRead && (kind === 'added' || kind === 'removed')) void look()
    }),
  )
  const imports = openHostImports({ ...parts, editor, ownUrl: () => urlOf(gateway) })
  return {
    state: (): HostsState => desk.state,
    look: () => desk.look(),
    addFolder: desk.addFolder,
    removeFolder: desk.removeFolder,
    undo: desk.changing(connector.undo),
    putBack: desk.changing(connector.putBack),
    written: () =>
      ledger.written.map(({ hostId, path, entryName }) => {
        const hostName = HOST_APPS.find((app) => app.hostId === hostId)?.name ?? hostId
        return { fileId: `${hostId}:${path}`, entryName, hostName, path }
      }),
    takeOut: (fileId, entryName) =>
      desk.changing(() => connector.takeOut(fileId, entryName))(undefined),
    connections: {
      previewConnect: connector.previewConnect,
      connect: desk.changing(connector.connect),
      previewDisconnect: connector.previewDisconnect,
      disconnect: desk.changing(connector.disconnect),
      accept: desk.changing(connector.accept),
    },
    imports: { ...imports, import: desk.changing(imports.import) },
    close: async () => {
      owned[Symbol.dispose]()
      await desk.idle()
      await editor.idle()
    },
  }
}

function openEditor(
  { profileDir, vault, place }: HostParts,
  ledger: HostLedger,
  places: () => ReturnType<typeof hostFilePlaces>,
): FileEditor {
  const folder = join(profileDir, 'host-backups')
  const backups = new ChangeBackups({ folder, backupsId: () => ledger.backupsId, vault })
  return new FileEditor({ places, ledger, backups, clock: systemTime, platform: place.platform })
}

function openConnector(parts: HostParts, ledger: HostLedger, editor: FileEditor): HostConnector {
  const { gateway, vault, info, profileDir, servers } = parts
  const { agents, newProfile } = gateway
  const hasFailed = (installationId: string): boolean => {
    const server = servers.find(installationId)
    return server !== undefined && isFailed(server.status)
  }
  return new HostConnector({
    ...{ editor, ledger, agents, newProfile, profileDir, ownCommand: info.ownCommand },
    wasSeen: (agentId) =>
      gateway.state().agents.some((one) => one.agentId === agentId && one.lastSeenAt !== undefined),
    findDoubles: (fileId, profile) =>
      findDoubles({ ...parts, editor, hasFailed, ownUrl: () => urlOf(gateway) }, fileId, profile),
    notes: () => keyNotes(vault.state),
    clock: systemTime,
  })
}

function urlOf(gateway: Pick<OpenGateway, 'state'>): string | undefined {
  const status = gateway.state().gateway
  return status.kind === 'open' ? status.url : undefined
}

function tellLost(ledger: HostLedger, { profileDir, feed }: HostParts): void {
  if (ledger.lost === undefined) return
  feed.addNotice({
    noticeId: 'hosts-file',
    severity: 'warn',
    title: 'Patchbay doesn’t know which apps it connected',
    message: `${join(profileDir, 'hosts.json')} can’t be used: ${ledger.lost} Open Apps, then keep or repair the Patchbay entries.`,
  })
}

function report(error: unknown): void {
  process.stderr.write(`patchbay: the files of agent apps: ${String(error)}\n`)
}
