import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

import pLimit from 'p-limit'

import { HostChange, type HostChangePreview } from '../../../../src-shared/domain/agents/host'
import { AppError } from '../../../../src-shared/domain/app-error'
import { background } from '../../lifecycle/background'
import type { Clock } from '../../ports'
import { loadSyntax } from '../formats/host-document'
import type { ChangeBackups } from './change-backups'
import { type ChangePlan, checkPlan, type HostEdit, planOf, writePlan } from './change-plan'
import {
  errorText,
  FileFinder,
  type FoundFile,
  type HostFileLocation,
  isUnsettled,
} from './found-file'
import type { HostLedger, LedgerChange, WrittenEntry } from './host-ledger'
import { maskedDiff } from './masked-diff'
import { ABSENT, hashOf, MAX_BYTES_WITH_DOCUMENTS, readHostFile } from './read-host-file'
import { restoreFile, restoreServers } from './restore-change'
import { faultOfHostFile, writeMoving } from './write-host-file'

/** A program that writes a file in place empties it first. */
const REREAD_TRIES = 20
const REREAD_INTERVAL_MS = 25

/** Dependencies of the editor. */
export type FileEditorOptions = {
  /** Groups of files: in each, the first existing one counts, otherwise the first with an existing folder, otherwise the first. */
  readonly fileGroups: () => readonly (readonly HostFileLocation[])[]
  readonly ledger: HostLedger
  readonly backups: ChangeBackups
  readonly clock: Clock
  readonly platform: NodeJS.Platform
}

/** Reads and writes app files; one change at a time, each recorded before it is written. */
export class FileEditor {
  readonly #finder: FileFinder
  readonly #inTurn = pLimit(1)

  constructor(private readonly options: FileEditorOptions) {
    this.#finder = new FileFinder(options.platform)
  }

  get ledger(): HostLedger {
    return this.options.ledger
  }

  get clock(): Clock {
    return this.options.clock
  }

  /** Reads all files. */
  readonly read = async (): Promise<readonly FoundFile[]> => {
    const { fileGroups } = this.options
    await this.#inTurn(() => this.#resolvePending())
    const found = await Promise.all(fileGroups().map((group) => firstThere(group, this.#finder)))
    const seenIds = new Set<string>()
    return found.filter(({ fileId }) => !seenIds.has(fileId) && seenIds.add(fileId))
  }

  /** Reads one file. Rejects with NOT_FOUND. */
  readonly readOne = async (fileId: string): Promise<FoundFile> => {
    const { fileGroups } = this.options
    const location = fileGroups()
      .flat()
      .find((one) => one.fileId === fileId)
    if (!location) throw new AppError('NOT_FOUND', 'Patchbay no longer reads this file.')
    // Required even for a missing file.
    await loadSyntax(location.list.syntax)
    return this.#readStable(location)
  }

  /** Previews a change. Doesn't reject if the file can't be changed: the preview names the obstacle. */
  readonly preview = async (fileId: string, edit: HostEdit): Promise<HostChangePreview> => {
    const file = await this.readOne(fileId)
    const { path, realPath, onDisk } = file
    const shown = {
      ...{ fileId, path },
      ...(realPath !== path && { realPath }),
      isNew: onDisk.kind === 'absent',
      entryNames: [...edit.entryNames],
      ...(edit.duplicates && { duplicates: edit.duplicates }),
      notes: [...(edit.notes ?? []), ...markNote(file), ...extrasNote(file)],
    }
    try {
      const { before, after, previewHash, hashes } = planOf(file, edit)
      const fault = faultOfHostFile(path, onDisk, hashes.before)
      const obstacle = fault && { obstacle: errorText(fault) }
      return { ...shown, diff: maskedDiff(before, after), previewHash, ...obstacle }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { ...shown, diff: [], previewHash: '', obstacle: errorText(error) }
    }
  }

  /** Rejects as `apply` would, except for errors of writing. */
  readonly check = async (fileId: string, edit: HostEdit, previewHash: string): Promise<void> => {
    checkPlan(planOf(await this.readOne(fileId), edit), previewHash)
  }

  /** Applies a previewed change. Rejects with HOST_FILE_CHANGED, HOST_FILE_BROKEN or HOST_FILE_UNWRITABLE, with nothing written. */
  readonly apply = (fileId: string, edit: HostEdit, previewHash: string): Promise<HostChange> =>
    this.#inTurn(async () => {
      await this.#resolvePending()
      return writeMoving(async () => {
        const plan = planOf(await this.readOne(fileId), edit)
        checkPlan(plan, previewHash)
        return () => this.#make(plan, edit)
      })
    })

  /** Undoes a change byte for byte. Rejects as `apply` does, and with NOT_FOUND. */
  readonly undo = (changeId: string): Promise<void> => this.#undoWith(changeId, this.#restore)

  /** Undoes a change as `undo` does; if the file has changed since, restores only the servers that were turned off. */
  readonly undoOrRestore = (changeId: string): Promise<void> =>
    this.#undoWith(changeId, async (change) => {
      try {
        await this.#restore(change)
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'HOST_FILE_CHANGED') throw error
        await restoreServers(change, await this.readOne(change.fileId), this.options)
      }
    })

  /**
   * Returns a file's document before a change, and the hash of its bytes afterwards; undefined if that is no longer readable. Rejects with
   * SECRET_STORE_FAILED.
   */
  readonly earlier = async (
    changeId: string,
  ): Promise<{ readonly bytes: Buffer; readonly after: string } | undefined> => {
    const { ledger, backups } = this.options
    const change = ledger.changes.find((one) => one.changeId === changeId)
    const bytes = change && (await backups.read(changeId))
    if (!bytes || hashOf(bytes) !== change.before) return undefined
    return { bytes, after: change.after }
  }

  /** Changes that can be undone, newest first. */
  readonly changes = (): readonly HostChange[] => {
    const { ledger, backups } = this.options
    return ledger.changes
      .filter(
        ({ isDone, before, changeId }) => isDone && (before === ABSENT || backups.has(changeId)),
      )
      .map((one) => HostChange.parse(one))
      .toReversed()
  }

  /** Settles when nothing is being written. */
  readonly idle = (): Promise<void> => this.#inTurn(() => undefined)

  readonly #restore = (change: LedgerChange): Promise<void> =>
    restoreFile(change, () => this.readOne(change.fileId), this.options)

  /** An empty or invalid file may be one that its app is writing: reads it until two readings are equal. */
  async #readStable(location: HostFileLocation): Promise<FoundFile> {
    let file = await this.#finder.find(location)
    for (let tries = 1; isUnsettled(file) && tries < REREAD_TRIES; tries += 1) {
      await delay(REREAD_INTERVAL_MS)
      const next = await this.#finder.find(location)
      if (next.onDisk.hash === file.onDisk.hash) return next
      file = next
    }
    return file
  }

  async #make(plan: ChangePlan, edit: HostEdit): Promise<HostChange> {
    const { file, hashes, listed } = plan
    const { ledger, backups, clock, platform } = this.options
    const changeId = randomUUID()
    const change: LedgerChange = {
      ...{ changeId, kind: edit.kind, fileId: file.fileId },
      ...{ path: file.path, realPath: file.realPath },
      entryNames: [...edit.entryNames],
      at: clock.now(),
      ...hashes,
      listed,
      isDone: false,
      writtenBefore: edit.written?.before,
      writtenAfter: withTurnedOff(edit, changeId),
    }
    if (file.onDisk.kind === 'there') await backups.store(change.changeId, file.onDisk.bytes)
    const drop = (id: string): void => background(backups.drop(id), `the backup of change ${id}`)
    let outdated: readonly string[]
    try {
      outdated = ledger.begin(change)
    } catch (error) {
      drop(changeId)
      throw error
    }
    // A failure to delete an older backup doesn't fail this change.
    for (const one of outdated) drop(one)
    try {
      if (hashes.before !== hashes.after) await writePlan(plan, platform)
    } catch (error) {
      ledger.discard(change)
      await backups.drop(change.changeId)
      throw error
    }
    ledger.finish(change)
    return HostChange.parse(change)
  }

  #undoWith(changeId: string, restore: (change: LedgerChange) => Promise<void>): Promise<void> {
    return this.#inTurn(async () => {
      const { ledger, backups } = this.options
      await this.#resolvePending()
      const change = ledger.changes.find((one) => one.changeId === changeId)
      if (!change) throw new AppError('NOT_FOUND', 'This change can no longer be undone.')
      await restore(change)
      ledger.undo(change)
      await backups.drop(changeId)
    })
  }

  /** Finds out whether changes of a killed process were written. */
  async #resolvePending(): Promise<void> {
    const { ledger, backups, platform } = this.options
    for (const change of ledger.changes.filter(({ isDone }) => !isDone)) {
      const current = await readHostFile(change.path, platform, MAX_BYTES_WITH_DOCUMENTS)
      if (current.kind === 'unreadable' || current.hash !== change.before) {
        ledger.finish(change)
        continue
      }
      ledger.discard(change)
      await backups.drop(change.changeId)
    }
  }
}

/** Adds the servers that this change turns off to the written entry's record. */
function withTurnedOff(
  { written, turnsOff = [] }: HostEdit,
  changeId: string,
): WrittenEntry | undefined {
  const after = written?.after
  if (!after || turnsOff.length === 0) return after
  const entryNames = [...turnsOff]
  return { ...after, turnedOff: [...(after.turnedOff ?? []), { changeId, entryNames }] }
}

async function firstThere(
  group: readonly HostFileLocation[],
  finder: FileFinder,
): Promise<FoundFile> {
  const absent: FoundFile[] = []
  for (const location of group) {
    const file = await finder.find(location)
    if (file.onDisk.kind !== 'absent') return file
    absent.push(file)
  }
  const likely =
    absent.find(({ onDisk }) => onDisk.kind === 'absent' && onDisk.hasFolder) ?? absent[0]
  if (!likely) throw new RangeError('a group of files has at least one')
  return likely
}

function markNote({ app, document }: FoundFile): string[] {
  const isMarked = app.refusesMark === true && document?.text.startsWith('\uFEFF') === true
  return isMarked ? [`The file begins with a mark that ${app.name} can’t read. It is removed.`] : []
}

function extrasNote({ app, document }: FoundFile): string[] {
  const extras = document?.extras ?? []
  return extras.length > 0 ? [`${app.name} may not read ${extras.join(' and ')}. They stay.`] : []
}
