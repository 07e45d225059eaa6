import { randomUUID } from 'node:crypto'
import { join } from 'node:path'

import pLimit from 'p-limit'
import * as z from 'zod'

import { AppError } from '../../../src-shared/domain/app-error'
import { OWN_COMMAND } from '../../../src-shared/domain/server-json/own-command'
import type { Package } from '../../../src-shared/domain/server-json/server-json'
import { plainFs } from '../file-system/plain-fs'
import { invalidBundle, isSystemError, unwritableBundle } from './archive/bundle-error'

const { lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } = plainFs.promises

/** Written next to a complete folder; `needs` are relative paths of files required for a start. */
const BundleMark = z.object({
  files: z.number().int(),
  bytes: z.number().int(),
  needs: z.array(z.string()),
  twins: z.tuple([z.string(), z.string()]).optional(),
})
export type BundleMark = z.infer<typeof BundleMark>

const HASH = /^[0-9a-f]{64}/
/** Limit of removals per sweep; the next sweep continues. */
const MAX_SWEPT = 200

/** The unpacked bundles of a profile: one folder per file, by SHA-256. */
export class BundleFolder {
  /** Runs one change at a time, so that no folder is filled, read and removed concurrently. */
  readonly #mutex = pLimit(1)
  /** Opened in this run: the user may be about to set them up. */
  readonly #openedHashes = new Set<string>()
  readonly #temporary = new Set<string>()
  #used: ReadonlySet<string> | undefined

  constructor(readonly root: string) {}

  folderOf(sha256: string): string {
    return join(this.root, sha256)
  }

  /** Passes `work` the path of a temporary file, which is removed afterwards. Rejects as `work` does, or with INSTALL_FAILED. */
  async withFile<T>(work: (file: string) => Promise<T>): Promise<T> {
    const name = `${randomUUID()}.download`
    const file = join(this.root, name)
    this.#temporary.add(name)
    try {
      await makeFolder(this.root)
      return await work(file)
    } finally {
      this.#temporary.delete(name)
      await remove(file)
    }
  }

  /**
   * Ensures a bundle's folder: keeps a complete one, otherwise lets `fill` write an empty one that then replaces it. Rejects as `fill`
   * does, or with INSTALL_FAILED.
   */
  async ensure(sha256: string, fill: (folder: string) => Promise<BundleMark>): Promise<BundleMark> {
    return this.#mutex(async () => {
      this.#openedHashes.add(sha256)
      const existing = await this.#completeMark(sha256)
      if (existing) return existing
      const folder = this.folderOf(sha256)
      const partial = `${folder}.partial`
      await this.#removeAll(sha256)
      try {
        await makeFolder(partial)
        const mark = await fill(partial)
        await rename(partial, folder)
        await writeFile(`${folder}.json`, JSON.stringify(mark), { mode: 0o600 })
        return mark
      } catch (error) {
        await remove(partial)
        if (error instanceof AppError || !isSystemError(error)) throw error
        throw unwritableBundle(this.root, error)
      }
    })
  }

  /** Checks that everything a bundle's package needs exists; ignores other packages. Rejects with INVALID_BUNDLE. */
  async check({ registryType, fileSha256, workingFolder }: Package): Promise<void> {
    if (registryType !== OWN_COMMAND || fileSha256 === undefined) return
    const folder = this.folderOf(fileSha256)
    if (workingFolder === folder && (await this.#completeMark(fileSha256))) return
    throw invalidBundle(`The unpacked bundle of this server is incomplete: ${folder}.`, {
      hint: 'Open the same bundle again from the catalog to restore its folder.',
    })
  }

  /**
   * Sets the hashes of all bundles that installations use: first at the app's start, then at every change. Removes unused bundles and an
   * earlier run's leftovers. Never rejects.
   */
  async setUsed(used: ReadonlySet<string>): Promise<void> {
    const before = this.#used
    this.#used = used
    // A bundle that was already in use may be open in a form again: only a newly set up one is released.
    for (const hash of used) if (before && !before.has(hash)) this.#openedHashes.delete(hash)
    const isLess = before === undefined || [...before].some((hash) => !used.has(hash))
    if (isLess) await this.#mutex(() => this.#sweep())
  }

  async #sweep(): Promise<void> {
    const names = await readdir(this.root).catch((): string[] => [])
    const hashes = new Set(names.flatMap((name) => HASH.exec(name) ?? []))
    const unused = [...hashes].filter(
      (hash) => !this.#used?.has(hash) && !this.#openedHashes.has(hash),
    )
    for (const hash of unused.slice(0, MAX_SWEPT)) await this.#removeAll(hash)
    const halves = names.filter(
      (name) =>
        name.endsWith('.partial') || (name.endsWith('.download') && !this.#temporary.has(name)),
    )
    for (const name of halves.slice(0, MAX_SWEPT)) await remove(join(this.root, name))
  }

  /** Returns the mark of a complete folder. */
  async #completeMark(sha256: string): Promise<BundleMark | undefined> {
    const folder = this.folderOf(sha256)
    try {
      const mark = BundleMark.parse(JSON.parse(await readFile(`${folder}.json`, 'utf8')))
      if (!(await lstat(folder)).isDirectory()) return undefined
      const found = await Promise.all(mark.needs.map((path) => stat(join(folder, path))))
      return found.every((one) => one.isFile()) ? mark : undefined
    } catch {
      return undefined // a part is missing or unreadable, so the folder is incomplete
    }
  }

  async #removeAll(sha256: string): Promise<void> {
    const folder = this.folderOf(sha256)
    // The mark first: a partly removed folder must not count as complete.
    for (const path of [`${folder}.json`, folder, `${folder}.partial`]) await remove(path)
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw unwritableBundle(path, cause)
  }
}

/** The next sweep removes files that are still in use. */
async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
}
