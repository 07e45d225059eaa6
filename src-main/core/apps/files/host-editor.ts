import type { HostChange, HostChangePreview } from '../../../../src-shared/domain/agents/host'
import type { HostApp, HostList } from '../apps/host-app'
import type { HostDocument } from '../formats/host-document'
import type { WrittenEntry } from './host-ledger'

/** A file of a host, as it was found last. */
export type FoundHostFile = {
  readonly fileId: string
  readonly app: HostApp
  readonly list: HostList
  readonly scope: 'user' | 'folder'
  readonly path: string
  /** Servers are imported from it and turned off in it; Patchbay is never added to it. */
  readonly isImportOnly?: true
  /** With links followed. */
  readonly realPath?: string
  /** Undefined for a file that is not there, does not parse or cannot be read; `problem` says why for the last two. */
  readonly document: HostDocument | undefined
  readonly problem: string | undefined
}

/** A change of one file. */
export type HostEdit = {
  readonly kind: HostChange['kind']
  readonly entryNames: readonly string[]
  /** Throws an AppError that says why it cannot be made; undefined takes the file away. */
  readonly edit: (document: HostDocument) => HostDocument | undefined
  /** Those of them that are turned off with it, to come back when the written entry is taken out. */
  readonly turnsOff?: readonly string[]
  /** Entries that run what Patchbay provides. */
  readonly doubles?: HostChangePreview['doubles']
  /** What the user should know beside the diff, as sentences. */
  readonly notes?: readonly string[]
  /** What is noted of the entry that Patchbay wrote, before and after. */
  readonly written?: {
    readonly before: WrittenEntry | undefined
    readonly after: WrittenEntry | undefined
  }
}

/** The one way in which files of hosts are read and written. */
export type HostEditor = {
  /** All files, read now. */
  readonly read: () => Promise<readonly FoundHostFile[]>
  /** What a change would make; never rejects for a file that cannot be changed: the preview says so. */
  readonly preview: (fileId: string, edit: HostEdit) => Promise<HostChangePreview>
  /** Makes a change that was seen. Rejects with HOST_FILE_CHANGED, HOST_FILE_BROKEN or HOST_FILE_UNWRITABLE, with nothing written. */
  readonly apply: (fileId: string, edit: HostEdit, seen: string) => Promise<HostChange>
  /** Takes a change back, byte for byte. Rejects as `apply`, and with NOT_FOUND. */
  readonly undo: (changeId: string) => Promise<void>
  /** What can be taken back, newest first. */
  readonly changes: () => readonly HostChange[]
}
