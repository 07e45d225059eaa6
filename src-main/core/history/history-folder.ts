import { appendFile, lstat, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import pLimit from 'p-limit'

import { HistoryEvent } from '../../../src-shared/domain/running/history'
import { messageOf } from '../failure/describe-failure'
import { background } from '../lifecycle/background'
import { ErrorLatch } from '../lifecycle/error-latch'
import { withTimeLimit } from '../lifecycle/time-limit'
import { makeOwnFolder } from '../log/log-folder'

/** A name that cannot lead out of the folder; the app makes no other ids, but a settings file may hold any. */
const SERVER_NAME = /^[\w-]{1,64}$/u
/** A history has at most some hundred KB; a larger file is not Patchbay's. */
const MOST_BYTES = 8 * 1024 * 1024
const CLOSE_MS = 2_000

export type HistoryFolderOptions = {
  readonly folder: string
  /** It cannot be written, read or deleted: a sentence, once; undefined as soon as it is written again. */
  readonly onTrouble: (message: string | undefined) => void
}

/** The histories of servers on the disk: a file for each, with a line of JSON for each event. One step after the other; nothing here rejects. */
export class HistoryFolder {
  readonly #options: HistoryFolderOptions
  readonly #lane = pLimit(1)
  readonly #latch: ErrorLatch

  constructor(options: HistoryFolderOptions) {
    this.#options = options
    this.#latch = new ErrorLatch(options.onTrouble)
  }

  /** What earlier runs wrote of a server, oldest first; lines that are torn or hold something else are left out. */
  read(installationId: string): Promise<HistoryEvent[]> {
    return this.#step('Can’t read the history', [], async () => {
      const file = this.#fileOf(installationId)
      const facts = file === undefined ? undefined : await lstat(file).catch(() => undefined) // not there yet
      if (file === undefined || !facts) return []
      if (!facts.isFile() || facts.size > MOST_BYTES)
        throw new Error('it was not created by Patchbay')
      return (await readFile(file, 'utf8')).split('\n').flatMap(eventOf)
    })
  }

  append(installationId: string, event: HistoryEvent): void {
    background(
      this.#step('Can’t save the history', undefined, async () => {
        const file = this.#fileOf(installationId)
        if (file === undefined) return
        await makeOwnFolder(this.#options.folder)
        // A line that was torn by a crash must not take this one with it.
        await appendFile(file, `\n${JSON.stringify(event)}\n`, { mode: 0o600 })
        this.#latch.tell(undefined)
      }),
      'saving the history',
    )
  }

  /** Writes a history again, without what it no longer keeps. */
  replace(installationId: string, events: readonly HistoryEvent[]): void {
    const text = events.map((event) => `${JSON.stringify(event)}\n`).join('')
    background(
      this.#step('Can’t save the history', undefined, async () => {
        const file = this.#fileOf(installationId)
        if (file === undefined) return
        await makeOwnFolder(this.#options.folder)
        await writeFile(`${file}.new`, text, { mode: 0o600 })
        await rename(`${file}.new`, file)
        this.#latch.tell(undefined)
      }),
      'saving the history',
    )
  }

  /** Deletes the history of a server. */
  remove(installationId: string): Promise<void> {
    return this.#step('Can’t delete the history', undefined, async () => {
      const file = this.#fileOf(installationId)
      if (file === undefined) return
      await rm(file, { force: true })
      await rm(`${file}.new`, { force: true })
    })
  }

  /** Settles when all is written, within 2 s. */
  async close(): Promise<void> {
    // What still waits then is lost with a disk that does not answer.
    await withTimeLimit(CLOSE_MS, () => this.#lane(() => undefined)).catch(() => undefined)
  }

  #step<T>(message: string, otherwise: T, work: () => Promise<T>): Promise<T> {
    return this.#lane(async () => {
      try {
        return await work()
      } catch (error) {
        this.#latch.tell(`${message} (${messageOf(error)}).`)
        return otherwise
      }
    })
  }

  #fileOf(installationId: string): string | undefined {
    return SERVER_NAME.test(installationId)
      ? join(this.#options.folder, `${installationId}.jsonl`)
      : undefined
  }
}

function eventOf(line: string): HistoryEvent[] {
  if (line === '') return []
  try {
    const read = HistoryEvent.safeParse(JSON.parse(line))
    return read.success ? [read.data] : []
  } catch {
    // A line that was torn.
    return []
  }
}
