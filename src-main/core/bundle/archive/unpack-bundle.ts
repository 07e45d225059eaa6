import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { type Entry, openPromise, type ZipFile } from 'yauzl'

import { AppError } from '../../../../src-shared/domain/app-error'
import { plainFs } from '../../file-system/plain-fs'
import { cancelledBundle, invalidBundle, isSystemError, unwritableBundle } from './bundle-error'
import type { BundleLimits } from './bundle-limits'
import { type EntryPath, EntryPaths } from './entry-paths'

/** What came out of an archive. */
export type Unpacked = { readonly files: number; readonly bytes: number }

export type UnpackOptions = {
  readonly limits: BundleLimits
  readonly platform: NodeJS.Platform
  readonly signal: AbortSignal
  readonly onFile: (files: number, total: number) => void
}

/**
 * Unpacks an archive into an empty folder: files and folders for this account alone, and nothing else.
 * Names and sizes are judged as they come, not as the archive promises. Rejects with INVALID_BUNDLE,
 * INSTALL_FAILED or REQUEST_CANCELLED; the folder then holds what was written.
 */
export async function unpackBundle(
  file: string,
  folder: string,
  options: UnpackOptions,
): Promise<Unpacked> {
  const zip = await openArchive(file)
  try {
    if (zip.entryCount > options.limits.entries) throw tooMany(options.limits)
    return await new Unpacking(zip, folder, options).run()
  } catch (error) {
    throw namedFailure(error, folder, options.signal)
  } finally {
    zip.close()
  }
}

async function openArchive(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { autoClose: false, lazyEntries: true, strictFileNames: true })
  } catch (cause) {
    if (isSystemError(cause)) throw unwritableBundle(file, cause)
    throw invalidBundle(
      'The file is no bundle: it is no zip archive, or a part of it is missing.',
      {
        cause,
      },
    )
  }
}

class Unpacking {
  readonly #paths: EntryPaths
  readonly #folders = new Set<string>()
  #entries = 0
  #files = 0
  #bytes = 0

  constructor(
    private readonly zip: ZipFile,
    private readonly folder: string,
    private readonly options: UnpackOptions,
  ) {
    this.#paths = new EntryPaths(options.platform)
    // What comes after the first error says nothing new, but must not end the app.
    zip.on('error', () => undefined)
  }

  async run(): Promise<Unpacked> {
    const { limits, signal } = this.options
    for await (const entry of this.zip.eachEntry()) {
      signal.throwIfAborted()
      this.#entries += 1
      if (this.#entries > limits.entries) throw tooMany(limits)
      checkKind(entry)
      const path = this.#paths.add(entry.fileName)
      if (this.#paths.size > limits.entries) throw tooMany(limits)
      await this.#write(entry, path)
    }
    return { files: this.#files, bytes: this.#bytes }
  }

  async #write(entry: Entry, { kind, parts }: EntryPath): Promise<void> {
    const path = join(this.folder, ...parts)
    if (kind === 'folder') return this.#makeFolder(path)
    await this.#makeFolder(dirname(path))
    const source = await this.zip.openReadStreamPromise(entry)
    // Windows has no such bit, and keeps none.
    const mode = ((entry.externalFileAttributes >>> 16) & 0o100) === 0 ? 0o600 : 0o700
    await pipeline(
      source,
      (chunks: AsyncIterable<Uint8Array>) => this.#counted(entry, chunks),
      plainFs.createWriteStream(path, { flags: 'wx', mode }),
      { signal: this.options.signal },
    )
    this.#files += 1
    this.options.onFile(this.#files, this.zip.entryCount)
  }

  async *#counted(entry: Entry, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { entryBytes, totalBytes, ratio, ratioFromBytes } = this.options.limits
    let own = 0
    for await (const chunk of chunks) {
      own += chunk.byteLength
      this.#bytes += chunk.byteLength
      if (own > entryBytes) throw tooBig(entry)
      if (this.#bytes > totalBytes) throw tooBig()
      if (own > ratioFromBytes && own > entry.compressedSize * ratio) throw tooBig(entry)
      if (this.#bytes > ratioFromBytes && this.#bytes > this.zip.fileSize * ratio) throw tooBig()
      yield chunk
    }
  }

  async #makeFolder(path: string): Promise<void> {
    if (this.#folders.has(path)) return
    await plainFs.promises.mkdir(path, { recursive: true, mode: 0o700 })
    this.#folders.add(path)
  }
}

const FILE_TYPE = 0o170000
const PLAIN_FILE = 0o100000
const FOLDER = 0o040000

/** Links and devices would lead out of the folder, whatever their names are. */
function checkKind(entry: Entry): void {
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE
  const isFolder = entry.fileName.endsWith('/')
  if (type !== 0 && type !== (isFolder ? FOLDER : PLAIN_FILE)) {
    throw invalidBundle(
      `The bundle is not unpacked: ${JSON.stringify(entry.fileName)} is a link or a special file.`,
    )
  }
  if (entry.isEncrypted()) throw invalidBundle('The bundle is encrypted.')
}

function tooMany({ entries }: BundleLimits): AppError {
  return invalidBundle(
    `The bundle is not unpacked: it has more than ${String(entries)} files and folders.`,
  )
}

function tooBig(entry?: Entry): AppError {
  const what = entry ? `its file ${JSON.stringify(entry.fileName)} becomes` : 'its files become'
  return invalidBundle(`The bundle is not unpacked: ${what} far larger than a bundle's may.`)
}

function namedFailure(error: unknown, folder: string, signal: AbortSignal): AppError {
  if (error instanceof AppError) return error
  if (signal.aborted) return cancelledBundle()
  if (isSystemError(error)) return unwritableBundle(folder, error)
  const said = error instanceof Error ? error.message : String(error)
  return invalidBundle(`The bundle cannot be unpacked: ${said}.`, { cause: error })
}
