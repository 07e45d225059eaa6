import { rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { background } from '../lifecycle/background'
import { factsOf, LineFiles, namesIn } from '../storage/line-files'
import { fileStemOf } from '../storage/own-file'
import { type Minute, MINUTE_MS, readMinute } from './minute'

const DAY_MS = 86_400_000
const DAY_MINUTES = DAY_MS / MINUTE_MS
/** The folder of a server. */
const SERVER_NAME = /^[\w-]{1,64}$/u
const DAY_FILE = /^\d{4}-\d{2}-\d{2}\.jsonl$/u
/** Lines read per tick, a few milliseconds. */
const SLICE = 200
const UNREAD = 'Can’t read saved metrics'
const UNSAVED = 'Can’t save metrics'
const UNDELETED = 'Can’t delete old metrics'

/** Metrics of one server from earlier runs. */
export type EarlierMinutes = {
  /** Minutes of the last 24 h, as written. */
  readonly minutes: Minute[]
  /** Torn or invalid lines. */
  readonly dropped: number
}

type PendingLine = { readonly minute: number; readonly line: string }

/** All servers' metrics on disk: one file per server and day (UTC), with one line of JSON per minute. Nothing here throws or rejects. */
export class MetricsFolder {
  readonly #files: LineFiles
  readonly #waiting = new Map<string, PendingLine[]>()
  /** For files of this run: bytes that earlier runs wrote. */
  readonly #earlierBytes = new Map<string, number>()
  #isWriteDue = false

  /** `folder` contains one folder per server; see `LineFiles` for `onProblem`. */
  constructor(
    private readonly folder: string,
    private readonly now: () => number,
    onProblem: (message: string | undefined) => void,
  ) {
    this.#files = new LineFiles(folder, onProblem)
  }

  /** Reads a server's metrics from earlier runs, without invalid files; undefined if its folder can't be read now. */
  read(installationId: string): Promise<EarlierMinutes | undefined> {
    return this.#files.step(UNREAD, undefined, () => this.#readAll(this.#folderOf(installationId)))
  }

  /** Writes a line soon; while the disk fails, up to a day of lines waits. */
  append(installationId: string, minute: number, line: string): void {
    const waiting = this.#waiting.get(installationId) ?? []
    this.#waiting.set(installationId, waiting)
    waiting.push({ minute, line })
    if (waiting.length > DAY_MINUTES) waiting.shift()
    if (this.#isWriteDue) return
    this.#isWriteDue = true
    background(
      this.#files.step(UNSAVED, undefined, () => this.#writeAll()),
      'writing metrics',
    )
  }

  remove(installationId: string): Promise<void> {
    this.#waiting.delete(installationId)
    return this.#files.step(UNDELETED, undefined, () =>
      rm(this.#folderOf(installationId), { recursive: true, force: true }),
    )
  }

  /** Deletes files of days outside every range, including those of removed servers. */
  sweep(): Promise<void> {
    return this.#files.step(UNDELETED, undefined, async () => {
      // Includes tomorrow, because a clock may have been slightly fast.
      const current = [-1, 0, 1].map((days) => fileOf(this.now() + days * DAY_MS))
      for (const name of (await namesIn(this.folder)).filter((one) => SERVER_NAME.test(one)))
        await sweepFolder(join(this.folder, name), current).catch((error: unknown) =>
          this.#files.failed(UNDELETED, error),
        )
    })
  }

  /** Writes pending lines. Settles within 2 s. */
  close(): Promise<void> {
    return this.#files.close(() => this.#writeAll())
  }

  async #readAll(folder: string): Promise<EarlierMinutes> {
    const oldest = Math.floor(this.now() / MINUTE_MS) - DAY_MINUTES
    const minutes: Minute[] = []
    let dropped = 0
    for (const name of (await namesIn(folder)).filter((one) => DAY_FILE.test(one)).sort()) {
      const file = join(folder, name)
      const lines = await this.#files
        .read(file, this.#earlierBytes.get(file))
        .catch((error: unknown) => {
          this.#files.failed(UNREAD, error)
          return []
        })
      for (const [index, line] of lines.entries()) {
        // Reading a day of lines in one tick would block everything else.
        if (index % SLICE === 0) await nextTurn()
        const minute = readMinute(line)
        if (!minute) dropped += 1
        else if (minute.minute >= oldest) minutes.push(minute)
      }
    }
    return { minutes, dropped }
  }

  async #writeAll(): Promise<void> {
    this.#isWriteDue = false
    let isWell = this.#waiting.size > 0
    for (const [installationId, waiting] of this.#waiting) {
      try {
        await this.#write(this.#folderOf(installationId), waiting)
        this.#waiting.delete(installationId)
      } catch (error) {
        isWell = false
        this.#files.failed(UNSAVED, error)
      }
    }
    if (isWell) this.#files.recovered()
  }

  async #write(folder: string, waiting: PendingLine[]): Promise<void> {
    for (let first = waiting[0]; first; first = waiting[0]) {
      const file = join(folder, fileOf(first.minute * MINUTE_MS))
      if (!this.#earlierBytes.has(file))
        this.#earlierBytes.set(file, (await factsOf(file))?.size ?? 0)
      await this.#files.append(file, first.line)
      // Another one if so many waited that this one was dropped.
      if (waiting[0] === first) waiting.shift()
    }
  }

  #folderOf(installationId: string): string {
    return join(this.folder, fileStemOf(installationId))
  }
}

/** The file name of a day, such as `2026-11-22.jsonl`. */
function fileOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 10)}.jsonl`
}

async function sweepFolder(folder: string, current: readonly string[]): Promise<void> {
  const names = await namesIn(folder)
  const old = names.filter((name) => DAY_FILE.test(name) && !current.includes(name))
  for (const name of old) await rm(join(folder, name), { force: true })
  if (names.length > 0 && names.length === old.length) await rmdir(folder)
}
