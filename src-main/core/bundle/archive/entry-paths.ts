import { invalidBundle } from './bundle-error'

const MOST_CHARACTERS = 1_000
/** Far deeper than modules of modules are; each part is a folder to make. */
const MOST_PARTS = 32
const MOST_BYTES_OF_NAME = 255
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\.|$)/i
const CONTROL = /\p{Cc}/u

/** One entry that may be written: its folders and name, without empty, `.` and `..` parts. */
export type EntryPath = { readonly kind: 'file' | 'folder'; readonly parts: readonly string[] }

/** What the disk takes for the same name. */
export type DiskFolding = { readonly case: boolean; readonly accents: boolean }

type Taken = { readonly kind: EntryPath['kind']; readonly name: string }

/**
 * The paths of one archive, each checked alone and against the others: none leaves the folder, on any file
 * system, and no two are one file on this disk.
 */
export class EntryPaths {
  /** By what this disk takes for the same. */
  readonly #taken = new Map<string, Taken>()
  /** By what any disk takes for the same. */
  readonly #folded = new Map<string, Taken>()
  #twins: readonly [string, string] | undefined

  constructor(
    private readonly platform: NodeJS.Platform,
    private readonly disk: DiskFolding,
  ) {}

  /** Two files that a disk which folds case or accents could not keep apart; this one can. */
  get twins(): readonly [string, string] | undefined {
    return this.#twins
  }

  /** How many files and folders there are by now, those that only paths name too. */
  get size(): number {
    return this.#taken.size
  }

  /** Takes the next entry by its name, with slashes between its parts; throws INVALID_BUNDLE. */
  add(name: string): EntryPath {
    const kind = name.endsWith('/') ? 'folder' : 'file'
    const parts = (kind === 'folder' ? name.slice(0, -1) : name).split('/')
    this.#check(name, parts)
    for (let depth = 1; depth < parts.length; depth += 1) {
      this.#take(parts.slice(0, depth), { kind: 'folder', name }, false)
    }
    this.#take(parts, { kind, name }, true)
    return { kind, parts }
  }

  #check(name: string, parts: readonly string[]): void {
    const fault = this.#faultOf(name, parts)
    if (fault === undefined) return
    throw invalidBundle(fault.replace('{file}', () => shown(name)))
  }

  /** What is wrong with a name, as a sentence about `{file}`. */
  #faultOf(name: string, parts: readonly string[]): string | undefined {
    if (name.length > MOST_CHARACTERS)
      return 'The bundle was not unpacked: its file {file} has a path that is too long.'
    if (parts.length > MOST_PARTS)
      return 'The bundle was not unpacked: its file {file} is nested in too many folders.'
    if (name.startsWith('/') || /^[a-z]:/i.test(name))
      return 'The bundle was not unpacked: its file {file} has an absolute path.'
    if (CONTROL.test(name))
      return 'The bundle was not unpacked: its file {file} has a control character in its path.'
    if (/[\\:]/.test(name))
      return 'The bundle was not unpacked: its file {file} has a backslash or a colon in its path.'
    if (parts.includes('..'))
      return 'The bundle was not unpacked: its file {file} would be placed outside the bundle folder.'
    if (parts.some((part) => part === '' || part === '.'))
      return 'The bundle was not unpacked: its file {file} has an empty path segment.'
    if (parts.some((part) => Buffer.byteLength(part) > MOST_BYTES_OF_NAME))
      return 'The bundle was not unpacked: its file {file} has a name that is too long.'
    return this.platform === 'win32' ? windowsFault(parts) : undefined
  }

  #take(parts: readonly string[], entry: Taken, isOwn: boolean): void {
    const path = parts.join('/')
    const key = folded(path, this.disk)
    const before = this.#taken.get(key)
    const isSameFolder = before?.kind === 'folder' && entry.kind === 'folder'
    if (before && !isSameFolder) {
      throw invalidBundle(
        `The bundle was not unpacked: ${shown(before.name)} and ${shown(entry.name)} would become the same file.`,
      )
    }
    if (before === undefined) this.#noteTwin(path, entry)
    if (before === undefined || isOwn) this.#taken.set(key, entry)
  }

  #noteTwin(path: string, entry: Taken): void {
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
    return 'The bundle was not unpacked: its file {file} has a name that is invalid on Windows.'
  return parts.some((part) => WINDOWS_DEVICE.test(part))
    ? 'The bundle was not unpacked: its file {file} has a reserved Windows device name.'
    : undefined
}

function shown(name: string): string {
  return JSON.stringify(name.length > 120 ? `${name.slice(0, 120)}…` : name)
}
