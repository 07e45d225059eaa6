import type { Stats } from 'node:fs'
import { appendFile, lstat, mkdir, readdir, readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

import pLimit from 'p-limit'

import { messageOf } from '../failure/describe-failure'
import { ErrorLatch } from '../failure/error-latch'
import { withTimeLimit } from '../lifecycle/time-limit'

/** Larger than any file of Patchbay's own. */
const MAX_BYTES = 16 * 1024 * 1024
const CLOSE_MS = 2_000

/** Line files in one folder: appends, reads and deletions run in order. Only `append` and `read` reject. */
export class LineFiles {
  readonly #queue = pLimit(1)
  readonly #latch: ErrorLatch

  /** `onProblem`: gets a sentence once if files can't be written, read or deleted, and undefined when everything is written again. */
  constructor(
    readonly folder: string,
    onProblem: (message: string | undefined) => void,
  ) {
    this.#latch = new ErrorLatch(onProblem)
  }

  /** Runs `work` after all earlier steps. If it fails, reports `message` and returns `otherwise`. */
  step<T>(message: string, otherwise: T, work: () => Promise<T>): Promise<T> {
    return this.#queue(async () => {
      try {
        return await work()
      } catch (error) {
        this.failed(message, error)
        return otherwise
      }
    })
  }

  failed(message: string, error: unknown): void {
    this.#latch.set(`${message} (${messageOf(error)}).`)
  }

  /** Everything is written again. */
  recovered(): void {
    this.#latch.set(undefined)
  }

  /** Appends a line to a private file, within a step; rejects with the system's error. */
  async append(file: string, line: string): Promise<void> {
    await makeOwnFolder(this.folder)
    await makeOwnFolder(dirname(file))
    await refuseForeign(file)
    // A line torn by a crash or a full disk must not affect this one.
    await appendFile(file, `\n${line}\n`, { mode: 0o600 })
  }

  /**
   * The lines within a file's first `bytes`, or all; empty if the file is missing. Call within a step; rejects if Patchbay didn't create
   * the file.
   */
  async read(file: string, bytes?: number): Promise<string[]> {
    const facts = await factsOf(file)
    if (!facts) return []
    if (!facts.isFile() || facts.size > MAX_BYTES)
      throw new Error(`${basename(file)} was not created by Patchbay`)
    const text = (await readFile(file)).toString('utf8', 0, bytes)
    return text.split('\n').filter((line) => line !== '')
  }

  /** Settles when everything is written, including `last`, within 2 s. */
  async close(last: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    // Lines still pending are lost with a disk that doesn't respond.
    await withTimeLimit(CLOSE_MS, () => this.#queue(last)).catch(() => undefined)
  }
}

/** Creates a private folder; throws if a link or anything else is in its place. */
export async function makeOwnFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (!(await lstat(folder)).isDirectory()) {
    throw new Error(`${folder} is a link, where a folder of Patchbay's own belongs`)
  }
}

/** Names in a folder; empty if it is missing or a link. */
export async function namesIn(folder: string): Promise<string[]> {
  if (!(await factsOf(folder))?.isDirectory()) return []
  return readdir(folder)
}

/** Throws if a link or anything else is in a private file's place. */
export async function refuseForeign(file: string): Promise<void> {
  const facts = await factsOf(file)
  if (facts && !facts.isFile()) throw new Error(`${file} is no file of Patchbay's own`)
}

/** The status of a path without following links; undefined if nothing is there. */
export async function factsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
