import type { AgentProfile } from '../../../src-shared/domain/agents/agent'
import type { HostEdit } from './files/change-plan'
import type { FileEditor } from './files/file-editor'
import { type FoundFile, openBytes } from './files/found-file'
import { withServers } from './files/restore-change'
import type { HostDocument } from './formats/host-document'
import type { HostRead } from './import/read-hosts'
import { switchOffEdit } from './import/switch-off'

/** Entries of one file that run servers which Patchbay exposes to an agent. */
export type Duplicates = {
  readonly servers: readonly HostRead[]
  /** Whether there is no keychain, so that removed entries with secrets are lost when Patchbay quits. */
  readonly isInMemory: boolean
}

/** Finds the duplicates in a file. */
export type FindDuplicates = (fileId: string, profile: AgentProfile) => Promise<Duplicates>

/** Extends a connecting change to turn duplicates off; if that would lose them, only if `choice` says so. */
export function withDuplicatesOff(
  edit: HostEdit,
  file: FoundFile,
  { servers, isInMemory }: Duplicates,
  choice: 'off' | 'keep' | undefined,
): HostEdit {
  if (servers.length === 0) return edit
  const off = switchOffEdit(file, servers, isInMemory)
  const isLossy = isInMemory && file.app.off === undefined
  const isIncluded = choice === undefined ? !isLossy : choice === 'off'
  const names = servers.map(({ found }) => found.name)
  const way = file.app.off ? 'turnOff' : 'remove'
  const shown: HostEdit = { ...edit, duplicates: { names, way, isIncluded, isLossy } }
  if (!isIncluded) return shown
  return {
    ...shown,
    entryNames: [...edit.entryNames, ...off.entryNames],
    turnsOff: off.entryNames,
    // The entry is written first: without the duplicates, the list may be empty.
    edit: (document) => {
      const connected = edit.edit(document)
      return connected && off.edit(connected)
    },
    notes: [...(edit.notes ?? []), ...(off.notes ?? [])],
  }
}

/**
 * Extends a disconnecting change to restore the servers that were turned off when the entry was written. Rejects with SECRET_STORE_FAILED.
 */
export async function withDuplicatesRestored(
  edit: HostEdit,
  file: FoundFile,
  editor: Pick<FileEditor, 'earlier'>,
): Promise<HostEdit> {
  const { turnedOff = [] } = edit.written?.before ?? {}
  if (turnedOff.length === 0) return edit
  const backups = await Promise.all(
    turnedOff.map(async ({ changeId, entryNames }) => {
      const backup = await editor.earlier(changeId)
      const document = backup && openBytes(backup.bytes, file.list)
      return { entryNames, document, isNewest: backup?.after === file.onDisk.hash }
    }),
  )
  const entryNames = [...edit.entryNames, ...backups.flatMap((one) => one.entryNames)]
  const [only] = backups
  // Nothing has changed since: the file gets its earlier bytes back.
  if (backups.length === 1 && only?.document && only.isNewest) {
    const { document } = only
    return { ...edit, entryNames, edit: () => document }
  }
  const conflicts = new Set<string>()
  const restored = (current: HostDocument): HostDocument =>
    backups.reduce(
      (document, one) =>
        one.document
          ? withServers(document, one.document, {
              ...{ file, entryNames: one.entryNames },
              onNameConflict: (name) => conflicts.add(name),
            })
          : document,
      current,
    )
  if (file.document) restored(file.document)
  return {
    ...edit,
    entryNames,
    edit: (document) => {
      const disconnected = edit.edit(document)
      return disconnected && restored(disconnected)
    },
    notes: [
      ...(edit.notes ?? []),
      ...backups
        .filter(({ document }) => !document)
        .map(
          (one) =>
            `The earlier text of ${one.entryNames.join(', ')} is lost. Add it to the file again.`,
        ),
      ...[...conflicts].map((name) => `The file has another ${name} now, which stays.`),
    ],
  }
}
