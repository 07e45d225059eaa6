import type { HostChange, HostConnection, HostsState } from '../../../src-shared/domain/agents/host'
import { AppError } from '../../../src-shared/domain/app-error'
import type {
  RemovalItem,
  RemovalList,
  RemovalOutcome,
} from '../../../src-shared/domain/state/removal'
import { messageOf } from '../failure/describe-failure'

/** The files of hosts, as far as what Patchbay wrote there goes out again. */
export type HostFiles = {
  readonly state: () => HostsState
  readonly look: () => Promise<void>
  readonly undo: (changeId: string) => Promise<void>
  /** Takes back that servers were switched off: byte for byte, or those alone where the file was changed since. */
  readonly putBack: (changeId: string) => Promise<void>
  /** Every entry that was written and not taken out since. */
  readonly written: () => readonly {
    readonly fileId: string
    readonly entryName: string
    readonly hostName: string
    readonly path: string
  }[]
  /** Takes an entry out; rejects with HOST_FILE_CHANGED, HOST_FILE_BROKEN or HOST_FILE_UNWRITABLE, and resolves where it is gone or leads elsewhere. */
  readonly takeOut: (fileId: string, entryName: string) => Promise<void>
}

type Task = { readonly item: RemovalItem; readonly undo: () => Promise<void> }

type SwitchedOff = Task & { readonly putBack: () => Promise<void> }

/** What came of the files of hosts; `owes` says that servers are left that were switched off and could not be put back. */
export type EntriesOutcome = PartOutcome & { readonly owes: boolean }

/** What Patchbay wrote into the files of hosts. */
export function itemsOfEntries(files: HostFiles): RemovalItem[] {
  return [...writtenEntries(files), ...switchedOff(files)].map(({ item }) => item)
}

/** Entries that lead to a Patchbay and are not this one's, and those that somebody made another server of. */
export function entriesThatStay({ state }: HostFiles): RemovalList['stays'] {
  return state().hosts.flatMap(({ name, files }) =>
    files.flatMap(({ path, connections }) =>
      connections.flatMap((connection) => {
        const reason = whyItStays(connection)
        if (reason === undefined) return []
        const label = `Entry ${connection.entryName} of ${name}`
        return [{ label, reason: `${reason} Delete it in ${path} if you don’t need it.` }]
      }),
    ),
  )
}

/** Takes out what can be taken out; a file that cannot be changed is left as it is. Never rejects. */
export async function removeEntries(files: HostFiles): Promise<EntriesOutcome> {
  const removed: string[] = []
  const left: LeftThing[] = []
  try {
    // What was switched off is known only then.
    await files.look()
  } catch (error) {
    const unknown = { label: 'App configuration files', place: 'This computer' }
    return { removed, left: [{ ...unknown, reason: reasonOf(error) }], owes: true }
  }
  const attempt = async ({ item: { label, place }, undo }: Task): Promise<LeftThing[]> => {
    try {
      await undo()
      removed.push(label)
      return []
    } catch (error) {
      return [{ label, place, reason: reasonOf(error) }]
    }
  }
  // What was switched off before its file was connected is as it was only after the entry is out.
  const waiting: SwitchedOff[] = []
  for (const task of switchedOff(files)) if ((await attempt(task)).length > 0) waiting.push(task)
  for (const task of writtenEntries(files)) left.push(...(await attempt(task)))
  const leftBefore = left.length
  for (const { item, putBack } of waiting) left.push(...(await attempt({ item, undo: putBack })))
  return { removed, left, owes: left.length > leftBefore }
}

function writtenEntries({ state, written, takeOut }: HostFiles): Task[] {
  const replaced = state()
    .hosts.flatMap(({ files }) => files.flatMap(({ connections }) => connections))
    .filter(({ isReplaced }) => isReplaced)
  const isOwn = ({ fileId, entryName }: Pick<HostConnection, 'fileId' | 'entryName'>): boolean =>
    !replaced.some((one) => one.fileId === fileId && one.entryName === entryName)
  return written()
    .filter(isOwn)
    .map(({ fileId, entryName, hostName, path }) => ({
      item: itemOf(`entry:${fileId}:${entryName}`, `Entry ${entryName} of ${hostName}`, path),
      undo: () => takeOut(fileId, entryName),
    }))
}

/** The newest first: each can be taken back only while its file is as it left it. */
function switchedOff({ state, undo, putBack }: HostFiles): SwitchedOff[] {
  const { hosts, changes } = state()
  const nameOf = ({ fileId, path }: HostChange): string =>
    hosts.find(({ files }) => files.some((file) => file.fileId === fileId))?.name ?? path
  return changes
    .filter(({ kind }) => kind === 'switchOff')
    .map((change) => ({
      item: itemOf(
        `change:${change.changeId}`,
        `Turned-off servers of ${nameOf(change)}: ${change.entryNames.join(', ')}`,
        change.path,
      ),
      undo: () => undo(change.changeId),
      putBack: () => putBack(change.changeId),
    }))
}

function whyItStays({ state, isReplaced }: HostConnection): string | undefined {
  if (isReplaced) return 'Patchbay wrote this entry, but it now points elsewhere.'
  return state === 'foreign'
    ? 'The entry points to a Patchbay, but this one did not write it.'
    : undefined
}

function itemOf(itemId: string, label: string, place: string): RemovalItem {
  return { itemId: itemId.slice(0, 6_000), kind: 'hostEntry', label, place }
}

/** What could not be removed. */
export type LeftThing = RemovalOutcome['left'][number]

/** What came of one part of a removal. */
export type PartOutcome = { readonly removed: readonly string[]; readonly left: LeftThing[] }

/** Why something failed and what to do about it, as sentences. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof AppError)) return `${messageOf(error)}.`
  return [error.message, error.hint].filter(Boolean).join(' ')
}
