import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { AppError } from '../../../src-shared/domain/app-error'
import { errorMessage } from '../../../src-shared/domain/error-message'
import type { LogEntry } from '../../../src-shared/domain/running/log-entry'
import { LogFile } from './log-file'
import { CURRENT_FILE, logFilesIn, type LogLimits, namesIn, pruneLogs } from './log-folder'

/** A name that cannot lead out of the folder; the app makes no other ids, but a settings file may hold any. */
const FOLDER_NAME = /^[\w-]{1,64}$/u

export type LogArchiveOptions = {
  /** Holds one folder for each server. */
  readonly folder: string
  readonly limits: () => LogLimits
  /** A server's log can no longer be written; a sentence for its log. */
  readonly onTrouble: (installationId: string, message: string) => void
  /** Files over a limit could not be deleted; a sentence. */
  readonly onSweepTrouble: (message: string) => void
  readonly now?: () => number
}

/** What all log files take. */
export type LogUsage = { readonly bytes: number; readonly files: number; readonly folder: string }

/** The log files of all servers. */
export class LogArchive {
  readonly #files = new Map<string, LogFile>()

  constructor(private readonly options: LogArchiveOptions) {}

  append(installationId: string, entry: LogEntry): void {
    this.#fileOf(installationId)?.append(entry)
  }

  /** The file that the newest lines of a server are written to. */
  pathOf(installationId: string): string {
    return join(this.options.folder, installationId, CURRENT_FILE)
  }

  /** Every log file on the disk, also of servers that are no more. Rejects with LOG_FILES_FAILED. */
  async usage(): Promise<LogUsage> {
    const { folder } = this.options
    const all = await orFail('Can’t read the log files', async () =>
      (await Promise.all((await this.#folders()).map(logFilesIn))).flat(),
    )
    return { bytes: all.reduce((sum, file) => sum + file.bytes, 0), files: all.length, folder }
  }

  /** Deletes all log files; what servers write from now on is written again. Rejects with LOG_FILES_FAILED. */
  async clear(): Promise<void> {
    await Promise.all([...this.#files.values()].map((file) => file.clear()))
    await orFail('Can’t delete the log files', async () => {
      for (const folder of await this.#folders()) {
        if (!this.#files.has(basename(folder))) await rm(folder, { recursive: true, force: true })
      }
    })
  }

  /** Deletes the log files of a server that is removed. */
  async remove(installationId: string): Promise<void> {
    const file = this.#fileOf(installationId)
    this.#files.delete(installationId)
    await file?.remove()
  }

  /** Has the limits that changed kept. */
  async limitsChanged(): Promise<void> {
    await Promise.all([...this.#files.values()].map((file) => file.limitsChanged()))
    await this.sweep()
  }

  /** Keeps the limits, also for servers that wrote nothing in this run; never rejects. */
  async sweep(): Promise<void> {
    const { limits, now = Date.now, onSweepTrouble } = this.options
    try {
      for (const folder of await this.#folders()) {
        const file = this.#files.get(basename(folder))
        await (file ? file.sweep() : pruneLogs(folder, limits(), now(), false))
      }
    } catch (error) {
      onSweepTrouble(`Log files couldn’t be deleted: ${errorMessage(error)}.`)
    }
  }

  /** Writes what waits. Settles within about 2 s. */
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
      onTrouble: (message) => this.options.onTrouble(installationId, message),
      ...(this.options.now && { now: this.options.now }),
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
