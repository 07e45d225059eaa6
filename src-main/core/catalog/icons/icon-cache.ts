import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import pLimit from 'p-limit'

import { attempt } from '../../../../src-shared/domain/attempt'
import {
  jpegSize,
  type PictureSize,
  pngSize,
  webpSize,
} from '../../../../src-shared/domain/picture-size'
import { fetchFollowing, readAddress, readBody } from '../../network/http-fetch'
import { leadsToPublic } from '../../network/public-address'

/** A picture that may be shown, with the type of its bytes. */
type Picture = {
  readonly type: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/svg+xml'
  readonly bytes: Uint8Array
}

/** Largest picture, in bytes. */
export const PICTURE_LIMIT = 256 * 1024

/** Longest side of a picture, in pixels: a few packed bytes can become gigabytes when drawn. */
const MAX_PIXELS = 1_024

/** The first element of an SVG has to begin within this many characters. */
const PROLOGUE_LIMIT = 16 * 1024

/**
 * Elements that make an SVG more than shapes: a few hundred bytes of repeated, filtered or embedded content can block a page for minutes.
 */
const COSTLY =
  /<\s*(?:\w+:)?(?:script|use|foreignobject|filter|image|feimage|pattern|animate\w*|set|iframe|style)\b|<!ENTITY|<!DOCTYPE/i

/** The first bytes of each type, as Latin-1. */
const RASTERS = [
  { type: 'image/png', start: /^\x89PNG\r\n/u, sizeOf: pngSize },
  { type: 'image/jpeg', start: /^\xff\xd8\xff/u, sizeOf: jpegSize },
  { type: 'image/webp', start: /^RIFF.{4}WEBP/su, sizeOf: webpSize },
] as const

/**
 * Detects a picture by its bytes; undefined for anything else, for more than 1,024 pixels a side or an unknown size, and for an SVG that is
 * more than shapes.
 */
export function readPicture(bytes: Uint8Array): Picture | undefined {
  if (bytes.byteLength > PICTURE_LIMIT) return undefined
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  const raster = RASTERS.find(({ start }) => start.test(head))
  if (raster) return fits(raster.sizeOf(bytes)) ? { type: raster.type, bytes } : undefined
  return isPlainDrawing(bytes) ? { type: 'image/svg+xml', bytes } : undefined
}

/** The picture as an address that a page shows without a request. */
function toDataAddress({ type, bytes }: Picture): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}

/** The bytes of a data: address; undefined if it isn't one or is too long. */
export function readDataAddress(address: string): Uint8Array | undefined {
  // Base64 takes four characters for three bytes, percent-encoding nine.
  if (address.length > PICTURE_LIMIT * 3) return undefined
  const [, isBase64, text] =
    /^data:[^,;]*(?:;(?!base64)[^,;]*)*(;base64)?,(.*)$/is.exec(address) ?? []
  if (text === undefined) return undefined
  if (isBase64 !== undefined) return Buffer.from(text, 'base64')
  return attempt(() => Buffer.from(decodeURIComponent(text), 'utf8'))
}

function fits(size: PictureSize | undefined): boolean {
  if (!size) return false
  return [size.width, size.height].every((side) => side >= 1 && side <= MAX_PIXELS)
}

function isPlainDrawing(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes)
  const root = text.slice(prologueEnd(text.slice(0, PROLOGUE_LIMIT)))
  return /^<svg[\s>]/i.test(root) && !COSTLY.test(root)
}

/** End of the declaration, comments and whitespace before the first element, found in one pass. */
function prologueEnd(text: string): number {
  const part = /\s+|<\?xml\s[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*>/iy
  let end = 0
  while (part.test(text)) end = part.lastIndex
  return end
}

const TIME_LIMIT_MS = 10_000
const MAX_REDIRECTS = 3
const HEADERS = { accept: 'image/png, image/jpeg, image/webp, image/svg+xml' }

/** Options for fetching an icon; most are for tests. */
type IconFetchOptions = {
  readonly signal?: AbortSignal | undefined
  /** Whether an address, including redirect targets, may be requested. */
  readonly mayFetch?: ((address: URL) => boolean | Promise<boolean>) | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** Fetches at most 256 KB without cookies or referrer; undefined on any failure. */
export async function fetchIcon(
  address: string,
  { mayFetch = leadsToPublic, fetch = globalThis.fetch, ...options }: IconFetchOptions = {},
): Promise<Uint8Array | undefined> {
  const limit = AbortSignal.timeout(TIME_LIMIT_MS)
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
  try {
    const first = readAddress(address)
    if (!first || !(await mayFetch(first))) return undefined
    const { response } = await fetchFollowing(first, {
      ...{ fetch, signal, redirects: MAX_REDIRECTS, headersFor: () => HEADERS },
      mayFollow: (next) => mayFetch(next),
    })
    if (response.ok) return await readBody(response, PICTURE_LIMIT)
    await response.body?.cancel()
  } catch {
    // The monogram is shown then.
  }
  return undefined
}

/** Disk limit of all icons, in bytes. */
const CACHE_BYTES = 64 * 1024 * 1024
/** Parallel fetches. */
const SLOTS = 4
/** Added icons before the disk limit is checked again. */
const SWEEP_AFTER = 100
const CACHED_MS = 30 * 86_400_000
/** Remembered addresses without a picture. */
const MAX_MISSES = 5_000

/** The cache folder, and how icons are fetched. */
export type IconCacheOptions = IconFetchOptions & {
  readonly folder: string
  readonly cacheBytes?: number
}

/**
 * Icons of listed servers as data: addresses. Fetched once and cached on disk under their address's hash; an address without a picture
 * isn't requested again in this run.
 */
export class IconCache implements Disposable {
  readonly #slots = pLimit(SLOTS)
  readonly #ended = new AbortController()
  readonly #pending = new Map<string, Promise<string | null>>()
  readonly #misses = new Set<string>()
  #puts = 0

  constructor(private readonly options: IconCacheOptions) {}

  /** The icon at an https: or data: address of an entry; null if it may not be shown. Never rejects. */
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
      const cached = shown(await this.#readCached(address))
      if (cached !== null) return cached
      const { signal } = this.#ended
      const bytes = await this.#slots(() => fetchIcon(address, { ...this.options, signal }))
      const icon = shown(bytes)
      if (icon === null || bytes === undefined) this.#miss(address)
      else await this.#store(address, bytes)
      return icon
    } finally {
      this.#pending.delete(address)
    }
  }

  #miss(address: string): void {
    // An aborted fetch says nothing about its address.
    if (!this.#ended.signal.aborted && this.#misses.size < MAX_MISSES) this.#misses.add(address)
  }

  #pathOf(address: string): string {
    return join(this.options.folder, createHash('sha256').update(address).digest('hex'))
  }

  async #readCached(address: string): Promise<Uint8Array | undefined> {
    const path = this.#pathOf(address)
    try {
      const { mtimeMs } = await stat(path)
      return Date.now() - mtimeMs > CACHED_MS ? undefined : await readFile(path)
    } catch {
      return undefined // not cached yet
    }
  }

  /** A full disk costs the cached copy, not the icon. */
  async #store(address: string, bytes: Uint8Array): Promise<void> {
    const path = this.#pathOf(address)
    try {
      await mkdir(this.options.folder, { recursive: true })
      await writeFile(`${path}.new`, bytes)
      await rename(`${path}.new`, path)
      if (this.#puts % SWEEP_AFTER === 0) await this.#sweep()
      this.#puts += 1
    } catch {
      await rm(`${path}.new`, { force: true }).catch(() => undefined) // The folder may be unusable.
    }
  }

  /** Removes the oldest icons beyond the disk limit. */
  async #sweep(): Promise<void> {
    const { folder, cacheBytes = CACHE_BYTES } = this.options
    const files = await Promise.all(
      (await readdir(folder)).map(async (name) => {
        const path = join(folder, name)
        const { size, mtimeMs } = await stat(path)
        return { path, size, mtimeMs }
      }),
    )
    let remaining = files.reduce((sum, { size }) => sum + size, 0)
    for (const { path, size } of files.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (remaining <= cacheBytes) return
      await rm(path, { force: true })
      remaining -= size
    }
  }
}

function shown(bytes: Uint8Array | undefined): string | null {
  const picture = bytes && readPicture(bytes)
  return picture ? toDataAddress(picture) : null
}
