import { isJsonObject } from './json-object'

/** Before a text that was typed as JSON and is none; no keyboard writes it. */
const MARK = '\u{0}unread:'

/** A text that waits to become JSON, as a value of a form. */
export function asUnread(text: string): string {
  return MARK + text
}

/** What was typed; undefined for every other value. */
export function unreadText(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith(MARK) ? value.slice(MARK.length) : undefined
}

/** The places that hold a text that waits to become JSON. */
export function unreadPlaces(value: unknown, path: readonly string[] = []): string[][] {
  if (unreadText(value) !== undefined) return [[...path]]
  if (Array.isArray(value))
    return value.flatMap((one, place) => unreadPlaces(one, [...path, String(place)]))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, one]) => unreadPlaces(one, [...path, name]))
}
