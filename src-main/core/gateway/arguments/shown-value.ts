import { namesSecret } from '../../../../src-shared/domain/secret-name'
import { quoted } from './argument-place'

const LONGEST = 40

/** What came instead of what was expected, in a few words; of what may be a secret only what it is. */
export function shownValue(value: unknown, key: string | number | undefined): string {
  if (value === null) return 'null'
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty list' : `a list of ${value.length}`
  if (typeof value === 'object') return 'an object'
  if (typeof key === 'string' && namesSecret(key)) return `a ${typeof value}`
  if (typeof value === 'string') return `the string ${quoted(value, LONGEST)}`
  return `the ${typeof value} ${JSON.stringify(value)}`
}

/** How a type of JSON Schema is called. */
export function typeWords(type: string | readonly string[] | undefined): string {
  const words: Readonly<Record<string, string>> = {
    ...{ string: 'a string', number: 'a number', integer: 'a whole number', null: 'null' },
    ...{ boolean: 'true or false', object: 'an object', array: 'a list' },
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
