import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import { AppError } from '../../../src-shared/domain/app-error'
import { errorMessage } from '../../../src-shared/domain/error-message'
import type { LogEntry } from '../../../src-shared/domain/running/log-entry'
import { background } from '../lifecycle/background'
import { withTimeLimit } from '../lifecycle/time-limit'
import { factsOf, makeOwnFolder, namesIn, refuseForeign } from '../storage/line-files'
import {
  BLOCK,
  CURRENT_FILE,
  logFilesIn,
  type LogLimits,
  partBytesOf,
  pruneLogs,
} from './log-folder'

/** A name that can't lead out of the folder; the app creates no other ids, but a settings file may contain any. */
const FOLDER_NAME = /^[\w-]{1,64}$/u

export type LogArchiveOptions = {
  /** Contains one folder per server. */
  readonly folder: string
  readonly limits: () => LogLimits
  /** A server's log can't be written; gets a sentence for that log. */
  readonly onProblem: (installationId: string, message: string) => void
  /** Files over a limit couldn't be deleted; gets a sentence. */
  readonly onSweepProblem: (message: string) => void
}

/** Disk usage of all log files. */
export type LogUsage = { readonly bytes: number; readonly files: number; readonly folder: string }

/** The log files of all servers. */
export class LogArchive {
  readonly #files = new Map<string, LogFile>()

  constructor(private readonly options: LogArchiveOptions) {}

  append(installationId: string, entry: LogEntry): void {
    this.#fileOf(installationId)?.append(entry)
  }

  /** The current log file of a server. */
  pathOf(installationId: string): string {
    return join(this.options.folder, installationId, CURRENT_FILE)
  }

  /** Counts every log file on disk, including those of removed servers. Rejects with LOG_FILES_FAILED. */
  async usage(): Promise<LogUsage> {
    const { folder } = this.options
    const all = await orFail('Can’t read the log files', async () =>
      (await Promise.all((await this.#folders()).map(logFilesIn))).flat(),
    )
    return { bytes: all.reduce((sum, file) => sum + file.bytes, 0), files: all.length, folder }
  }

  /** Deletes all log files; later lines are written again. Rejects with LOG_FILES_FAILED. */
  async clear(): Promise<void> {
    await Promise.all([...this.#files.values()].map((file) => file.clear()))
    await orFail('Can’t delete the log files', async () => {
      for (const folder of await this.#folders()) {
        if (!this.#files.has(basename(folder))) await rm(folder, { recursive: true, force: true })
      }
    })
  }

  async remove(installationId: string): Promise<void> {
    const file = this.#fileOf(installationId)
    this.#files.delete(installationId)
    await file?.remove()
  }

  /** Applies the current limits, also to servers that wrote nothing in this run; never rejects. */
  async sweep(): Promise<void> {
    const { limits, onSweepProblem } = this.options
    try {
      for (const folder of await this.#folders()) {
        const file = this.#files.get(basename(folder))
        await (file ? file.sweep() : pruneLogs(folder, limits()))
      }
    } catch (error) {
      onSweepProblem(`Log files couldn’t be deleted: ${errorMessage(error)}.`)
    }
  }

  /** Writes pending lines. Settles within about 2 s. */
  async close(): Promise<void> {
    await Promise.all([...this.#files.values()].map((file) => file.close()))
  }

  async #folders(): Promise<string[]> {
    const names = await namesIn(this.options.folder)
    return names
      .filter((name) => FOLDER_NAME.test(name))
      .map((name) => join(this.options.folder, name))
  }

  #fileOf(installationId: string): LogFile | undefined {
    if (!FOLDER_NAME.test(installationId)) return undefined
    const known = this.#files.get(installationId)
    if (known) return known
    const file = new LogFile({
      folder: join(this.options.folder, installationId),
      limits: this.options.limits,
      onProblem: (message) => this.options.onProblem(installationId, message),
    })
    this.#files.set(installationId, file)
    return file
  }
}

async function orFail<T>(message: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new AppError('LOG_FILES_FAILED', `${message}: ${errorMessage(cause)}.`, {
      cause,
      hint: 'Check that you can write to the log folder, then try again.',
    })
  }
}

/** Lines are collected for this time, in ms, or until they fill a block. */
const GATHER_MS = 1_000
/** Pending characters for a slow or full disk; beyond that, the oldest lines are dropped and counted. */
const MAX_WAITING = 1024 * 1024
/** Pause before writing to a failed file again, in ms. */
const RETRY_MS = 30_000
const CLOSE_MS = 2_000

type LogFileOptions = {
  readonly folder: string
  readonly limits: () => LogLimits
  /** Called once when the file can't be written, with a sentence. */
  readonly onProblem: (message: string) => void
}

/**
 * The log of one server on disk: lines `ISO time source level text` in `server.log`, rotated daily and when full. Lines that can't be
 * written are dropped; nothing here throws or rejects.
 */
class LogFile {
  readonly #path: string
  #waiting: string[] = []
  #characters = 0
  /** Lines dropped since the last pending one. */
  #missed = 0
  #lastSeq: number | undefined
  #stamp = { at: NaN, text: '' }
  #timer: NodeJS.Timeout | undefined
  /** Runs writes, rotations and deletions in order. */
  #steps: Promise<void> = Promise.resolve()
  #isWriting = false
  #isClosed = false
  /** Files of this run that were full or from another day. */
  #parts = 0
  /** Epoch ms until which the file isn't tried; 0 while it works. */
  #retryAt = 0

  constructor(private readonly options: LogFileOptions) {
    this.#path = join(options.folder, CURRENT_FILE)
  }

  append(entry: LogEntry): void {
    if (this.#isClosed) return
    this.#missed += entry.seq - (this.#lastSeq ?? entry.seq - 1) - 1
    this.#lastSeq = entry.seq
    if (this.#missed > 0) this.#add(missedLine(entry.at, this.#missed))
    this.#missed = 0
    this.#add(this.#lineOf(entry))
    if (this.#characters >= BLOCK) this.#write()
    else this.#writeLater(GATHER_MS)
  }

  /** Deletes old and excess files. */
  sweep(): Promise<void> {
    const { folder, limits } = this.options
    return this.#step(() => pruneLogs(folder, limits()))
  }

  /** Deletes the files; later lines are written again. */
  clear(): Promise<void> {
    return this.#step(async () => {
      for (const { path } of await logFilesIn(this.options.folder)) await rm(path, { force: true })
    })
  }

  /** Writes pending lines and closes the log. Settles within 2 s. */
  async close(): Promise<void> {
    this.#write()
    this.#isClosed = true
    clearTimeout(this.#timer)
    // Lines still pending are lost with a disk that doesn't respond.
    await withTimeLimit(CLOSE_MS, () => this.#steps).catch(() => undefined)
  }

  /** Deletes the folder; nothing is written afterwards. */
  async remove(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#waiting = []
    await this.#step(() => rm(this.options.folder, { recursive: true, force: true }))
  }

  #lineOf({ at, source, level, text, continues }: LogEntry): string {
    // Formatting is expensive, and many lines share a time.
    if (at !== this.#stamp.at) this.#stamp = { at, text: new Date(at).toISOString() }
    return `${this.#stamp.text}  ${source}  ${level}  ${text}${continues ? ' …' : ''}\n`
  }

  #add(line: string): void {
    this.#waiting.push(line)
    this.#characters += line.length
    if (this.#characters <= MAX_WAITING) return
    const half = Math.ceil(this.#waiting.length / 2)
    for (const dropped of this.#waiting.splice(0, half)) this.#characters -= dropped.length
    this.#waiting.unshift(missedLine(Date.now(), half))
  }

  #writeLater(ms: number): void {
    this.#timer ??= setTimeout(() => this.#write(), ms)
  }

  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#isWriting || Date.now() < this.#retryAt) return
    this.#isWriting = true
    background(
      this.#step(() => this.#writeAll()).finally(() => {
        this.#isWriting = false
        if (this.#waiting.length === 0 || this.#isClosed) return
        this.#writeLater(Math.max(GATHER_MS, this.#retryAt - Date.now()))
      }),
      'writing a log',
    )
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      let room = await this.#makeRoom()
      await using file = await open(this.#path, 'a', 0o600)
      while (room > 0 && this.#waiting.length > 0) {
        const block = Buffer.from(this.#nextBlock())
        await file.appendFile(block)
        room -= block.length
        this.#retryAt = 0
      }
    }
  }

  /** Rotates a file that is full or from another day; returns the current file's size in bytes. */
  async #makeRoom(): Promise<number> {
    const { folder, limits } = this.options
    await makeOwnFolder(dirname(folder))
    await makeOwnFolder(folder)
    await refuseForeign(this.#path)
    const facts = await factsOf(this.#path)
    const partBytes = partBytesOf(limits())
    const now = new Date()
    const isOfToday = facts?.mtime.toDateString() === now.toDateString()
    if (facts && isOfToday && facts.size < partBytes) return partBytes - facts.size
    this.#parts += 1
    const name = `server-${now.toISOString().replace(/\D/gu, '')}-${String(this.#parts)}.log`
    if (facts) await rename(this.#path, join(folder, name))
    await pruneLogs(folder, limits())
    return partBytes
  }

  #nextBlock(): string {
    let count = 0
    let length = 0
    while (count < this.#waiting.length && length < BLOCK) {
      length += this.#waiting[count]?.length ?? 0
      count += 1
    }
    this.#characters -= length
    return this.#waiting.splice(0, count).join('')
  }

  /** Runs `work` after all earlier steps; never rejects. */
  #step(work: () => Promise<void>): Promise<void> {
    this.#steps = this.#steps.then(work).catch((error: unknown) => this.#fail(error))
    return this.#steps
  }

  /** Reported once, until a write succeeds. */
  #fail(error: unknown): void {
    const isNew = this.#retryAt === 0
    this.#retryAt = Date.now() + RETRY_MS
    if (isNew) {
      this.options.onProblem(
        `The log file couldn’t be written (${errorMessage(error)}). New lines are kept in memory, and Patchbay retries later.`,
      )
    }
  }
}

function missedLine(at: number, count: number): string {
  const lines = count === 1 ? 'One line is' : `${String(count)} lines are`
  return `${new Date(at).toISOString()}  patchbay  warn  (${lines} missing here because they came too fast.)\n`
}
