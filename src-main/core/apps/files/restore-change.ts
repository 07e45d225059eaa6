import { isDeepStrictEqual } from 'node:util'

import type { HostChange } from '../../../../src-shared/domain/agents/host'
import { AppError } from '../../../../src-shared/domain/app-error'
import { isTable } from '../apps/host-app'
import { type HostDocument, type HostEntry, openHostDocument } from '../formats/host-document'
import { membersOf } from './bridge-entry'
import type { ChangeBackups } from './change-backups'
import { type ChangePlan, planOf, writePlan } from './change-plan'
import { type FoundFile, openBytes } from './found-file'
import type { LedgerChange } from './host-ledger'
import { editList, listedOf, listsOf } from './host-lists'
import { ABSENT, hashOf, MAX_BYTES_WITH_DOCUMENTS, readHostFile } from './read-host-file'
import { writeHostFile, writeMoving } from './write-host-file'

type RestoreParts = {
  readonly backups: Pick<ChangeBackups, 'read' | 'pathOf'>
  readonly platform: NodeJS.Platform
}

/**
 * Restores a file's bytes from before a change. If the edited lists are as the change left them and other content was written since,
 * restores only the change's entries. Rejects with HOST_FILE_CHANGED if somebody has changed the lists, and as writing does.
 */
export function restoreFile(
  change: LedgerChange,
  readCurrent: () => Promise<FoundFile>,
  parts: RestoreParts,
): Promise<void> {
  return writeMoving(async () => {
    const { path, before, after, entryNames } = change
    const { platform } = parts
    const onDisk = await readHostFile(path, platform, MAX_BYTES_WITH_DOCUMENTS)
    // Already restored, manually or by a process that was killed afterwards.
    if (onDisk.kind !== 'unreadable' && onDisk.hash === before) return () => Promise.resolve()
    if (onDisk.kind !== 'unreadable' && onDisk.hash !== after) {
      const file = await readCurrent()
      const plan = await planRestore(change, file, parts, (current, previous) => {
        const isUnchanged = hashOf(listedOf(file, current, entryNames)) === change.listed
        if (!isUnchanged || file.onDisk.kind !== 'there') throw overtaken(change)
        return restoreEntries(current, previous, file, entryNames)
      })
      return () => writePlan(plan, platform)
    }
    const { realPath } = onDisk
    checkSameTarget(change, realPath)
    const bytes = before === ABSENT ? undefined : await backupBytes(change, parts)
    return () => writeHostFile({ path, realPath, before: after, bytes }, platform)
  })
}

/**
 * Plans an edit of the current file by its document before a change. Rejects with the file's own error, with HOST_FILE_CHANGED, and as
 * `backupBytes` does.
 */
async function planRestore(
  change: LedgerChange,
  file: FoundFile,
  parts: RestoreParts,
  edit: (current: HostDocument, previous: HostDocument) => HostDocument,
): Promise<ChangePlan> {
  if (file.error) throw file.error
  checkSameTarget(change, file.realPath)
  const { entryNames, before } = change
  const previous =
    before === ABSENT
      ? openHostDocument(file.app.newFile ?? '', file.list)
      : openBytes(await backupBytes(change, parts), file.list)
  return planOf(file, { entryNames, edit: (current) => edit(current, previous) })
}

function restoreEntries(
  current: HostDocument,
  previous: HostDocument,
  file: FoundFile,
  entryNames: readonly string[],
): HostDocument {
  const added = current.entries.filter(
    ({ name }) => entryNames.includes(name) && !previous.entries.some((one) => one.name === name),
  )
  const remaining = added.reduce(
    (document, { name }) => document.without(name, previous.gap),
    current,
  )
  return withEntries(remaining, previous, { file, entryNames }, withFullEntry)
}

/**
 * Restores the servers that a change turned off, and leaves everything else. A server that somebody has deleted or turned on stays so; a
 * deleted file stays deleted. Rejects with HOST_FILE_CHANGED if another server has the name, and as writing does.
 */
export async function restoreServers(
  change: LedgerChange,
  file: FoundFile,
  parts: RestoreParts,
): Promise<void> {
  const { path, onDisk } = file
  if (change.kind !== 'switchOff') throw overtaken(change)
  if (onDisk.kind === 'absent') {
    if (onDisk.hasFolder) return
    throw new AppError('HOST_FILE_CHANGED', `${path} and its folder no longer exist.`, {
      hint: 'Connect the disk it was on. If the folder was deleted, create it again.',
    })
  }
  const onNameConflict = (name: string): never => {
    throw new AppError(
      'HOST_FILE_CHANGED',
      `${path} now has another server ${name}, so the one you turned off was not restored.`,
      { hint: 'Rename or delete that server in the file, then try again.' },
    )
  }
  const plan = await planRestore(change, file, parts, (current, previous) =>
    withServers(current, previous, { file, entryNames: change.entryNames, onNameConflict }),
  )
  if (plan.hashes.before !== plan.hashes.after) await writePlan(plan, parts.platform)
}

/** Throws HOST_FILE_CHANGED if a link leads to another file than the changed one. */
function checkSameTarget(change: LedgerChange, realPath: string): void {
  if (change.realPath !== undefined && change.realPath !== realPath) throw overtaken(change)
}

/** Rejects with NOT_FOUND, and with SECRET_STORE_FAILED if the key can't be read. */
async function backupBytes(
  { path, before, changeId }: LedgerChange,
  { backups }: RestoreParts,
): Promise<Buffer> {
  const bytes = await backups.read(changeId)
  if (!bytes || hashOf(bytes) !== before)
    throw new AppError('NOT_FOUND', `The earlier content of ${path} can no longer be read.`, {
      hint: `To remove this change from the list, delete ${backups.pathOf(changeId)}.`,
    })
  return bytes
}

type Changed = { readonly file: FoundFile; readonly entryNames: readonly string[] }

/** Applies `restore` to the named entries of all lists in a file. */
function withEntries(
  current: HostDocument,
  previous: HostDocument,
  { file, entryNames }: Changed,
  restore: (part: HostDocument, entry: HostEntry) => HostDocument,
): HostDocument {
  let result = current
  for (const { list, prefix, entries } of listsOf(file, previous))
    for (const entry of entries.filter(({ name }) => entryNames.includes(`${prefix}${name}`)))
      result = editList(result, file.list, list, (part) => restore(part, entry))
  return result
}

function withFullEntry(part: HostDocument, { name, value }: HostEntry): HostDocument {
  return part.with(name, isTable(value) ? value : {})
}

type RestoreTarget = Changed & {
  /** Called for a name that another server uses now; that server stays. */
  readonly onNameConflict: (name: string) => void
}

/** Restores the servers that were turned off or removed as they were in `earlier`; servers that somebody turned on stay so. */
export function withServers(
  current: HostDocument,
  previous: HostDocument,
  { onNameConflict, ...changed }: RestoreTarget,
): HostDocument {
  const { off } = changed.file.app
  return withEntries(current, previous, changed, (part, entry) => {
    const { name, value } = entry
    const existing = part.entries.find((one) => one.name === name)?.value
    if (off) {
      const isOff = isDeepStrictEqual(membersOf(existing)[off.key], off.value)
      return isOff ? part.withMember(name, off.key, membersOf(value)[off.key]) : part
    }
    if (existing === undefined) return withFullEntry(part, entry)
    if (!isDeepStrictEqual(existing, value)) onNameConflict(name)
    return part
  })
}

const INSTEAD: Readonly<Record<HostChange['kind'], string>> = {
  connect: 'Disconnect the app instead. That removes only the entry.',
  disconnect: 'Connect the app again instead.',
  switchOff: 'Turn the entries on in the app, or add them to the file again.',
}

function overtaken({ path, kind }: LedgerChange): AppError {
  return new AppError(
    'HOST_FILE_CHANGED',
    `${path} was changed since, so the earlier text was not restored.`,
    { hint: INSTEAD[kind] },
  )
}
