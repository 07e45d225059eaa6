import { invalidBundle } from './bundle-error'

const MOST_CHARACTERS = 1_000
/** Far deeper than modules of modules are; each part is a folder to make. */
const MOST_PARTS = 32
const MOST_BYTES_OF_NAME = 255
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\.|$)/i
const CONTROL = /\p{Cc}/u

/** One entry that may be written: its folders and name, without empty, `.` and `..` parts. */
export type EntryPath = { readonly kind: 'file' | 'folder'; readonly parts: readonly string[] }

/**
 * The paths of one archive, each judged alone and beside the others: none leaves the folder, on any file
 * system, and none meets another, also where case or the spelling of accents does not count.
 */
export class EntryPaths {
  /** By what a file system may take for the same. */
  readonly #taken = new Map<string, { readonly kind: EntryPath['kind']; readonly name: string }>()

  constructor(private readonly platform: NodeJS.Platform) {}

  /** How many files and folders there are by now, those that only paths name too. */
  get size(): number {
    return this.#taken.size
  }

  /** Takes the next entry by its name in the archive; throws INVALID_BUNDLE. */
  add(name: string): EntryPath {
    const kind = name.endsWith('/') ? 'folder' : 'file'
    const parts = (kind === 'folder' ? name.slice(0, -1) : name).split('/')
    this.#judge(name, parts)
    for (let depth = 1; depth < parts.length; depth += 1) {
      this.#take(parts.slice(0, depth), { kind: 'folder', name }, false)
    }
    this.#take(parts, { kind, name }, true)
    return { kind, parts }
  }

  #judge(name: string, parts: readonly string[]): void {
    const fault = this.#faultOf(name, parts)
    if (fault === undefined) return
    throw invalidBundle(`The bundle is not unpacked: its file ${shown(name)} ${fault}.`)
  }

  #faultOf(name: string, parts: readonly string[]): string | undefined {
    if (name.length > MOST_CHARACTERS) return 'has too long a path'
    if (parts.length > MOST_PARTS) return 'lies in too many folders'
    if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'has an absolute path'
    if (CONTROL.test(name)) return 'has a control character in its path'
    if (/[\\:]/.test(name)) return 'has a backslash or a colon in its path'
    if (parts.includes('..')) return 'would leave the folder of the bundle'
    if (parts.some((part) => part === '' || part === '.')) return 'has an empty part in its path'
    if (parts.some((part) => Buffer.byteLength(part) > MOST_BYTES_OF_NAME))
      return 'has too long a name'
    return this.platform === 'win32' ? windowsFault(parts) : undefined
  }

  #take(
    parts: readonly string[],
    entry: { readonly kind: EntryPath['kind']; readonly name: string },
    isOwn: boolean,
  ): void {
    const key = parts.join('/').normalize('NFC').toLowerCase()
    const before = this.#taken.get(key)
    const isSameFolder = before?.kind === 'folder' && entry.kind === 'folder'
    if (before && !isSameFolder) {
      throw invalidBundle(
        `The bundle is not unpacked: ${shown(before.name)} and ${shown(entry.name)} would be one file.`,
      )
    }
    if (before === undefined || isOwn) this.#taken.set(key, entry)
  }
}

function windowsFault(parts: readonly string[]): string | undefined {
  if (parts.some((part) => /[<>"|?*]/.test(part) || /[. ]$/.test(part)))
    return 'has a name that Windows cannot keep'
  return parts.some((part) => WINDOWS_DEVICE.test(part))
    ? 'has the name of a Windows device'
    : undefined
}

function shown(name: string): string {
  return JSON.stringify(name.length > 120 ? `${name.slice(0, 120)}…` : name)
}
