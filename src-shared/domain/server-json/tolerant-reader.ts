import { isJsonObject, type JsonObject } from '../json-object'
import type { NoticeCode, ParseNotice } from './server-json'

/** Most notices kept of one document; a hostile one could ask for millions. */
const MAX_NOTICES = 100
/** Characters of one line; a name, an address and a version are far shorter. */
const MAX_LINE = 2_000
/** Characters of a description. The longest real one has a few hundred. */
const MAX_PROSE = 10_000

const CONTROLS_AND_BIDI = /(?![\n\t])[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

/** Prose without control characters and direction overrides; line breaks and tabs stay. */
export function cleanProse(text: string): string {
  return text.replace(CONTROLS_AND_BIDI, '').trim()
}

/** One line without control characters and direction overrides. */
export function cleanLine(text: string): string {
  return cleanProse(text).replace(/\s+/g, ' ')
}

/**
 * Reads fields of untrusted JSON without ever throwing: numbers and booleans become text where text
 * is expected, the snake_case names of schema 2025-07-09 are found too, and what does not fit is set
 * aside as a notice that names its path.
 */
export class TolerantReader {
  readonly notices: ParseNotice[] = []
  /** The paths of the elements of lists that were left out whole. */
  readonly leftOut = new Set<string>()

  /** Notes what is left out (the first 100 of it); null stands for it. */
  setAside(path: string, code: NoticeCode, message: string): null {
    if (this.notices.length < MAX_NOTICES) {
      const shown = path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path
      this.notices.push({ path: shown, code, message })
    }
    return null
  }

  /** Notes that an element is left out whole; what was noted of its parts says nothing any more. */
  leaveOut(path: string, code: NoticeCode, message: string): null {
    const others = this.notices.filter((notice) => !notice.path.startsWith(`${path}.`))
    this.notices.splice(0, this.notices.length, ...others)
    return this.setAside(path, code, message)
  }

  /** The field under the first of its names that is there, in camelCase or snake_case; null counts as missing. */
  field(source: JsonObject, ...names: string[]): unknown {
    for (const name of names) {
      const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      for (const key of [name, snake]) {
        if (Object.hasOwn(source, key)) return source[key] ?? undefined
      }
    }
    return undefined
  }

  text(source: JsonObject, name: string, path: string): string | undefined {
    return this.asText(this.field(source, name), `${path}${name}`)
  }

  asText(raw: unknown, path: string): string | undefined {
    if (raw === undefined || typeof raw === 'string') return raw
    if (typeof raw === 'number' || typeof raw === 'boolean') return String(raw)
    this.setAside(path, 'wrong-type', 'Expected text.')
    return undefined
  }

  /** One clean line; a blank one counts as missing, and so does one of more than 2,000 characters. */
  line(source: JsonObject, name: string, path: string): string | undefined {
    return this.asLine(this.field(source, name), `${path}${name}`)
  }

  asLine(raw: unknown, path: string): string | undefined {
    const text = this.asText(raw, path)
    if (text === undefined) return undefined
    if (text.length > MAX_LINE) {
      this.setAside(path, 'too-long', `More than ${String(MAX_LINE)} characters.`)
      return undefined
    }
    const line = cleanLine(text)
    return line === '' ? undefined : line
  }

  /** Clean prose for people; cut behind 10,000 characters. */
  prose(source: JsonObject, name: string, path: string): string | undefined {
    const text = this.text(source, name, path)
    if (text === undefined) return undefined
    if (text.length <= MAX_PROSE) return cleanProse(text)
    this.setAside(`${path}${name}`, 'too-long', 'The text is too long and was shortened.')
    return cleanProse(`${text.slice(0, MAX_PROSE - 1).trimEnd()}…`)
  }

  flag(source: JsonObject, name: string, path: string): boolean | undefined {
    const raw = this.field(source, name)
    if (raw === undefined || typeof raw === 'boolean') return raw
    if (raw === 'true' || raw === 'false') return raw === 'true'
    this.setAside(`${path}${name}`, 'wrong-type', 'Expected true or false.')
    return undefined
  }

  /** As `flag`, of what guards something: whatever is no clear no counts as a yes, with a notice. */
  guard(source: JsonObject, name: string, path: string): boolean | undefined {
    const raw = this.field(source, name)
    const isGuarded = readGuard(raw)
    if (isGuarded === true && raw !== true && raw !== 'true')
      this.setAside(`${path}${name}`, 'wrong-type', 'Expected true or false, read as true.')
    return isGuarded
  }

  object(source: JsonObject, name: string, path: string): JsonObject | undefined {
    const raw = this.field(source, name)
    if (raw === undefined) return undefined
    if (isJsonObject(raw)) return raw
    this.setAside(`${path}${name}`, 'wrong-type', 'Expected an object.')
    return undefined
  }

  /**
   * Reads each element with `read`, leaving out those for which it gives null. `shape` makes an object of an element, or a
   * list of the whole, that is written in a shorter way.
   */
  list<T>(
    source: JsonObject,
    name: string,
    path: string,
    read: (element: JsonObject, path: string) => T | null,
    shape: (raw: unknown) => unknown = (raw) => raw,
  ): T[] {
    const raw = shape(this.field(source, name))
    if (raw === undefined) return []
    if (!Array.isArray(raw)) {
      this.setAside(`${path}${name}`, 'wrong-type', 'Expected a list.')
      return []
    }
    return raw.map(shape).flatMap((element: unknown, index) => {
      const place = `${path}${name}[${index}]`
      const value = isJsonObject(element)
        ? read(element, place)
        : this.setAside(place, 'wrong-type', 'Expected an object.')
      if (value !== null) return [value]
      this.leftOut.add(place)
      return []
    })
  }
}

/** What guards something, such as `isSecret`: true for all but a clear no; undefined where nothing is said. */
export function readGuard(raw: unknown): boolean | undefined {
  if (raw === undefined || raw === null) return undefined
  const isNo =
    raw === false || raw === 0 || (typeof raw === 'string' && /^\s*false\s*$/iu.test(raw))
  return !isNo
}

const MAX_PATH = 200

/** Where the element that came to stand at `index` stood in the document: what is left out moves the others up. */
export function declaredIndex(
  leftOut: ReadonlySet<string>,
  listPath: string,
  index: number,
): number {
  let kept = -1
  let place = -1
  while (kept < index) {
    place += 1
    if (!leftOut.has(`${listPath}[${place}]`)) kept += 1
  }
  return place
}
