import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'

import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl'

import { AppError } from '../../../../src-shared/domain/app-error'
import { plainFs } from '../../file-system/plain-fs'
import {
  type BundleLimits,
  cancelledBundle,
  invalidBundle,
  isSystemError,
  unwritableBundle,
} from './bundle-error'

/** The result of unpacking. */
export type Unpacked = {
  readonly files: number
  readonly bytes: number
  /** Two files whose names differ only by case or the spelling of accents. */
  readonly twins?: [string, string] | undefined
}

export type UnpackOptions = {
  readonly limits: BundleLimits
  readonly platform: NodeJS.Platform
  /** Names that the disk treats as equal; probed if absent. */
  readonly disk?: DiskFolding
  readonly signal: AbortSignal
  readonly onFile: (files: number, total: number) => void
}

/**
 * Unpacks an archive into an empty folder: only files and folders, for this account only. Names and sizes are checked while unpacking,
 * whatever the archive declares. Rejects with INVALID_BUNDLE, INSTALL_FAILED or REQUEST_CANCELLED; the folder then holds what was written.
 */
export async function unpackBundle(
  file: string,
  folder: string,
  options: UnpackOptions,
): Promise<Unpacked> {
  const zip = await openArchive(file)
  try {
    if (zip.entryCount > options.limits.entries) throw tooMany(options.limits)
    const disk = options.disk ?? (await probeDisk(folder))
    return await new Unpacking(zip, folder, disk, options).run()
  } catch (error) {
    throw namedFailure(error, folder, options.signal)
  } finally {
    zip.close()
  }
}

async function openArchive(file: string): Promise<ZipFile> {
  try {
    // Names are decoded and checked here, so that no message of the library is displayed.
    return await openPromise(file, { autoClose: false, lazyEntries: true, decodeStrings: false })
  } catch (cause) {
    if (isSystemError(cause)) throw unwritableBundle(file, cause)
    throw invalidBundle(
      'The file isn’t a valid bundle: it is not a zip archive, or part of it is missing.',
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
    disk: DiskFolding,
    private readonly options: UnpackOptions,
  ) {
    this.#paths = new EntryPaths(options.platform, disk)
    // Later errors add nothing, but must not crash the app.
    zip.on('error', () => undefined)
  }

  async run(): Promise<Unpacked> {
    const { limits, signal } = this.options
    for await (const entry of this.zip.eachEntry()) {
      signal.throwIfAborted()
      this.#entries += 1
      if (this.#entries > limits.entries) throw tooMany(limits)
      const name = nameOf(entry)
      checkKind(entry, name)
      const path = this.#paths.add(name)
      if (this.#paths.size > limits.entries) throw tooMany(limits)
      await this.#write(entry, name, path)
    }
    const { twins } = this.#paths
    return { files: this.#files, bytes: this.#bytes, ...(twins && { twins: [...twins] }) }
  }

  async #write(entry: Entry, name: string, { kind, parts }: EntryPath): Promise<void> {
    const path = join(this.folder, ...parts)
    if (kind === 'folder') return this.#makeFolder(path)
    await this.#makeFolder(dirname(path))
    const source = await this.zip.openReadStreamPromise(entry)
    const start: FileStart = { hex: '' }
    await pipeline(
      source,
      (chunks: AsyncIterable<Uint8Array>) => this.#counted(entry, name, start, chunks),
      plainFs.createWriteStream(path, { flags: 'wx', mode: 0o600 }),
      { signal: this.options.signal },
    )
    // Archives from Windows don't mark programs.
    if ((modeOf(entry) & 0o100) !== 0 || PROGRAM.test(start.hex))
      await plainFs.promises.chmod(path, 0o700)
    this.#files += 1
    this.options.onFile(this.#files, this.zip.entryCount)
  }

  async *#counted(
    entry: Entry,
    name: string,
    start: FileStart,
    chunks: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    const { entryBytes, totalBytes, ratio, ratioFromBytes } = this.options.limits
    let own = 0
    let checksum = 0
    for await (const chunk of chunks) {
      if (start.hex.length < 8) start.hex += Buffer.from(chunk.subarray(0, 4)).toString('hex')
      own += chunk.byteLength
      checksum = crc32(chunk, checksum)
      this.#bytes += chunk.byteLength
      if (own > entryBytes) throw tooBig(name)
      if (this.#bytes > totalBytes) throw tooBig()
      if (own > ratioFromBytes && own > entry.compressedSize * ratio) throw tooBig(name)
      if (this.#bytes > ratioFromBytes && this.#bytes > this.zip.fileSize * ratio) throw tooBig()
      yield chunk
    }
    // The library checks sizes, but not checksums.
    if (checksum !== entry.crc32)
      throw invalidBundle(
        `The bundle was not unpacked: the file ${JSON.stringify(name)} is damaged (its checksum is wrong).`,
        { hint: 'Download the bundle again. If the error returns, report it to the publisher.' },
      )
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

/** Host systems of an archive that separate folders with a backslash: FAT, NTFS and VFAT (APPNOTE 4.4.2). */
const WINDOWS_HOSTS = new Set([0, 10, 14])

/** Returns an entry's unchecked path, separated by slashes. */
function nameOf(entry: Entry): string {
  const { generalPurposeBitFlag, fileNameRaw, extraFields, versionMadeBy } = entry
  const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true)
  return WINDOWS_HOSTS.has(versionMadeBy >>> 8) ? name.replaceAll('\\', '/') : name
}

function modeOf(entry: Entry): number {
  return entry.externalFileAttributes >>> 16
}

/** First bytes of a file. */
type FileStart = { hex: string }

/** First bytes of programs: `#!`, ELF or Mach-O. */
const PROGRAM = /^(2321|7f454c46|feedfac[ef]|c[ef]faedfe|cafebabe)/

/** Probes whether names that differ by case or accent spelling are one file in this folder. */
async function probeDisk(folder: string): Promise<DiskFolding> {
  const exists = (name: string): Promise<boolean> =>
    plainFs.promises.lstat(join(folder, name)).then(
      () => true,
      () => false,
    )
  await plainFs.promises.mkdir(folder, { recursive: true, mode: 0o700 })
  const probe = join(folder, '.probe-\u00c4')
  await plainFs.promises.writeFile(probe, '', { mode: 0o600 })
  try {
    return { case: await exists('.probe-\u00e4'), accents: await exists('.probe-A\u0308') }
  } finally {
    await plainFs.promises.rm(probe)
  }
}

/** Rejects links and devices, which would lead out of the folder under any name. */
function checkKind(entry: Entry, name: string): void {
  const type = modeOf(entry) & FILE_TYPE
  const isFolder = name.endsWith('/')
  if (type !== 0 && type !== (isFolder ? FOLDER : PLAIN_FILE)) {
    throw invalidBundle(
      `The bundle was not unpacked: ${JSON.stringify(name)} is a link or a special file.`,
    )
  }
  if (entry.isEncrypted()) throw invalidBundle('The bundle is encrypted.')
}

function tooMany({ entries }: BundleLimits): AppError {
  return invalidBundle(
    `The bundle was not unpacked: it has more than ${String(entries)} files and folders.`,
  )
}

function tooBig(name?: string): AppError {
  return invalidBundle(
    name === undefined
      ? 'The bundle was not unpacked: its unpacked files are larger than allowed.'
      : `The bundle was not unpacked: the file ${JSON.stringify(name)} is larger than allowed.`,
  )
}

function namedFailure(error: unknown, folder: string, signal: AbortSignal): AppError {
  if (error instanceof AppError) return error
  if (signal.aborted) return cancelledBundle()
  if (isSystemError(error)) return unwritableBundle(folder, error)
  return invalidBundle('The bundle was not unpacked: the archive is damaged.', { cause: error })
}

const MAX_CHARACTERS = 1_000
/** Far deeper than nested modules; each part is a folder to create. */
const MAX_PARTS = 32
const MAX_BYTES_OF_NAME = 255
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\.|$)/i
const CONTROL = /\p{Cc}/u

/** A valid entry: its folders and name, without empty, `.` and `..` parts. */
type EntryPath = { readonly kind: 'file' | 'folder'; readonly parts: readonly string[] }

/** Names that the disk treats as equal. */
type DiskFolding = { readonly case: boolean; readonly accents: boolean }

type ClaimedPath = { readonly kind: EntryPath['kind']; readonly name: string }

/**
 * The paths of one archive, each checked alone and against the others. None leaves the folder on any file system, and no two are one file
 * on this disk.
 */
class EntryPaths {
  /** Entries by their name on this disk. */
  readonly #claimed = new Map<string, ClaimedPath>()
  /** Entries by their name on a disk that folds everything. */
  readonly #folded = new Map<string, ClaimedPath>()
  #twins: readonly [string, string] | undefined

  constructor(
    private readonly platform: NodeJS.Platform,
    private readonly disk: DiskFolding,
  ) {}

  /** Two files that only a disk without case or accent folding keeps apart, such as this one. */
  get twins(): readonly [string, string] | undefined {
    return this.#twins
  }

  /** Number of files and folders so far, including those that only paths name. */
  get size(): number {
    return this.#claimed.size
  }

  /** Adds the next entry by its name, separated by slashes; throws INVALID_BUNDLE. */
  add(name: string): EntryPath {
    const kind = name.endsWith('/') ? 'folder' : 'file'
    const parts = (kind === 'folder' ? name.slice(0, -1) : name).split('/')
    const fault = this.#faultOf(name, parts)
    if (fault !== undefined)
      throw invalidBundle(`The bundle was not unpacked: its file ${shown(name)} ${fault}.`)
    for (let depth = 1; depth < parts.length; depth += 1) {
      this.#claim(parts.slice(0, depth), { kind: 'folder', name }, false)
    }
    this.#claim(parts, { kind, name }, true)
    return { kind, parts }
  }

  /** Returns the problem of a name, as the end of a sentence about its file. */
  #faultOf(name: string, parts: readonly string[]): string | undefined {
    if (name.length > MAX_CHARACTERS) return 'has a path that is too long'
    if (parts.length > MAX_PARTS) return 'is nested in too many folders'
    if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'has an absolute path'
    if (CONTROL.test(name)) return 'has a control character in its path'
    if (/[\\:]/.test(name)) return 'has a backslash or a colon in its path'
    if (parts.includes('..')) return 'would be placed outside the bundle folder'
    if (parts.some((part) => part === '' || part === '.')) return 'has an empty path segment'
    if (parts.some((part) => Buffer.byteLength(part) > MAX_BYTES_OF_NAME))
      return 'has a name that is too long'
    return this.platform === 'win32' ? windowsFault(parts) : undefined
  }

  #claim(parts: readonly string[], entry: ClaimedPath, isOwn: boolean): void {
    const path = parts.join('/')
    const key = folded(path, this.disk)
    const before = this.#claimed.get(key)
    const isSameFolder = before?.kind === 'folder' && entry.kind === 'folder'
    if (before && !isSameFolder) {
      throw invalidBundle(
        `The bundle was not unpacked: ${shown(before.name)} and ${shown(entry.name)} would become the same file.`,
      )
    }
    if (before === undefined) this.#recordTwin(path, entry)
    if (before === undefined || isOwn) this.#claimed.set(key, entry)
  }

  #recordTwin(path: string, entry: ClaimedPath): void {
    const key = folded(path, { case: true, accents: true })
    const twin = this.#folded.get(key)
    if (twin === undefined) this.#folded.set(key, entry)
    else if (twin.kind === 'file' || entry.kind === 'file') this.#twins ??= [twin.name, entry.name]
  }
}

function folded(path: string, disk: DiskFolding): string {
  const text = disk.accents ? path.normalize('NFC') : path
  return disk.case ? text.toLowerCase() : text
}

function windowsFault(parts: readonly string[]): string | undefined {
  if (parts.some((part) => /[<>"|?*]/.test(part) || /[. ]$/.test(part)))
    return 'has a name that is invalid on Windows'
  return parts.some((part) => WINDOWS_DEVICE.test(part))
    ? 'has a reserved Windows device name'
    : undefined
}

function shown(name: string): string {
  return JSON.stringify(name.length > 120 ? `${name.slice(0, 120)}…` : name)
}
