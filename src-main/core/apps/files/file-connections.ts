import type { HostConnection } from '../../../../src-shared/domain/agents/host'
import type { OwnCommand } from '../../../../src-shared/domain/state/app-state'
import type { HostEntry } from '../formats/host-document'
import { bridgeEntry, bridgeOf, hashOfMembers } from './bridge-entry'
import type { FoundFile } from './found-file'
import type { HostLedger, WrittenEntry } from './host-ledger'

/** Context for checking whether an entry is up to date. */
export type ConnectionContext = {
  readonly ledger: Pick<HostLedger, 'written'>
  readonly hasAgent: (agentId: string) => boolean
  readonly ownCommand: OwnCommand
  readonly profileDir: string
}

/** Returns the records of a file's entries; an entry written for another app of the same file counts. */
export function writtenIn(
  file: Pick<FoundFile, 'path' | 'realPath' | 'list'>,
  ledger: Pick<HostLedger, 'written'>,
): readonly WrittenEntry[] {
  return ledger.written.filter(
    ({ path, realPath, keys }) =>
      (path === file.path || realPath === file.realPath) &&
      keys.join('\0') === file.list.keys.join('\0'),
  )
}

/** Returns the entries of a file that lead to Patchbay, this profile's own first. */
export function connectionsOf(file: FoundFile, context: ConnectionContext): HostConnection[] {
  const written = writtenIn(file, context.ledger)
  const ownEntries = written.map((one) => ({
    fileId: file.fileId,
    entryName: one.entryName,
    agentId: one.agentId,
    state: stateOf(file, one, context),
    ...(isReplaced(file, one) && { isReplaced: true }),
    writtenAt: one.writtenAt,
  }))
  const names = new Set(written.map(({ entryName }) => entryName))
  const otherEntries = (file.document?.entries ?? []).filter(({ name }) => !names.has(name))
  return [...ownEntries, ...otherEntries.flatMap((entry) => foreign(file.fileId, entry))]
}

/** Returns the names of other apps that read the same file. */
export function sharedWith(file: FoundFile, files: readonly FoundFile[]): string[] {
  const names = files
    .filter(({ app, realPath }) => realPath === file.realPath && app.hostId !== file.app.hostId)
    .map(({ app }) => app.name)
  return [...new Set(names)]
}

function foreign(fileId: string, { name, value }: HostEntry): HostConnection[] {
  const bridge = bridgeOf(value)
  if (!bridge) return []
  const { agentId } = bridge
  return [{ fileId, entryName: name, ...(agentId && { agentId }), state: 'foreign' }]
}

function isReplaced(file: FoundFile, { entryName }: WrittenEntry): boolean {
  const entry = file.document?.entries.find(({ name }) => name === entryName)
  return entry !== undefined && !bridgeOf(entry.value)
}

function stateOf(
  file: FoundFile,
  written: WrittenEntry,
  context: ConnectionContext,
): HostConnection['state'] {
  if (file.error) return 'unknown'
  const entry = file.document?.entries.find(({ name }) => name === written.entryName)
  if (!entry) return 'gone'
  if (!context.hasAgent(written.agentId)) return 'agentGone'
  if (hashOfMembers(entry.value, written.members) !== written.hash) return 'edited'
  const { agentId, entryName: name } = written
  // The entry that Patchbay would write now.
  const wanted = bridgeEntry(file.app, { ...context, agentId, name })
  const isAsWanted = written.wanted === hashOfMembers(wanted, Object.keys(wanted))
  return isAsWanted ? 'asWritten' : 'moved'
}
