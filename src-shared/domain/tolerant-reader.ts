import type { ParseNotice } from './server-json'

/** Any JSON object, as `JSON.parse` gives it. */
export type JsonObject = Readonly<Record<string, unknown>>

/** True for a JSON object, false for a list, null or scalar. */
export function isJsonObject(raw: unknown): raw is JsonObject {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw)
}

/** Most notices kept of one document; a hostile one could ask for millions. */
const MAX_NOTICES = 100

const CONTROLS_AND_BIDI = /(?![\n\t])[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

/** Prose without control characters and direction overrides; line breaks and tabs stay. */
export function cleanProse(text: string): string {
  return text.replace(CONTROLS_AND_BIDI, '').trim()
}

/** One line without control characters and direction overrides. */
export function cleanLine(text: string): string {
  return cleanProse(text.replace(/\s+/g, ' '))
}

/**
 * Reads fields of untrusted JSON without ever throwing: numbers and booleans become text where text
 * is expected, the snake_case names of schema 2025-07-09 are found too, and what does not fit is set
 * aside as a notice that names its path.
 */
export class TolerantReader {
  readonly notices: ParseNotice[] = []

  /** Notes what is left out (the first 100 of it); null stands for it. */
  setAside(path: string, message: string): null {
    if (this.notices.length < MAX_NOTICES) this.notices.push({ path, message })
    return null
  }

  /** The field under its camelCase or snake_case name; null counts as missing. */
  field(source: JsonObject, name: string): unknown {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    for (const key of [name, snake]) {
      if (Object.hasOwn(source, key)) return source[key] ?? undefined
    }
    return undefined
  }

  text(source: JsonObject, name: string, path: string): string | undefined {
    return this.asText(this.field(source, name), `${path}${name}`)
  }

  asText(raw: unknown, path: string): string | undefined {
    if (raw === undefined || typeof raw === 'string') return raw
    if (typeof raw === 'number' || typeof raw === 'boolean') return String(raw)
    this.setAside(path, 'Expected text.')
    return undefined
  }

  /** One clean line; a blank one counts as missing. */
  line(source: JsonObject, name: string, path: string): string | undefined {
    const line = cleanLine(this.text(source, name, path) ?? '')
    return line === '' ? undefined : line
  }

  flag(source: JsonObject, name: string, path: string): boolean | undefined {
    const raw = this.field(source, name)
    if (raw === undefined || typeof raw === 'boolean') return raw
    if (raw === 'true' || raw === 'false') return raw === 'true'
    this.setAside(`${path}${name}`, 'Expected true or false.')
    return undefined
  }

  object(source: JsonObject, name: string, path: string): JsonObject | undefined {
    const raw = this.field(source, name)
    if (raw === undefined) return undefined
    if (isJsonObject(raw)) return raw
    this.setAside(`${path}${name}`, 'Expected an object.')
    return undefined
  }

  /** Reads each element with `read`, leaving out those for which it gives null. */
  list<T>(
    source: JsonObject,
    name: string,
    path: string,
    read: (element: JsonObject, path: string) => T | null,
  ): T[] {
    const raw = this.field(source, name)
    if (raw === undefined) return []
    if (!Array.isArray(raw)) {
      this.setAside(`${path}${name}`, 'Expected a list.')
      return []
    }
    return raw.flatMap((element: unknown, index) => {
      const place = `${path}${name}[${index}]`
      const value = isJsonObject(element)
        ? read(element, place)
        : this.setAside(place, 'Expected an object.')
      return value === null ? [] : [value]
    })
  }
}
