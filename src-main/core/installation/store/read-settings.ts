import type * as z from 'zod'

import { Settings } from '../../../../src-shared/domain/state/settings'
import { firstIssue } from './read-entries'

type Key = keyof Settings
type JsonObject = Readonly<Record<string, unknown>>

/** The preferences of a settings file: each key that can't be read has its default, and keeps its value in the file. */
export type ReadSettings = {
  readonly settings: Settings
  readonly kept: KeptSettings
  /** Where a value is not as it should be, for each key that has one. */
  readonly issues: readonly string[]
}

/** What can't be read of preferences, and what this version doesn't know: written back untouched. */
export class KeptSettings {
  constructor(
    private readonly unknown: JsonObject = {},
    /** Whole values, and the unreadable elements of lists and tables. */
    private readonly unread: JsonObject = {},
    private readonly parts: JsonObject = {},
  ) {}

  /** What stays unreadable once the user chose values for keys; elements of a list stay beside what was chosen. */
  without(chosen: readonly string[]): KeptSettings {
    const unread = Object.entries(this.unread).filter(([key]) => !chosen.includes(key))
    return new KeptSettings(this.unknown, Object.fromEntries(unread), this.parts)
  }

  /** As the settings file holds preferences. */
  beside(settings: Settings): JsonObject {
    const parts: JsonObject = Object.fromEntries(
      Object.entries(this.parts).map(([key, part]) => [key, joined(settings[key as Key], part)]),
    )
    return { ...this.unknown, ...settings, ...parts, ...this.unread }
  }
}

/** Reads each preference by itself; what isn't a table of preferences gives the defaults. */
export function readSettings(raw: unknown): ReadSettings {
  if (raw === undefined)
    return { settings: Settings.parse({}), kept: new KeptSettings(), issues: [] }
  if (!isObject(raw)) {
    const issues = ['Invalid value: settings']
    return { settings: Settings.parse({}), kept: new KeptSettings({ unread: raw }), issues }
  }
  const read: Record<string, unknown> = {}
  const unread: Record<string, unknown> = {}
  const parts: Record<string, unknown> = {}
  const issues: string[] = []
  for (const [key, schema] of Object.entries(Settings.shape)) {
    if (!Object.hasOwn(raw, key)) continue
    const value = raw[key]
    const { data, error } = schema.safeParse(value)
    if (!error) {
      read[key] = data
      continue
    }
    issues.push(firstIssue(error, key))
    const { good, bad } = split(schema, value)
    if (good === undefined) unread[key] = value
    else {
      read[key] = good
      parts[key] = bad
    }
  }
  const unknown = Object.entries(raw).filter(([key]) => !Object.hasOwn(Settings.shape, key))
  const kept = new KeptSettings(Object.fromEntries(unknown), unread, parts)
  return { settings: Settings.parse(read), kept, issues }
}

/** The elements of a list or table that can be read, and the others; nothing where they can't be told apart. */
function split(schema: z.ZodType, value: unknown): { good?: unknown; bad?: unknown } {
  const isGood = (part: unknown): boolean => schema.safeParse(part).success
  if (Array.isArray(value)) {
    const good = value.filter((one) => isGood([one]))
    if (isGood(good)) return { good, bad: value.filter((one) => !isGood([one])) }
  } else if (isObject(value) && isGood({})) {
    const entries = Object.entries(value)
    const good = Object.fromEntries(entries.filter(([name, one]) => isGood({ [name]: one })))
    const bad = Object.fromEntries(entries.filter(([name]) => !Object.hasOwn(good, name)))
    if (isGood(good)) return { good, bad }
  }
  return {}
}

function joined(value: unknown, part: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(part))
    return [...(value as unknown[]), ...(part as unknown[])]
  return { ...(part as object), ...(value as object) }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
