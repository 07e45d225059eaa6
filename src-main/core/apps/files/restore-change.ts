import { isDeepStrictEqual } from 'node:util'

import type { HostChange } from '../../../../src-shared/domain/agents/host'
import { AppError } from '../../../../src-shared/domain/app-error'
import { isTable } from '../apps/host-app'
import { type HostDocument, type HostEntry, openHostDocument } from '../formats/host-document'
import { membersOf } from './bridge-entry'
import type { ChangeBackups } from './change-backups'
import { type ChangePlan, planOf, writePlan } from './change-plan'
import { type FoundFile, openBytes } from './found-file'
import type { KeptChange } from './host-ledger'
import { editList, listedOf, listsOf } from './host-lists'
import { ABSENT, hashOf, MOST_BYTES_WITH_DOCUMENTS, readHostFile } from './read-host-file'
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
  change: KeptChange,
  find: () => Promise<FoundFile>,
  parts: RestoreParts,
): Promise<void> {
  return writeMoving(async () => {
    const { path, before, after, entryNames } = change
    const { platform } = parts
    const found = await readHostFile(path, platform, MOST_BYTES_WITH_DOCUMENTS)
    // Already restored, manually or by a process that was killed afterwards.
    if (found.kind !== 'unreadable' && found.hash === before) return () => Promise.resolve()
    if (found.kind !== 'unreadable' && found.hash !== after) {
      const file = await find()
      const plan = await planBack(change, file, parts, (now, earlier) => {
        const isAsLeft = hashOf(listedOf(file, now, entryNames)) === change.listed
        if (!isAsLeft || file.onDisk.kind !== 'there') throw overtaken(change)
        return withEarlier(now, earlier, file, entryNames)
      })
      return () => writePlan(plan, platform)
    }
    const { realPath } = found
    checkSamePlace(change, realPath)
    const bytes = before === ABSENT ? undefined : await earlierBytes(change, parts)
    return () => writeHostFile({ path, realPath, before: after, bytes }, platform)
  })
}

/**
 * Plans an edit of the current file by its document before a change. Rejects with the file's own error, with HOST_FILE_CHANGED, and as
 * `earlierBytes` does.
 */
async function planBack(
  change: KeptChange,
  file: FoundFile,
  parts: RestoreParts,
  edit: (now: HostDocument, earlier: HostDocument) => HostDocument,
): Promise<ChangePlan> {
  if (file.error) throw file.error
  checkSamePlace(change, file.realPath)
  const { entryNames, before } = change
  const earlier =
    before === ABSENT
      ? openHostDocument(file.app.newFile ?? '', file.list)
      : openBytes(await earlierBytes(change, parts), file.list)
  return planOf(file, { entryNames, edit: (now) => edit(now, earlier) })
}

function withEarlier(
  now: HostDocument,
  earlier: HostDocument,
  file: FoundFile,
  entryNames: readonly string[],
): HostDocument {
  const gone = now.entries.filter(
    ({ name }) => entryNames.includes(name) && !earlier.entries.some((one) => one.name === name),
  )
  const rest = gone.reduce((document, { name }) => document.without(name, earlier.gap), now)
  return withEntries(rest, earlier, { file, entryNames }, withWhole)
}

/**
 * Restores the servers that a change turned off, and leaves everything else. A server that somebody has deleted or turned on stays so; a
 * deleted file stays deleted. Rejects with HOST_FILE_CHANGED if another server has the name, and as writing does.
 */
export async function restoreServers(
  change: KeptChange,
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
  const onTaken = (name: string): never => {
    throw new AppError(
      'HOST_FILE_CHANGED',
      `${path} now has another server ${name}, so the one you turned off was not restored.`,
      { hint: 'Rename or delete that server in the file, then try again.' },
    )
  }
  const plan = await planBack(change, file, parts, (now, earlier) =>
    withServers(now, earlier, { file, entryNames: change.entryNames, onTaken }),
  )
  if (plan.hashes.before !== plan.hashes.after) await writePlan(plan, parts.platform)
}

/** Throws HOST_FILE_CHANGED if a link leads to another file than the changed one. */
function checkSamePlace(change: KeptChange, realPath: string): void {
  if (change.realPath !== undefined && change.realPath !== realPath) throw overtaken(change)
}

/** Rejects with NOT_FOUND, and with SECRET_STORE_FAILED if the key can't be read. */
async function earlierBytes(
  { path, before, changeId }: KeptChange,
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

/** Applies `put` to the named entries of all lists in a file. */
function withEntries(
  now: HostDocument,
  earlier: HostDocument,
  { file, entryNames }: Changed,
  put: (part: HostDocument, entry: HostEntry) => HostDocument,
): HostDocument {
  let done = now
  for (const { list, prefix, entries } of listsOf(file, earlier))
    for (const entry of entries.filter(({ name }) => entryNames.includes(`${prefix}${name}`)))
      done = editList(done, file.list, list, (part) => put(part, entry))
  return done
}

function withWhole(part: HostDocument, { name, value }: HostEntry): HostDocument {
  return part.with(name, isTable(value) ? value : {})
}

type Returning = Changed & {
  /** Called for a name that another server uses now; that server stays. */
  readonly onTaken: (name: string) => void
}

/** Restores the servers that were turned off or removed as they were in `earlier`; servers that somebody turned on stay so. */
export function withServers(
  now: HostDocument,
  earlier: HostDocument,
  { onTaken, ...changed }: Returning,
): HostDocument {
  const { off } = changed.file.app
  return withEntries(now, earlier, changed, (part, entry) => {
    const { name, value } = entry
    const there = part.entries.find((one) => one.name === name)?.value
    if (off) {
      const isOff = isDeepStrictEqual(membersOf(there)[off.key], off.value)
      return isOff ? part.withMember(name, off.key, membersOf(value)[off.key]) : part
    }
    if (there === undefined) return withWhole(part, entry)
    if (!isDeepStrictEqual(there, value)) onTaken(name)
    return part
  })
}

const INSTEAD: Readonly<Record<HostChange['kind'], string>> = {
  connect: 'Disconnect the app instead. That removes only the entry.',
  disconnect: 'Connect the app again instead.',
  switchOff: 'Turn the entries on in the app, or add them to the file again.',
}

function overtaken({ path, kind }: KeptChange): AppError {
  return new AppError(
    'HOST_FILE_CHANGED',
    `${path} was changed since, so the earlier text was not restored.`,
    { hint: INSTEAD[kind] },
  )
}
