import { randomUUID } from 'node:crypto'

import * as z from 'zod'

import { AgentId } from '../../../../src-shared/domain/agents/agent'
import { HostChange, HostId } from '../../../../src-shared/domain/agents/host'
import { type Found, putAside, readOwnJson, unwritable, writeOwnJson } from '../../storage/own-file'

/** Maximum number of project folders to search. */
export const MOST_FOLDERS = 50
/** Maximum number of changes that can be undone; the oldest is dropped first. */
const MOST_CHANGES = 20
const MOST_WRITTEN = 1_000
const MOST_BYTES = 16 * 1024 * 1024

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
export const KeptChange = HostChange.extend({
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
export type KeptChange = z.infer<typeof KeptChange>

const LedgerDocument = z.object({
  version: z.literal(1),
  /** Random; names the key of this profile's backups. */
  backupsId: z.string().min(8).max(64),
  folders: z.array(Path).max(MOST_FOLDERS),
  written: z.array(WrittenEntry).max(MOST_WRITTEN),
  /** Oldest first. */
  changes: z.array(KeptChange).max(MOST_CHANGES + MOST_WRITTEN),
})
type LedgerDocument = z.infer<typeof LedgerDocument>

/** Records of Patchbay's changes of app files, in a file for this account only. */
export class HostLedger {
  #found: Found<LedgerDocument>
  #kept: LedgerDocument

  constructor(private readonly path: string) {
    this.#found = readOwnJson(path, LedgerDocument, MOST_BYTES)
    this.#kept =
      this.#found.kind === 'there'
        ? this.#found.value
        : { version: 1, backupsId: randomUUID(), folders: [], written: [], changes: [] }
  }

  get backupsId(): string {
    return this.#kept.backupsId
  }

  /** Why the stored records can't be used, as a sentence. */
  get lost(): string | undefined {
    return this.#found.kind === 'lost' || this.#found.kind === 'unreadable'
      ? this.#found.reason
      : undefined
  }

  get folders(): readonly string[] {
    return this.#kept.folders
  }

  get written(): readonly WrittenEntry[] {
    return this.#kept.written
  }

  /** Oldest first. */
  get changes(): readonly KeptChange[] {
    return this.#kept.changes
  }

  /** Throws SETTINGS_UNWRITABLE, as every writing method does. */
  setFolders(folders: readonly string[]): void {
    this.#write({ ...this.#kept, folders: [...folders] })
  }

  /** Records a change before it is written; returns the ids of dropped ones. Changes that hold entries to restore stay. */
  begin(change: KeptChange): readonly string[] {
    const needed = new Set(
      this.#kept.written.flatMap(({ turnedOff = [] }) => turnedOff.map((one) => one.changeId)),
    )
    const changes = [...this.#kept.changes, change]
    const loose = changes.filter(({ changeId }) => !needed.has(changeId))
    const dropped = new Set(loose.slice(0, Math.max(0, loose.length - MOST_CHANGES)))
    this.#write({ ...this.#kept, changes: changes.filter((one) => !dropped.has(one)) })
    return [...dropped].map(({ changeId }) => changeId)
  }

  /** Records that the file was written. */
  finish(change: KeptChange): void {
    const changes = this.#kept.changes.map((one) =>
      one.changeId === change.changeId ? { ...one, isDone: true } : one,
    )
    const { writtenBefore, writtenAfter } = change
    this.#write({ ...this.#kept, changes, written: this.#swapped(writtenBefore, writtenAfter) })
  }

  /** Removes a change that wasn't written. */
  giveUp(change: KeptChange): void {
    this.#write({ ...this.#kept, changes: this.#others(change) })
  }

  takeBack(change: KeptChange): void {
    const { writtenBefore, writtenAfter } = change
    const written = this.#swapped(writtenAfter, writtenBefore)
    this.#write({ ...this.#kept, changes: this.#others(change), written })
  }

  /** Replaces or removes the record of an entry. */
  setWritten(before: WrittenEntry | undefined, after: WrittenEntry | undefined): void {
    this.#write({ ...this.#kept, written: this.#swapped(before, after) })
  }

  #others({ changeId }: KeptChange): KeptChange[] {
    return this.#kept.changes.filter((one) => one.changeId !== changeId)
  }

  #swapped(before: WrittenEntry | undefined, after: WrittenEntry | undefined): WrittenEntry[] {
    const gone = [before, after].filter((one) => one !== undefined)
    const others = this.#kept.written.filter((one) => !gone.some((other) => isSame(one, other)))
    return after ? [...others, after] : others
  }

  #write(next: LedgerDocument): void {
    try {
      if (this.#found.kind === 'unreadable') throw new Error(this.#found.reason)
      if (this.#found.kind === 'lost') putAside(this.path)
      writeOwnJson(this.path, next, MOST_BYTES)
      this.#found = { kind: 'there', value: next }
      this.#kept = next
    } catch (cause) {
      throw unwritable(this.path, cause)
    }
  }
}

function isSame(a: WrittenEntry, b: WrittenEntry): boolean {
  return a.path === b.path && a.entryName === b.entryName && a.keys.join('\0') === b.keys.join('\0')
}
