import { createHmac, randomBytes } from 'node:crypto'

import type { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import type {
  HostChange,
  HostChangePreview,
  HostServer,
  ImportChoice,
} from '../../../../src-shared/domain/agents/host'
import { AppError } from '../../../../src-shared/domain/app-error'
import type { Installation } from '../../../../src-shared/domain/installation/installation'
import { segmentsOf } from '../../../../src-shared/form/custom-server-parts'
import type { ParsedInput, RequestOutput } from '../../../../src-shared/ipc/contract'
import { describePasted } from '../../import/describe-pasted'
import { describeToolChoice } from '../../import/tool-list'
import type { InstallationService } from '../../installation/installation-service'
import type { InstalledServers, UsableServer } from '../../installed/installed-servers'
import { isLoopback } from '../../network/is-loopback'
import type { SecretVault } from '../../secrets/secret-vault'
import type { PathContext } from '../apps/host-app'
import type { Duplicates } from '../duplicates'
import type { FileEditor } from '../files/file-editor'
import { errorText } from '../files/found-file'
import { type HostRead, type HostReading, readHosts, refOf } from './read-hosts'
import { type LaunchFingerprint, launchFingerprint, partsOfPreview } from './same-server'
import { realKey, switchOffEdit } from './switch-off'

export type ImportParts = {
  readonly installations: InstallationService
  readonly installed: Pick<InstalledServers, 'addMany'>
  readonly editor: Pick<FileEditor, 'read' | 'preview' | 'apply'>
  readonly place: Pick<PathContext, 'home' | 'env'>
  readonly vault: Pick<SecretVault, 'state' | 'ready'>
  /** Returns the gateway's address; undefined while it isn't reachable. */
  readonly ownUrl: () => string | undefined
  /** Whether a server failed and waits for the user. */
  readonly hasFailed: (installationId: string) => boolean
}

/** Reads the servers of apps, adds those that the user chose, and starts the approved ones. */
export class HostImports {
  /** Keys the displayed hashes: servers may differ only in a secret, which nobody must be able to guess from them. */
  readonly #key = randomBytes(32)

  constructor(private readonly parts: ImportParts) {}

  readonly servers = async ({
    choices,
  }: ParsedInput<'hosts.servers'>): Promise<RequestOutput<'hosts.servers'>> => {
    const { place, installations } = this.parts
    const { servers, unread } = await this.#read(choices)
    const findInstalled = installedFinder(installations.list, installations)
    const isThere = (variable: string): boolean => Object.hasOwn(place.env, variable)
    const shown = servers.map((one): HostServer => {
      const { found, server, group } = one
      return {
        ...refOf(found),
        hostName: found.file.app.name,
        hostPath: found.file.path,
        isOn: found.isOn,
        ...(found.offIn.length > 0 && { offIn: [...found.offIn] }),
        sameAs: createHmac('sha256', this.#key).update(group).digest('hex'),
        alreadyInstalledAs: findInstalled(one),
        tools: server.kind === 'usable' ? describeToolChoice(server.tools) : undefined,
        server: describePasted(server, installations, isThere),
      }
    })
    return { servers: shown, unread: [...unread] }
  }

  readonly previewSwitchOff = async ({
    refs,
  }: ParsedInput<'hosts.previewSwitchOff'>): Promise<RequestOutput<'hosts.previewSwitchOff'>> => {
    const { find } = await this.#read([])
    const enabled = refs.flatMap((ref) => find(ref) ?? []).filter(({ found }) => found.isOn)
    const isInMemory = await this.#isSecretInMemory()
    const files: HostChangePreview[] = []
    const seenFiles = new Set<string>()
    for (const [file, servers] of Map.groupBy(enabled, ({ found }) => found.file)) {
      // A file that several apps read is changed once.
      const key = realKey(file)
      if (seenFiles.has(key)) continue
      seenFiles.add(key)
      const edit = switchOffEdit(file, servers, isInMemory)
      files.push(await this.parts.editor.preview(file.fileId, edit))
    }
    return { files }
  }

  readonly import = async ({
    choices,
    switchOff,
  }: ParsedInput<'hosts.import'>): Promise<RequestOutput<'hosts.import'>> => {
    // Read before the first change, because grouping depends on all entries.
    const reading = await this.#read(choices)
    const chosen = choices.map((choice) => chosenOf(reading, choice))
    const usable = chosen.map(({ server }, index): UsableServer => ({ ...server, index }))
    const { added, problem } = await this.parts.installed.addMany(usable)
    const imported = added.flatMap(({ index }) => chosen[index] ?? [])
    const off = await this.#switchOff(reading, switchOff, chosen, imported)
    return { added, problem, ...off }
  }

  /** Returns a file's enabled entries that run a server which is enabled, approved, not failed, and exposed to an agent of this profile. */
  readonly findDuplicates = async (fileId: string, profile: AgentProfile): Promise<Duplicates> => {
    const { installations, hasFailed } = this.parts
    const provided = installations.list.filter(
      (one) =>
        one.enabled &&
        one.approvedPlan !== undefined &&
        isShown(profile, one) &&
        !hasFailed(one.installationId),
    )
    const isInMemory = await this.#isSecretInMemory()
    if (provided.length === 0) return { servers: [], isInMemory }
    const findInstalled = installedFinder(provided, installations)
    const { servers } = await this.#read([])
    const duplicates = servers.filter(
      (one) =>
        one.found.file.fileId === fileId && one.found.isOn && findInstalled(one) !== undefined,
    )
    return { servers: duplicates, isInMemory }
  }

  /** Reads the servers of all apps, with the names that `choices` would get here. */
  async #read(choices: readonly ImportChoice[]): Promise<HostReading> {
    const { editor, place, installations, ownUrl } = this.parts
    return readHosts(await editor.read(), choices, {
      home: place.home,
      env: place.env,
      takenNames: installations.list.map(({ name }) => name),
      isOwn: (address) => isOwnAddress(address, ownUrl()),
    })
  }

  async #isSecretInMemory(): Promise<boolean> {
    const { vault } = this.parts
    await vault.ready
    return vault.state.kind === 'memory'
  }

  /**
   * Turns off entries that run an imported server, one file at a time. Skips a file that can't be changed, or that holds the only copy of a
   * secret. In a file that a server is imported from, equal entries that weren't chosen stay on: their author meant two.
   */
  async #switchOff(
    reading: HostReading,
    switchOff: ParsedInput<'hosts.import'>['switchOff'],
    chosen: readonly HostRead[],
    imported: readonly HostRead[],
  ): Promise<{ changes: HostChange[]; stillOn: string[] }> {
    const isInMemory = await this.#isSecretInMemory()
    const changes: HostChange[] = []
    const stillOn: string[] = []
    const doneFiles = new Set<string>()
    for (const { fileId, previewHash } of switchOff) {
      const targets = onIn(reading, fileId, chosen)
      const file = targets[0]?.found.file
      if (file === undefined) {
        stillOn.push(
          `${nameOf(reading, fileId)} was not changed: the server shown is no longer turned on.`,
        )
        continue
      }
      const key = realKey(file)
      if (doneFiles.has(key)) continue
      doneFiles.add(key)
      const obstacle = obstacleOf(targets, imported)
      if (obstacle !== undefined) {
        stillOn.push(`${file.path} was not changed: ${obstacle}`)
        continue
      }
      try {
        const edit = switchOffEdit(file, targets, isInMemory)
        changes.push(await this.parts.editor.apply(fileId, edit, previewHash))
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        stillOn.push(errorText(error))
      }
    }
    return { changes, stillOn }
  }
}

type Chosen = HostRead & { readonly server: UsableServer }

function chosenOf({ find }: HostReading, choice: ImportChoice): Chosen {
  const read = find(choice)
  if (read?.server.kind === 'usable') return { ...read, server: read.server }
  throw new AppError(
    'INVALID_CONFIG',
    `${choice.entryName.slice(0, 80)} changed since it was shown. Nothing was added.`,
    { hint: 'Refresh the list of apps, then choose again.' },
  )
}

/** Whether an address is this Patchbay's gateway; `gatewayUrl` is undefined while it isn't reachable. */
export function isOwnAddress(address: string, gatewayUrl: string | undefined): boolean {
  if (gatewayUrl === undefined || !URL.canParse(address)) return false
  const [there, here] = [new URL(address), new URL(gatewayUrl)]
  return isLoopback(there) && there.port === here.port
}

/** Finds the installed server that runs the same as an app's entry. */
function installedFinder(
  list: readonly Installation[],
  installations: Pick<InstallationService, 'previewOf'>,
): (read: HostRead) => HostServer['alreadyInstalledAs'] {
  const here = list.flatMap((installation) => {
    const fingerprint = installationFingerprint(installation, installations)
    return fingerprint === undefined ? [] : [{ installation, fingerprint }]
  })
  return ({ fingerprint: wanted, server, isOneOfSeveral }) => {
    if (wanted === undefined) return undefined
    const isNamed = ({ name }: Installation): boolean => name === server.wanted
    const found = here.find(({ installation, fingerprint }) => {
      if (fingerprint.program !== wanted.program) return false
      if (isOneOfSeveral || fingerprint.server !== wanted.server) return isNamed(installation)
      return true
    })
    // A package declares variables that an app's entry may omit.
    const ofPackage = isOneOfSeveral
      ? undefined
      : here.find(
          ({ installation, fingerprint }) =>
            installation.source !== 'hand' && fingerprint.program === wanted.program,
        )
    const { installation } = found ?? ofPackage ?? {}
    return installation && { installationId: installation.installationId, name: installation.name }
  }
}

function installationFingerprint(
  installation: Installation,
  installations: Pick<InstallationService, 'previewOf'>,
): LaunchFingerprint | undefined {
  const { source, server, offer, secrets, cwd } = installation
  if (source === 'hand') {
    const made = segmentsOf(server, offer, secrets)
    return made && launchFingerprint({ made, cwd })
  }
  try {
    const made = partsOfPreview(installations.previewOf(installation))
    return launchFingerprint({ made, cwd })
  } catch (error) {
    // An installation that can't run here matches no entry.
    if (error instanceof AppError) return undefined
    throw error
  }
}

function isShown({ servers }: AgentProfile, { installationId }: Installation): boolean {
  if (servers.kind !== 'list') return servers.kind === 'all'
  return servers.list.some(
    (one) => one.installationId === installationId && one.choice.kind !== 'none',
  )
}

function onIn({ servers }: HostReading, fileId: string, chosen: readonly HostRead[]): HostRead[] {
  const isHere = ({ found }: HostRead): boolean => found.file.fileId === fileId
  return servers.filter((one) => {
    if (!isHere(one) || !one.found.isOn) return false
    const same = chosen.filter(({ group }) => group === one.group)
    return same.some(({ found }) => found === one.found) || (same.length > 0 && !same.some(isHere))
  })
}

function nameOf({ servers }: HostReading, fileId: string): string {
  const server = servers.find(({ found }) => found.file.fileId === fileId)
  return server?.found.file.path ?? 'A file'
}

/** Returns the reason why a file can no longer be changed as previewed. */
function obstacleOf(
  targets: readonly HostRead[],
  imported: readonly HostRead[],
): string | undefined {
  for (const { group, fingerprint, server } of targets) {
    const same = imported.filter((one) => one.group === group)
    if (same.length === 0) return `${server.wanted} was not added.`
    if (fingerprint === undefined || fingerprint.isAccountRequested) continue
    if (same.some((one) => one.fingerprint?.account === fingerprint.account)) continue
    const what = fingerprint.hasSecret ? 'a secret' : 'an account'
    return `${server.wanted} has ${what} there that was not imported.`
  }
  return undefined
}
