import { createHmac, randomBytes } from 'node:crypto'

import type { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import type {
  HostChange,
  HostChangePreview,
  HostServer,
  HostServerRef,
  ImportChoice,
} from '../../../../src-shared/domain/agents/host'
import { AppError } from '../../../../src-shared/domain/app-error'
import type { Installation } from '../../../../src-shared/domain/installation/installation'
import { segmentsOf } from '../../../../src-shared/form/custom-server-parts'
import type { ParsedInput, RequestOutput } from '../../../../src-shared/ipc/contract'
import { describePasted } from '../../import/describe-pasted'
import { toolsInWords } from '../../import/tool-list'
import type { InstallationService } from '../../installation/installation-service'
import type { InstalledServers, UsableServer } from '../../installed/installed-servers'
import { isLoopback } from '../../network/is-loopback'
import type { SecretVault } from '../../secrets/secret-vault'
import type { HostPlace } from '../apps/host-app'
import type { Doubles } from '../doubles'
import type { FileEditor } from '../files/file-editor'
import { wordsOf } from '../files/found-file'
import { type HostRead, type HostReading, readHosts, refOf } from './read-hosts'
import { type LaunchFingerprint, launchFingerprint, partsOfPreview } from './same-server'
import { realKey, switchOffEdit } from './switch-off'

export type ImportParts = {
  readonly installations: InstallationService
  readonly installed: Pick<InstalledServers, 'addMany'>
  readonly editor: Pick<FileEditor, 'read' | 'preview' | 'apply'>
  readonly place: Pick<HostPlace, 'home' | 'env'>
  readonly vault: Pick<SecretVault, 'state' | 'ready'>
  /** Where agents reach Patchbay; undefined while they cannot. */
  readonly ownUrl: () => string | undefined
}

type ReadingParts = Pick<ImportParts, 'editor' | 'place' | 'installations' | 'ownUrl'>

/** Reads the servers of all agent apps, with the names that those of `choices` get here. */
async function readAll(
  { editor, place, installations, ownUrl }: ReadingParts,
  choices: readonly ImportChoice[],
): Promise<HostReading> {
  return readHosts(await editor.read(), choices, {
    home: place.home,
    env: place.env,
    takenNames: installations.list.map(({ name }) => name),
    isOwn: (address) => isOwnAddress(address, ownUrl()),
  })
}

/** Reads the servers of agent apps and adds those that the user chose; those that were approved start. */
export function openHostImports(parts: ImportParts): HostImports {
  const { editor, place, installations } = parts
  // What runs the same may differ in a secret, which nobody shall guess from what is shown.
  const key = randomBytes(32)
  const sameAs = ({ group }: HostRead): string =>
    createHmac('sha256', key).update(group).digest('hex')
  const read = (choices: readonly ImportChoice[]): Promise<HostReading> => readAll(parts, choices)
  return {
    servers: async ({ choices }) => {
      const { servers, unread } = await read(choices)
      const findHere = hereAs(installations.list, installations)
      const isThere = (variable: string): boolean => Object.hasOwn(place.env, variable)
      const shown = servers.map((one): HostServer => {
        const { found, server } = one
        return {
          ...refOf(found),
          hostName: found.file.app.name,
          hostPath: found.file.path,
          isOn: found.isOn,
          ...(found.offIn.length > 0 && { offIn: [...found.offIn] }),
          sameAs: sameAs(one),
          isHereAs: findHere(one),
          tools: server.kind === 'usable' ? toolsInWords(server.tools) : undefined,
          server: describePasted(server, installations, isThere),
        }
      })
      return { servers: shown, unread: [...unread] }
    },
    previewSwitchOff: async ({ refs }) => ({
      files: await previewAll(await read([]), refs, parts),
    }),
    import: async ({ choices, switchOff }) => {
      const reading = await read(choices)
      const chosen = choices.map((choice) => chosenOf(reading, choice))
      const usable = chosen.map(({ server }, index): UsableServer => ({ ...server, index }))
      const { added, problem } = await parts.installed.addMany(usable)
      const imported = added.flatMap(({ index }) => chosen[index] ?? [])
      const isInMemory = await isSecretInMemory(parts)
      const off = await switchImportedOff({
        ...{ switchOff, chosen, imported, reading, editor, isInMemory },
      })
      return { added, problem, ...off }
    },
  }
}

async function previewAll(
  { find }: HostReading,
  refs: readonly HostServerRef[],
  parts: Pick<ImportParts, 'editor' | 'vault'>,
): Promise<HostChangePreview[]> {
  const on = refs.flatMap((ref) => find(ref) ?? []).filter(({ found }) => found.isOn)
  const isInMemory = await isSecretInMemory(parts)
  const files: HostChangePreview[] = []
  const seen = new Set<string>()
  for (const [file, servers] of Map.groupBy(on, ({ found }) => found.file)) {
    // One file that several hosts read is changed once.
    const key = realKey(file)
    if (seen.has(key)) continue
    seen.add(key)
    const edit = switchOffEdit(file, servers, isInMemory)
    files.push(await parts.editor.preview(file.fileId, edit))
  }
  return files
}

async function isSecretInMemory({ vault }: Pick<ImportParts, 'vault'>): Promise<boolean> {
  await vault.ready
  return vault.state.kind === 'memory'
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

/** True for an address at which this Patchbay answers on this computer; `own` is missing while it does not. */
export function isOwnAddress(address: string, own: string | undefined): boolean {
  if (own === undefined || !URL.canParse(address)) return false
  const [there, here] = [new URL(address), new URL(own)]
  return isLoopback(there) && there.port === here.port
}

/** How the servers of agent apps become Patchbay's. */
type HostImports = {
  readonly [C in 'servers' | 'previewSwitchOff' | 'import']: (
    input: ParsedInput<`hosts.${C}`>,
  ) => Promise<RequestOutput<`hosts.${C}`>>
}

/** Finds the server of Patchbay that runs what a host's does. */
function hereAs(
  list: readonly Installation[],
  installations: Pick<InstallationService, 'previewOf'>,
): (read: HostRead) => HostServer['isHereAs'] {
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
    // A package has variables of its own that a host need not name.
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
    // What cannot be run here runs nothing that a host does.
    if (error instanceof AppError) return undefined
    throw error
  }
}

type DoublesParts = ReadingParts &
  Pick<ImportParts, 'vault'> & {
    /** Whether a server failed and waits for its user. */
    readonly hasFailed: (installationId: string) => boolean
  }

/** The entries of a file that are on and run a server that Patchbay provides to an agent of this profile: turned on, approved, shown to it, and not failed. */
export async function findDoubles(
  parts: DoublesParts,
  fileId: string,
  profile: AgentProfile,
): Promise<Doubles> {
  const { installations, hasFailed } = parts
  const provided = installations.list.filter(
    (one) =>
      one.enabled &&
      one.approvedPlan !== undefined &&
      isShown(profile, one) &&
      !hasFailed(one.installationId),
  )
  const isInMemory = await isSecretInMemory(parts)
  if (provided.length === 0) return { servers: [], isInMemory }
  const findHere = hereAs(provided, installations)
  const { servers } = await readAll(parts, [])
  const isDouble = (one: (typeof servers)[number]): boolean =>
    one.found.file.fileId === fileId && one.found.isOn && findHere(one) !== undefined
  return { servers: servers.filter(isDouble), isInMemory }
}

function isShown({ servers }: AgentProfile, { installationId }: Installation): boolean {
  if (servers.kind !== 'list') return servers.kind === 'all'
  return servers.list.some(
    (one) => one.installationId === installationId && one.choice.kind !== 'none',
  )
}

type Seen = { readonly fileId: string; readonly seen: string }

type ImportedOff = {
  /** The files as they were seen. */
  readonly switchOff: readonly Seen[]
  /** What should have been added, and what was. */
  readonly chosen: readonly HostRead[]
  readonly imported: readonly HostRead[]
  readonly editor: Pick<FileEditor, 'apply'>
  readonly isInMemory: boolean
  /** From before the first change, as what is one server depends on what else there is. */
  readonly reading: HostReading
}

/**
 * Switches off what runs the same as an imported server, one file after the other. A file that cannot be changed is
 * left as it is, and so is one that alone holds a secret. In a file that a server is imported from, entries that run
 * the same and were not chosen stay on: who wrote both meant two.
 */
async function switchImportedOff({
  switchOff,
  chosen,
  imported,
  editor,
  isInMemory,
  reading,
}: ImportedOff): Promise<{ changes: HostChange[]; leftOn: string[] }> {
  const changes: HostChange[] = []
  const leftOn: string[] = []
  const done = new Set<string>()
  for (const { fileId, seen } of switchOff) {
    const targets = onIn(reading, fileId, chosen)
    const file = targets[0]?.found.file
    if (file === undefined) {
      leftOn.push(
        `${nameOf(reading, fileId)} was not changed: the server shown is no longer turned on.`,
      )
      continue
    }
    const key = realKey(file)
    if (done.has(key)) continue
    done.add(key)
    const obstacle = obstacleOf(targets, imported)
    if (obstacle !== undefined) {
      leftOn.push(`${file.path} was not changed: ${obstacle}`)
      continue
    }
    try {
      changes.push(await editor.apply(fileId, switchOffEdit(file, targets, isInMemory), seen))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      leftOn.push(wordsOf(error))
    }
  }
  return { changes, leftOn }
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
  const one = servers.find(({ found }) => found.file.fileId === fileId)
  return one?.found.file.path ?? 'A file'
}

/** Why a file is no longer to be changed as it was shown. */
function obstacleOf(
  targets: readonly HostRead[],
  imported: readonly HostRead[],
): string | undefined {
  for (const { group, fingerprint, server } of targets) {
    const same = imported.filter((one) => one.group === group)
    if (same.length === 0) return `${server.wanted} was not added.`
    if (fingerprint === undefined || fingerprint.asksOnly) continue
    if (same.some((one) => one.fingerprint?.account === fingerprint.account)) continue
    const what = fingerprint.hasSecret ? 'a secret' : 'an account'
    return `${server.wanted} has ${what} there that was not imported.`
  }
  return undefined
}
