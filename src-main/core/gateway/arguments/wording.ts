import { namesSecret } from '../../../../src-shared/domain/secret-name'
import { slipsBetween } from '../../catalog/search/near-words'

/** The steps from the arguments to a value in them: keys, and places in lists. */
export type Path = readonly (string | number)[]

const PLAIN_KEY = /^[A-Za-z_$][\w$-]{0,100}$/
const LONGEST_KEY = 60

/** A place as a model reads it, such as `options.paths[2]`; empty for the arguments themselves. */
export function placeOf(path: Path): string {
  let place = ''
  for (const step of path) {
    if (typeof step === 'number') place += `[${step}]`
    else if (PLAIN_KEY.test(step)) place += place === '' ? step : `.${step}`
    else place += `[${quoted(step)}]`
  }
  return place
}

/** A text of a model in quotes, cut. */
export function quoted(text: string, longest = LONGEST_KEY): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text
  return JSON.stringify(cut)
}

const LONGEST_VALUE = 40

/** What came instead of what was expected, in a few words; of what may be a secret only what it is. */
export function shownValue(value: unknown, key: string | number | undefined): string {
  if (value === null) return 'null'
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty array' : `an array of ${value.length}`
  if (typeof value === 'object') return 'an object'
  if (typeof key === 'string' && namesSecret(key)) return `a ${typeof value}`
  if (typeof value === 'string') return `the string ${quoted(value, LONGEST_VALUE)}`
  return `the ${typeof value} ${JSON.stringify(value)}`
}

/** How a type of JSON Schema is called. */
export function typeWords(type: string | readonly string[] | undefined): string {
  const words: Readonly<Record<string, string>> = {
    ...{ string: 'a string', number: 'a number', integer: 'an integer', null: 'null' },
    ...{ boolean: 'a boolean', object: 'an object', array: 'an array' },
  }
  const types = type === undefined ? [] : [type].flat()
  if (types.length === 0) return 'a value'
  return types.map((one) => words[one] ?? one).join(' or ')
}

/** The value that a text holds as JSON, with quotes or fences around it taken off; undefined where it holds none. */
export function unwrapped(text: string): unknown {
  const bare = /^\s*```\w*\s*\n([^]*?)\n?\s*```\s*$/u.exec(text)?.[1] ?? text
  try {
    return JSON.parse(bare) as unknown
  } catch {
    return undefined
  }
}

const MOST_SLIPS = 2
const LONGEST_COMPARED = 100
/** Keys that are compared: a model writes a few. */
const MOST_KEYS = 200

/**
 * The key of `keys` that was most likely meant to be `name`: the same but for case, quotes and other signs, one that an
 * edit of a model grew (`path_after`, `path"_after`), or one a slip or two away. The other way round as well.
 */
export function nearKey(name: string, keys: readonly string[]): string | undefined {
  const bare = bareOf(name)
  const candidates = keys.slice(0, MOST_KEYS).filter((key) => key !== name)
  return (
    candidates.find((key) => bareOf(key) === bare) ??
    candidates.find((key) => isGrown(key, name) || isGrown(name, key)) ??
    candidates.find((key) => isSlip(bareOf(key), bare))
  )
}

function bareOf(key: string): string {
  return key
    .slice(0, LONGEST_COMPARED)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/** Whether a key is the name with a sign and more behind it. */
function isGrown(key: string, name: string): boolean {
  return name !== '' && key.startsWith(name) && /^[^\p{L}\p{N}]/u.test(key.slice(name.length))
}

function isSlip(a: string, b: string): boolean {
  // Short words are near to too many others.
  const most = Math.min(MOST_SLIPS, Math.floor(Math.min(a.length, b.length) / 3))
  return most > 0 && slipsBetween(a, b, most) !== undefined
}
