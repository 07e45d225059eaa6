import { createHmac, randomBytes } from 'node:crypto'

import type {
  HostChangePreview,
  HostServer,
  HostServerRef,
  ImportChoice,
} from '../../../../src-shared/domain/agents/host'
import { AppError } from '../../../../src-shared/domain/app-error'
import { describePasted } from '../../import/describe-pasted'
import { toolsInWords } from '../../import/tool-list'
import type { InstallationService } from '../../installation/installation-service'
import type { ProfileDocument } from '../../installation/store/profile-document'
import type { UsableServer } from '../../installed/add-servers'
import type { InstalledServers } from '../../installed/installed-servers'
import { isLoopback } from '../../network/is-loopback'
import type { SecretVault } from '../../secrets/secret-vault'
import type { HostPlace } from '../apps/host-app'
import type { HostEditor } from '../files/host-editor'
import type { HostImports } from '../hosts-answer'
import { hereAs } from './here-as'
import { type HostRead, type HostReading, readHosts, refOf } from './read-hosts'
import { switchImportedOff } from './switch-imported-off'
import { realKey, switchOffEdit } from './switch-off'

export type ImportParts = {
  readonly installations: InstallationService
  readonly installed: Pick<InstalledServers, 'addMany'>
  readonly editor: Pick<HostEditor, 'read' | 'preview' | 'apply'>
  readonly place: Pick<HostPlace, 'home' | 'env'>
  readonly store: Pick<ProfileDocument, 'installations'>
  readonly vault: Pick<SecretVault, 'state' | 'ready'>
  /** Where agents reach Patchbay; undefined while they cannot. */
  readonly ownUrl: () => string | undefined
}

/** What reading the servers of agent apps stands on. */
export type ReadingParts = Pick<ImportParts, 'editor' | 'place' | 'store' | 'ownUrl'>

/** Reads the servers of all agent apps, with the names that those of `choices` get here. */
export async function readAll(
  { editor, place, store, ownUrl }: ReadingParts,
  choices: readonly ImportChoice[],
): Promise<HostReading> {
  return readHosts(await editor.read(), choices, {
    home: place.home,
    env: place.env,
    takenNames: store.installations.map(({ name }) => name),
    isOwn: (address) => isOwnAddress(address, ownUrl()),
  })
}

/** Reads the servers of agent apps and adds those that the user chose; those that were approved start. */
export function openHostImports(parts: ImportParts): HostImports {
  const { editor, place, store, installations } = parts
  // What runs the same may be told apart by a secret, which nobody shall guess from what is told.
  const key = randomBytes(32)
  const sameAs = ({ group }: HostRead): string =>
    createHmac('sha256', key).update(group).digest('hex')
  const read = (choices: readonly ImportChoice[]): Promise<HostReading> => readAll(parts, choices)
  return {
    servers: async ({ choices }) => {
      const { servers, unread } = await read(choices)
      const findHere = hereAs(store.installations, installations)
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

/** Whether secrets are kept in memory alone. */
export async function isSecretInMemory({ vault }: Pick<ImportParts, 'vault'>): Promise<boolean> {
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
