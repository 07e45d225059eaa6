import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import pLimit from 'p-limit'

import { fetchIcon, type IconFetchOptions } from './fetch-icon'
import { readDataAddress, readPicture, toDataAddress } from './picture'

/** What all icons together may take on the disk. */
const SHELF_BYTES = 64 * 1024 * 1024
/** Icons fetched at the same time. */
const SLOTS = 4
/** How many are put there before the oldest are looked for again. */
const SWEEP_AFTER = 100
const KEPT_MS = 30 * 86_400_000
/** Addresses without a picture that are remembered in this run. */
const MOST_MISSES = 5_000

/** Where icons are kept, and how they are fetched. */
export type IconCacheOptions = IconFetchOptions & {
  readonly folder: string
  readonly shelfBytes?: number
}

/**
 * The icons of listed servers, as data: addresses. Fetched once and kept on the disk below their address's hash; what
 * is no picture is not asked for again in this run.
 */
export class IconCache implements Disposable {
  readonly #options: IconCacheOptions
  readonly #slots = pLimit(SLOTS)
  readonly #ended = new AbortController()
  readonly #pending = new Map<string, Promise<string | null>>()
  readonly #misses = new Set<string>()
  #puts = 0

  constructor(options: IconCacheOptions) {
    this.#options = options
  }

  /** The icon at an https: or data: address of an entry; null where none may be shown. Never rejects. */
  read(address: string): Promise<string | null> {
    if (address.startsWith('data:')) return Promise.resolve(shown(readDataAddress(address)))
    if (this.#misses.has(address)) return Promise.resolve(null)
    const pending = this.#pending.get(address) ?? this.#find(address)
    this.#pending.set(address, pending)
    return pending
  }

  [Symbol.dispose](): void {
    this.#ended.abort()
    this.#slots.clearQueue()
  }

  async #find(address: string): Promise<string | null> {
    try {
      const kept = shown(await this.#readKept(address))
      if (kept !== null) return kept
      const { signal } = this.#ended
      const bytes = await this.#slots(() => fetchIcon(address, { ...this.#options, signal }))
      const icon = shown(bytes)
      if (icon === null || bytes === undefined) this.#miss(address)
      else await this.#keep(address, bytes)
      return icon
    } finally {
      this.#pending.delete(address)
    }
  }

  #miss(address: string): void {
    // One that was cut off by the end says nothing of its address.
    if (!this.#ended.signal.aborted && this.#misses.size < MOST_MISSES) this.#misses.add(address)
  }

  #pathOf(address: string): string {
    return join(this.#options.folder, createHash('sha256').update(address).digest('hex'))
  }

  async #readKept(address: string): Promise<Uint8Array | undefined> {
    const path = this.#pathOf(address)
    try {
      const { mtimeMs } = await stat(path)
      return Date.now() - mtimeMs > KEPT_MS ? undefined : await readFile(path)
    } catch {
      return undefined // not there yet
    }
  }

  /** A disk that is full costs the copy, not the icon. */
  async #keep(address: string, bytes: Uint8Array): Promise<void> {
    const path = this.#pathOf(address)
    try {
      await mkdir(this.#options.folder, { recursive: true })
      await writeFile(`${path}.new`, bytes)
      await rename(`${path}.new`, path)
      if (this.#puts % SWEEP_AFTER === 0) await this.#sweep()
      this.#puts += 1
    } catch {
      await rm(`${path}.new`, { force: true })
    }
  }

  /** Removes the oldest until the rest takes no more than it may. */
  async #sweep(): Promise<void> {
    const { folder, shelfBytes = SHELF_BYTES } = this.#options
    const files = await Promise.all(
      (await readdir(folder)).map(async (name) => {
        const path = join(folder, name)
        const { size, mtimeMs } = await stat(path)
        return { path, size, mtimeMs }
      }),
    )
    let left = files.reduce((sum, { size }) => sum + size, 0)
    for (const { path, size } of files.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (left <= shelfBytes) return
      await rm(path, { force: true })
      left -= size
    }
  }
}

function shown(bytes: Uint8Array | undefined): string | null {
  const picture = bytes && readPicture(bytes)
  return picture ? toDataAddress(picture) : null
}
