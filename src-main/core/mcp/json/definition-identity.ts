import { createHash } from 'node:crypto'

import type { Tool } from '../../../../src-shared/domain/agents/capability'
import { isJsonObject } from '../../../../src-shared/domain/json-object'
import { madeOnce } from '../../lifecycle/same-object'
import { TurnShare } from '../../lifecycle/turn-share'

/**
 * Returns the SHA-256 of a tool's whole definition in hex. Agents get every field, such as `_meta`, `icons` and `execution`, and an
 * uncovered field could change after the approval. Cached as long as the definition.
 */
export const definitionHash = madeOnce((definition: object) => hashOf(definition))

/** Returns the SHA-256 of a value's canonical JSON in hex. */
function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}

/** Returns JSON with sorted object keys (RFC 8785). Values that JSON lacks are absent in an object and null elsewhere. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isJsonObject(value)) {
    const text: unknown = JSON.stringify(value)
    return typeof text === 'string' ? text : 'null'
  }
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`)
  return `{${members.join(',')}}`
}

/** Placeholders by kind. */
const [TIME, ID, COUNT] = ['‹time›', '‹id›', '‹number›'] as const

const WEEKDAY = '(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?'
const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?'
const DAY = '\\d{1,2}(?:st|nd|rd|th|\\.)?'
const CLOCK = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?[AaPp]\\.?[Mm]\\b\\.?)?'
const ZONE =
  '(?: ?(?:Z|UTC|GMT|[A-Z]{2,4}T))?(?: ?[+-]\\d{2}:?\\d{2})?(?: \\([A-Z][A-Za-z ]{2,40}\\))?'
const DATE = [
  '\\d{4}[-/]\\d{1,2}[-/]\\d{1,2}',
  '\\d{1,2}[./]\\d{1,2}[./]\\d{4}',
  '\\d{8}(?=T\\d{4})',
  `${DAY} ${MONTH},? \\d{4}`,
  `${MONTH} ${DAY},? (?:${CLOCK} )?\\d{4}`,
  `${MONTH} \\d{4}`,
].join('|')
const BEFORE = '(?<![\\p{L}\\p{N}_./@:$+-])'
const AFTER = '(?![\\p{L}\\p{N}_/@]|[.:-]\\p{N})'
const TIMES = new RegExp(
  `${BEFORE}(?:(?:${WEEKDAY},? )?(?:${DATE})(?:(?:T|,? (?:at )?)(?:${CLOCK}|\\d{4,6}))?${ZONE}|${CLOCK}${ZONE})${AFTER}`,
  'gu',
)
const MAY_HAVE_TIME = /\d{4}|\d:\d/u
const MAY_HAVE_ID = /[\da-f]{8}/iu
/** UUIDs, and 24 or 32 hexadecimal digits. Longer ones, and those after 0x, may be an address that receives something. */
const IDS =
  /(?<![\p{L}\p{N}_-])(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?=[a-f]*\d)(?:[\da-f]{24}|[\da-f]{32}))(?![\p{L}\p{N}_-])/giu
/** A labeled ID, such as "session 8f3a-22" or "request ID: 17". */
const NAMED_IDS =
  /\b((?:session|request|build|run|trace|instance|process|revision|job)(?:[ _-]?id)?|p?id)\b(\s?[:=#]?\s?["'`]?)(?=[\w-]*\d)[\w-]{1,64}(?![\w.@/-])/giu
const MONEY = '(?:USD|EUR|GBP|JPY|CHF|BTC|ETH|dollars?|euros?|pounds?|percent)'
/** A separate whole number, or a time in s or ms since 1970. Parts of addresses, accounts, versions and amounts don't match. */
const COUNTS = new RegExp(
  `(?<![\\p{L}\\p{N}_.,/@:$€£¥+#-]|\\d[ -]|\\b${MONEY} )(?:\\d{1,7}|\\d{1,3}(?:,\\d{3}){1,2}|1\\d{9}|1\\d{12})(?![\\p{L}\\p{N}_%$€£¥/@-]|[.,:]\\d| ?${MONEY}\\b| \\d)`,
  'giu',
)
const PLURAL = new RegExp(`(${COUNT} \\p{L}{2,30})s\\b`, 'gu')
/** A Unix time between 2001 and 2100, in s or ms. */
const EPOCH = /^1\d{9}(?:\d{3})?$/u
/** Private-use characters that replace significant digits. */
const KEPT_ZERO = 0xe0f0
/** Schema keywords whose order has no meaning. */
const SETS = ['required', 'enum', 'type']
const TEXTS = ['title', 'description', '$comment']
const VALUES = ['default', 'example', 'examples']
/** Keywords whose value maps arbitrary names to schemas. */
const MAPS = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]

/**
 * Returns the SHA-256 of a definition's meaning. It ignores dates, times, counters and IDs in texts and defaults, and the order of required
 * names and choices. Words, addresses, amounts and structure count.
 */
export const definitionMeaning = madeOnce((definition: Tool): string => {
  const { title, description, inputSchema, outputSchema, annotations, _meta: meta } = definition
  const meant = {
    ...definition,
    title: meantText(title),
    description: meantText(description),
    inputSchema: meantSchema(inputSchema),
    outputSchema: meantSchema(outputSchema),
    annotations: annotations && { ...annotations, title: meantText(annotations.title) },
    _meta: meantValue(meta),
  }
  return hashOf(meant)
})

/** Two identities of a definition: `hash` covers every byte, `meaning` what it says. */
export type ToolIdentity = { readonly hash: string; readonly meaning: string }

export function identityOf(tool: Tool): ToolIdentity {
  return { hash: definitionHash(tool), meaning: definitionMeaning(tool) }
}

/** Hashes the definitions of a long list in advance and yields to the event loop, so that later comparisons don't block the app. */
export async function hashInTurns(definitions: readonly Tool[]): Promise<void> {
  const turn = new TurnShare()
  // Parsing the list already took time of this turn.
  await turn.next()
  for (const definition of definitions) {
    definitionHash(definition)
    definitionMeaning(definition)
    if (turn.isUsedUp) await turn.next()
  }
}

function meantSchema(schema: unknown, isMap = false): unknown {
  if (Array.isArray(schema)) return schema.map((one) => meantSchema(one))
  if (!isJsonObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (isMap) return [key, meantSchema(value)]
      if (TEXTS.includes(key)) return [key, meantText(value)]
      if (VALUES.includes(key)) return [key, meantValue(value)]
      if (SETS.includes(key) && Array.isArray(value))
        return [key, value.map((one) => canonicalJson(one)).toSorted()]
      return [key, key === 'const' ? value : meantSchema(value, MAPS.includes(key))]
    }),
  )
}

function meantValue(value: unknown): unknown {
  if (typeof value === 'number') {
    const isCount = Number.isSafeInteger(value) || EPOCH.test(String(Math.trunc(value)))
    return isCount ? { [COUNT]: true } : value
  }
  if (Array.isArray(value)) return value.map((one) => meantValue(one))
  if (!isJsonObject(value)) return meantText(value)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, meantValue(one)]))
}

function meantText(text: unknown): unknown {
  if (typeof text !== 'string' || !/\d/u.test(text)) return text
  // Most texts have few of these, and each search costs time.
  let meant = isAddress(text) ? withKeptAddresses(text) : text
  if (MAY_HAVE_TIME.test(meant)) meant = meant.replaceAll(TIMES, TIME)
  if (MAY_HAVE_ID.test(meant)) meant = meant.replaceAll(IDS, ID)
  return meant
    .replaceAll(NAMED_IDS, (_all, label: string, sign: string) => `${label}${sign}${ID}`)
    .replaceAll(COUNTS, COUNT)
    .replaceAll(PLURAL, '$1')
}

function withKeptAddresses(text: string): string {
  const kept = (digit: string): string => String.fromCodePoint(KEPT_ZERO + Number(digit))
  return text.replaceAll(/\S+/gu, (word) =>
    isAddress(word) ? word.replaceAll(/\d/gu, kept) : word,
  )
}

function isAddress(text: string): boolean {
  return text.includes('://') || text.includes('@')
}
