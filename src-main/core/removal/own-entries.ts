import type { HostChange, HostConnection, HostsState } from '../../../src-shared/domain/agents/host'
import { AppError } from '../../../src-shared/domain/app-error'
import type {
  RemovalItem,
  RemovalList,
  RemovalOutcome,
} from '../../../src-shared/domain/state/removal'
import { messageOf } from '../failure/describe-failure'

/** Access to app files for removing what Patchbay wrote there. */
export type HostFiles = {
  readonly state: () => HostsState
  readonly refresh: () => Promise<void>
  readonly undo: (changeId: string) => Promise<void>
  /** Turns the servers of a change on again: byte for byte, or individually if the file has changed since. */
  readonly putBack: (changeId: string) => Promise<void>
  /** Every entry that was written and not removed since. */
  readonly written: () => readonly {
    readonly fileId: string
    readonly entryName: string
    readonly hostName: string
    readonly path: string
  }[]
  /**
   * Removes an entry. Rejects with HOST_FILE_CHANGED, HOST_FILE_BROKEN or HOST_FILE_UNWRITABLE; resolves if the entry is gone or leads
   * elsewhere.
   */
  readonly removeEntry: (fileId: string, entryName: string) => Promise<void>
}

type Task = { readonly item: RemovalItem; readonly undo: () => Promise<void> }

type SwitchedOff = Task & { readonly putBack: () => Promise<void> }

/** Result for the app files; `owes`: some turned-off servers couldn't be turned on again. */
export type EntriesOutcome = PartOutcome & { readonly owes: boolean }

/** Lists what Patchbay wrote into app files. */
export function itemsOfEntries(files: HostFiles): RemovalItem[] {
  return [...writtenEntries(files), ...switchedOff(files)].map(({ item }) => item)
}

/** Lists entries that lead to another Patchbay, and entries that another server has replaced. */
export function entriesThatStay({ state }: HostFiles): RemovalList['stays'] {
  return state().hosts.flatMap(({ name, files }) =>
    files.flatMap(({ path, connections }) =>
      connections.flatMap((connection) => {
        const reason = retentionReason(connection)
        if (reason === undefined) return []
        const label = `Entry ${connection.entryName} of ${name}`
        return [{ label, reason: `${reason} Delete it in ${path} if you don’t need it.` }]
      }),
    ),
  )
}

/** Removes all entries that can be removed, and leaves unwritable files unchanged. Never rejects. */
export async function removeEntries(files: HostFiles): Promise<EntriesOutcome> {
  const removed: string[] = []
  const left: RemainingItem[] = []
  try {
    // Turned-off servers are known only after this.
    await files.refresh()
  } catch (error) {
    const unknown = { label: 'App configuration files', place: 'This computer' }
    return { removed, left: [{ ...unknown, reason: reasonOf(error) }], owes: true }
  }
  const attempt = async ({ item: { label, place }, undo }: Task): Promise<RemainingItem[]> => {
    try {
      await undo()
      removed.push(label)
      return []
    } catch (error) {
      return [{ label, place, reason: reasonOf(error) }]
    }
  }
  // A server that was turned off before its file was connected matches its original text only after the entry is out.
  const retries: SwitchedOff[] = []
  for (const task of switchedOff(files)) if ((await attempt(task)).length > 0) retries.push(task)
  for (const task of writtenEntries(files)) left.push(...(await attempt(task)))
  const failuresBefore = left.length
  for (const { item, putBack } of retries) left.push(...(await attempt({ item, undo: putBack })))
  return { removed, left, owes: left.length > failuresBefore }
}

function writtenEntries({ state, written, removeEntry }: HostFiles): Task[] {
  const replaced = state()
    .hosts.flatMap(({ files }) => files.flatMap(({ connections }) => connections))
    .filter(({ isReplaced }) => isReplaced)
  const isOwn = ({ fileId, entryName }: Pick<HostConnection, 'fileId' | 'entryName'>): boolean =>
    !replaced.some((one) => one.fileId === fileId && one.entryName === entryName)
  return written()
    .filter(isOwn)
    .map(({ fileId, entryName, hostName, path }) => ({
      item: itemOf(`entry:${fileId}:${entryName}`, `Entry ${entryName} of ${hostName}`, path),
      undo: () => removeEntry(fileId, entryName),
    }))
}

/** Newest first: a change can be undone only while its file is as the change left it. */
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

function retentionReason({ state, isReplaced }: HostConnection): string | undefined {
  if (isReplaced) return 'Patchbay wrote this entry, but it now points elsewhere.'
  return state === 'foreign'
    ? 'The entry points to a Patchbay, but this one did not write it.'
    : undefined
}

function itemOf(itemId: string, label: string, place: string): RemovalItem {
  return { itemId: itemId.slice(0, 6_000), kind: 'hostEntry', label, place }
}

/** A thing that couldn't be removed. */
export type RemainingItem = RemovalOutcome['left'][number]

/** Result of one part of a removal. */
export type PartOutcome = { readonly removed: readonly string[]; readonly left: RemainingItem[] }

/** Returns the reason of a failure and the advice, as sentences. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof AppError)) return messageOf(error).replace(/\.*$/u, '.')
  return [error.message, error.hint].filter(Boolean).join(' ')
}
