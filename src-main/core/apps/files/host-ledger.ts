import { randomUUID } from 'node:crypto'

import * as z from 'zod'

import { AgentId } from '../../../../src-shared/domain/agents/agent'
import { HostChange, HostId } from '../../../../src-shared/domain/agents/host'
import {
  type Found,
  moveToBad,
  readOwnJson,
  unwritable,
  writeOwnJson,
} from '../../storage/own-file'

/** Maximum number of project folders to search. */
export const MAX_FOLDERS = 50
/** Maximum number of changes that can be undone; the oldest is dropped first. */
const MAX_CHANGES = 20
const MAX_WRITTEN = 1_000
const MAX_BYTES = 16 * 1024 * 1024

const Path = z.string().min(1).max(4_096)
const Hash = z.string().max(64)

/** The record of an entry that Patchbay wrote; values only as hashes, because a user may add a secret. */
export const WrittenEntry = z.object({
  hostId: HostId,
  scope: z.enum(['user', 'folder']),
  /** The file's path as its app names it. */
  path: Path,
  /** Path with links followed at the time of writing. */
  realPath: Path,
  /** Keys that lead to the list. */
  keys: z.array(z.string()),
  entryName: z.string(),
  agentId: AgentId,
  /** The members that Patchbay writes; others are left alone. */
  members: z.array(z.string()),
  /** Hash of these members as accepted in the file. */
  hash: Hash,
  /** Hash of what Patchbay would have written then. */
  wanted: Hash,
  madeFile: z.boolean(),
  /** Number of keys that were created for the entry. */
  madeLevels: z.number().int().min(0),
  /** Spelling of the level above those keys, or of the list, while it was empty. */
  vacant: z.string().max(200).optional(),
  /** Entries turned off with this one, and the changes whose backups hold them; removing this entry restores them. */
  turnedOff: z
    .array(z.object({ changeId: z.string().max(100), entryNames: z.array(z.string()) }))
    .max(100)
    .optional(),
  /** Epoch ms. */
  writtenAt: z.number(),
})
export type WrittenEntry = z.infer<typeof WrittenEntry>

/** A change with the data for undoing it. */
export const LedgerChange = HostChange.extend({
  /** The written file with links followed; absent in records of earlier versions. */
  realPath: Path.optional(),
  /** Hashes of the file's bytes. */
  before: Hash,
  after: Hash,
  /** Hash of the edited lists afterwards; absent in records of earlier versions. */
  listed: Hash.optional(),
  /** False while the file is written; a killed process leaves false. */
  isDone: z.boolean(),
  /** Records of the change's entry before and after. */
  writtenBefore: WrittenEntry.optional(),
  writtenAfter: WrittenEntry.optional(),
})
export type LedgerChange = z.infer<typeof LedgerChange>

const LedgerDocument = z.object({
  version: z.literal(1),
  /** Random; names the key of this profile's backups. */
  backupsId: z.string().min(8).max(64),
  folders: z.array(Path).max(MAX_FOLDERS),
  written: z.array(WrittenEntry).max(MAX_WRITTEN),
  /** Oldest first. */
  changes: z.array(LedgerChange).max(MAX_CHANGES + MAX_WRITTEN),
})
type LedgerDocument = z.infer<typeof LedgerDocument>

/** Records of Patchbay's changes of app files, in a file for this account only. */
export class HostLedger {
  #stored: Found<LedgerDocument>
  #document: LedgerDocument

  constructor(private readonly path: string) {
    this.#stored = readOwnJson(path, LedgerDocument, MAX_BYTES)
    this.#document =
      this.#stored.kind === 'there'
        ? this.#stored.value
        : { version: 1, backupsId: randomUUID(), folders: [], written: [], changes: [] }
  }

  get backupsId(): string {
    return this.#document.backupsId
  }

  /** Why the stored records can't be used, as a sentence. */
  get lost(): string | undefined {
    return this.#stored.kind === 'lost' || this.#stored.kind === 'unreadable'
      ? this.#stored.reason
      : undefined
  }

  get folders(): readonly string[] {
    return this.#document.folders
  }

  get written(): readonly WrittenEntry[] {
    return this.#document.written
  }

  /** Oldest first. */
  get changes(): readonly LedgerChange[] {
    return this.#document.changes
  }

  /** Throws SETTINGS_UNWRITABLE, as every writing method does. */
  setFolders(folders: readonly string[]): void {
    this.#write({ ...this.#document, folders: [...folders] })
  }

  /** Records a change before it is written; returns the ids of dropped ones. Changes that hold entries to restore stay. */
  begin(change: LedgerChange): readonly string[] {
    const needed = new Set(
      this.#document.written.flatMap(({ turnedOff = [] }) => turnedOff.map((one) => one.changeId)),
    )
    const changes = [...this.#document.changes, change]
    const loose = changes.filter(({ changeId }) => !needed.has(changeId))
    const dropped = new Set(loose.slice(0, Math.max(0, loose.length - MAX_CHANGES)))
    this.#write({ ...this.#document, changes: changes.filter((one) => !dropped.has(one)) })
    return [...dropped].map(({ changeId }) => changeId)
  }

  /** Records that the file was written. */
  finish(change: LedgerChange): void {
    const changes = this.#document.changes.map((one) =>
      one.changeId === change.changeId ? { ...one, isDone: true } : one,
    )
    const { writtenBefore, writtenAfter } = change
    this.#write({ ...this.#document, changes, written: this.#swapped(writtenBefore, writtenAfter) })
  }

  /** Removes a change that wasn't written. */
  discard(change: LedgerChange): void {
    this.#write({ ...this.#document, changes: this.#otherChanges(change) })
  }

  undo(change: LedgerChange): void {
    const { writtenBefore, writtenAfter } = change
    const written = this.#swapped(writtenAfter, writtenBefore)
    this.#write({ ...this.#document, changes: this.#otherChanges(change), written })
  }

  /** Replaces or removes the record of an entry. */
  setWritten(before: WrittenEntry | undefined, after: WrittenEntry | undefined): void {
    this.#write({ ...this.#document, written: this.#swapped(before, after) })
  }

  #otherChanges({ changeId }: LedgerChange): LedgerChange[] {
    return this.#document.changes.filter((one) => one.changeId !== changeId)
  }

  #swapped(before: WrittenEntry | undefined, after: WrittenEntry | undefined): WrittenEntry[] {
    const replaced = [before, after].filter((one) => one !== undefined)
    const remaining = this.#document.written.filter(
      (one) => !replaced.some((other) => isSame(one, other)),
    )
    return after ? [...remaining, after] : remaining
  }

  #write(next: LedgerDocument): void {
    try {
      if (this.#stored.kind === 'unreadable') throw new Error(this.#stored.reason)
      if (this.#stored.kind === 'lost') moveToBad(this.path)
      writeOwnJson(this.path, next, MAX_BYTES)
      this.#stored = { kind: 'there', value: next }
      this.#document = next
    } catch (cause) {
      throw unwritable(this.path, cause)
    }
  }
}

function isSame(a: WrittenEntry, b: WrittenEntry): boolean {
  return a.path === b.path && a.entryName === b.entryName && a.keys.join('\0') === b.keys.join('\0')
}
