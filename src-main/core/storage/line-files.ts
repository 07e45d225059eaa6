import type { Stats } from 'node:fs'
import { appendFile, lstat, mkdir, readdir, readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

import pLimit from 'p-limit'

import { messageOf } from '../failure/describe-failure'
import { ErrorLatch } from '../failure/error-latch'
import { withTimeLimit } from '../lifecycle/time-limit'

/** No file of lines grows so large; a larger one is not Patchbay's. */
const MOST_BYTES = 16 * 1024 * 1024
const CLOSE_MS = 2_000

/** Files of lines below one folder: appended to, read and deleted one step after the other. Nothing here but `append` and `read` rejects. */
export class LineFiles {
  readonly #queue = pLimit(1)
  readonly #latch: ErrorLatch

  /** `onProblem`: they can’t be written, read or deleted: a sentence, once; undefined as soon as all is written again. */
  constructor(
    readonly folder: string,
    onProblem: (message: string | undefined) => void,
  ) {
    this.#latch = new ErrorLatch(onProblem)
  }

  /** Does `work` after all that was asked for before. Where that fails, `message` is reported, and `otherwise` is the result. */
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

  /** All is written again. */
  recovered(): void {
    this.#latch.set(undefined)
  }

  /** Adds a line to a file, which is for this account alone. To be called within a step; rejects with the system's error. */
  async append(file: string, line: string): Promise<void> {
    await makeOwnFolder(this.folder)
    await makeOwnFolder(dirname(file))
    await refuseForeign(file)
    // A line that was torn, by a crash or a full disk, must not take this one with it.
    await appendFile(file, `\n${line}\n`, { mode: 0o600 })
  }

  /** The lines within the first `bytes` of a file, or all; none where it is not there. To be called within a step; rejects for one that is not as Patchbay makes them. */
  async read(file: string, bytes?: number): Promise<string[]> {
    const facts = await factsOf(file)
    if (!facts) return []
    if (!facts.isFile() || facts.size > MOST_BYTES)
      throw new Error(`${basename(file)} was not created by Patchbay`)
    const text = (await readFile(file)).toString('utf8', 0, bytes)
    return text.split('\n').filter((line) => line !== '')
  }

  /** Settles when all is written, `last` too, within 2 s. */
  async close(last: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    // What still waits then is lost with a disk that does not answer.
    await withTimeLimit(CLOSE_MS, () => this.#queue(last)).catch(() => undefined)
  }
}

/** Makes a folder of one's own; throws when a link or something else stands in its place. */
export async function makeOwnFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (!(await lstat(folder)).isDirectory()) {
    throw new Error(`${folder} is a link, where a folder of Patchbay's own belongs`)
  }
}

/** Names in a folder; none where there is no folder, or a link in its place. */
export async function namesIn(folder: string): Promise<string[]> {
  if (!(await factsOf(folder))?.isDirectory()) return []
  return readdir(folder)
}

/** Throws when a link or something else stands where a file of one's own belongs. */
export async function refuseForeign(file: string): Promise<void> {
  const facts = await factsOf(file)
  if (facts && !facts.isFile()) throw new Error(`${file} is no file of Patchbay's own`)
}

/** What the system tells of a path, links not followed; undefined where nothing is. */
export async function factsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
