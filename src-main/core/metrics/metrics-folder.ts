import { appendFile, lstat, readFile, rm, rmdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

import pLimit from 'p-limit'

import { messageOf } from '../failure/describe-failure'
import { background } from '../lifecycle/background'
import { ErrorLatch } from '../lifecycle/error-latch'
import { withTimeLimit } from '../lifecycle/time-limit'
import { makeOwnFolder, namesIn, refuseForeign } from '../log/log-folder'
import { type Minute, MINUTE_MS, readMinute } from './minute'

const DAY_MS = 86_400_000
const DAY_MINUTES = DAY_MS / MINUTE_MS
/** A name that cannot lead out of the folder; the app makes no other ids, but a settings file may hold any. */
const SERVER_NAME = /^[\w-]{1,64}$/u
const DAY_FILE = /^\d{4}-\d{2}-\d{2}\.jsonl$/u
/** The file of a day has about 200 KB; a larger one is not Patchbay's. */
const MOST_BYTES = 16 * 1024 * 1024
const CLOSE_MS = 2_000
/** How many lines are read before others get their turn: a few milliseconds. */
const SLICE = 200

export type MetricsFolderOptions = {
  /** Holds one folder for each server. */
  readonly folder: string
  readonly now: () => number
  /** Figures cannot be written, read or deleted: a sentence, once; undefined as soon as all is written again. */
  readonly onTrouble: (message: string | undefined) => void
}

/** What earlier runs left of one server. */
export type EarlierMinutes = {
  /** Of the last 24 h, as they were written. */
  readonly minutes: Minute[]
  /** Lines that were torn or hold something else. */
  readonly dropped: number
}

type WaitingLine = { readonly minute: number; readonly line: string }

/**
 * The metrics of all servers on the disk: one file for each server and day (UTC) with one line of JSON for each
 * minute. One step after the other; nothing here throws or rejects.
 */
export class MetricsFolder {
  readonly #options: MetricsFolderOptions
  readonly #lane = pLimit(1)
  readonly #waiting = new Map<string, WaitingLine[]>()
  /** Files whose last line is known to be whole. */
  readonly #whole = new Set<string>()
  /** How many bytes of a file earlier runs wrote, for those that this run has written to. */
  readonly #earlierBytes = new Map<string, number>()
  #isWriteDue = false
  readonly #latch: ErrorLatch

  constructor(options: MetricsFolderOptions) {
    this.#options = options
    this.#latch = new ErrorLatch(options.onTrouble)
  }

  /** What earlier runs wrote about a server, without the files that are none; undefined where its folder cannot be read now. */
  read(installationId: string): Promise<EarlierMinutes | undefined> {
    return this.#lane(async () => {
      try {
        const folder = this.#folderOf(installationId)
        return folder === undefined ? { minutes: [], dropped: 0 } : await this.#readAll(folder)
      } catch (error) {
        this.#fail('Can’t read saved metrics', error)
        return undefined
      }
    })
  }

  /** Writes a line soon; while the disk does not take it, it waits with a day of others. */
  append(installationId: string, minute: number, line: string): void {
    const waiting = this.#waiting.get(installationId) ?? []
    this.#waiting.set(installationId, waiting)
    waiting.push({ minute, line })
    if (waiting.length > DAY_MINUTES) waiting.shift()
    if (this.#isWriteDue) return
    this.#isWriteDue = true
    background(
      this.#lane(() => this.#writeAll()),
      'writing metrics',
    )
  }

  /** Deletes all metrics of a server. */
  remove(installationId: string): Promise<void> {
    this.#waiting.delete(installationId)
    return this.#lane(async () => {
      const folder = this.#folderOf(installationId)
      if (folder === undefined) return
      try {
        await rm(folder, { recursive: true, force: true })
      } catch (error) {
        this.#fail('Can’t delete old metrics', error)
      }
    })
  }

  /** Deletes the files of days that no range reaches, also of servers that are no more. */
  sweep(): Promise<void> {
    return this.#lane(async () => {
      const { folder, now } = this.#options
      // Tomorrow too: a clock may have been a little ahead.
      const kept = [-1, 0, 1].map((days) => fileOf(now() + days * DAY_MS))
      const sweepOne = (name: string): Promise<void> => sweepFolder(join(folder, name), kept)
      try {
        const names = (await namesIn(folder)).filter((one) => SERVER_NAME.test(one))
        for (const name of names)
          await sweepOne(name).catch((error: unknown) =>
            this.#fail('Can’t delete old metrics', error),
          )
      } catch (error) {
        this.#fail('Can’t delete old metrics', error)
      }
    })
  }

  /** Writes what waits. Settles within 2 s. */
  async close(): Promise<void> {
    // What still waits then is lost with a disk that does not answer.
    await withTimeLimit(CLOSE_MS, () => this.#lane(() => this.#writeAll())).catch(() => undefined)
  }

  async #readAll(folder: string): Promise<EarlierMinutes> {
    const now = this.#options.now()
    const oldest = Math.floor(now / MINUTE_MS) - DAY_MINUTES
    const minutes: Minute[] = []
    let dropped = 0
    for (const name of (await namesIn(folder)).filter((one) => DAY_FILE.test(one)).sort()) {
      for (const [index, line] of (await this.#linesOf(join(folder, name))).entries()) {
        // A day of lines in one go would keep everything else waiting.
        if (index % SLICE === 0) await nextTurn()
        const minute = readMinute(line)
        if (!minute) dropped += 1
        else if (minute.minute >= oldest) minutes.push(minute)
      }
    }
    return { minutes, dropped }
  }

  /** The lines of earlier runs in a file; none of one that is not as Patchbay makes them. */
  async #linesOf(file: string): Promise<string[]> {
    try {
      return await linesOf(file, this.#earlierBytes.get(file))
    } catch (error) {
      this.#fail('Can’t read saved metrics', error)
      return []
    }
  }

  async #writeAll(): Promise<void> {
    this.#isWriteDue = false
    let isWell = this.#waiting.size > 0
    for (const [installationId, waiting] of this.#waiting) {
      const folder = this.#folderOf(installationId)
      try {
        if (folder !== undefined) await this.#write(folder, waiting)
        if (waiting.length === 0) this.#waiting.delete(installationId)
      } catch (error) {
        isWell = false
        this.#fail('Can’t save metrics', error)
      }
    }
    if (isWell) this.#latch.tell(undefined)
  }

  async #write(folder: string, waiting: WaitingLine[]): Promise<void> {
    await makeOwnFolder(this.#options.folder)
    await makeOwnFolder(folder)
    for (let first = waiting[0]; first; first = waiting[0]) {
      const file = join(folder, fileOf(first.minute * MINUTE_MS))
      await refuseForeign(file)
      if (!this.#earlierBytes.has(file)) this.#earlierBytes.set(file, await sizeOf(file))
      // A line that was torn, by a crash or a full disk, must not take this one with it.
      const start = this.#whole.delete(file) ? '' : '\n'
      await appendFile(file, `${start}${first.line}\n`, { mode: 0o600 })
      this.#whole.add(file)
      // Another one when so many wait that it was given up meanwhile.
      if (waiting[0] === first) waiting.shift()
    }
  }

  #fail(message: string, error: unknown): void {
    this.#latch.tell(`${message} (${messageOf(error)}).`)
  }

  #folderOf(installationId: string): string | undefined {
    return SERVER_NAME.test(installationId) ? join(this.#options.folder, installationId) : undefined
  }
}

/** The name of the file of a day, such as `2026-11-22.jsonl`. */
function fileOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 10)}.jsonl`
}

async function sizeOf(file: string): Promise<number> {
  return (await lstat(file).catch(() => undefined))?.size ?? 0 // it is not there yet
}

/** The lines within the first `bytes` of a file, or all. */
async function linesOf(file: string, bytes?: number): Promise<string[]> {
  const facts = await lstat(file)
  if (!facts.isFile() || facts.size > MOST_BYTES)
    throw new Error(`${basename(file)} was not created by Patchbay`)
  const text = (await readFile(file)).toString('utf8', 0, bytes)
  return text.split('\n').filter((line) => line !== '')
}

async function sweepFolder(folder: string, kept: readonly string[]): Promise<void> {
  const names = await namesIn(folder)
  const old = names.filter((name) => DAY_FILE.test(name) && !kept.includes(name))
  for (const name of old) await rm(join(folder, name), { force: true })
  if (names.length > 0 && names.length === old.length) await rmdir(folder)
}
