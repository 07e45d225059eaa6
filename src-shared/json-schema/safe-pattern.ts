import { attempt } from '../domain/attempt'

const MAX_PATTERN_LENGTH = 500
/** Maximum number of steps of a match in the worst case. */
const MAX_STEPS = 10_000_000
/** A pattern that is too slow for texts of the first length is rejected; none runs on texts longer than the second. */
const MIN_TEXT_LENGTH = 30
const MAX_TEXT_LENGTH = 10_000

type Group = { hasRepeat: boolean; choices: number }
type Scan = {
  at: number
  /** Number of unbounded repetitions: each multiplies the possible matches by the length of the text. */
  endless: number
  /** Number of possible matches of the other parts. */
  ways: number
  readonly groups: Group[]
  last: Group | undefined
}

const HEAD = /^\((?:\?(?::|=|!|<=|<!|<[^>]*>))?/u
const REPEAT = /^(?:[*+?]|\{\d+(?:,\d*)?\})/u

/** Returns the difference between the maximum and the minimum of a repetition. */
function spanOf(repeat: string): number {
  if (repeat === '?') return 1
  if (repeat === '*' || repeat === '+') return Infinity
  const [, least = '0', comma, most = ''] = /^\{(\d+)(,)?(\d*)/u.exec(repeat) ?? []
  if (comma === undefined) return 0
  return most === '' ? Infinity : Number(most) - Number(least)
}

/** Returns the index after a class such as `[a-z]`; undefined if it is not closed. */
function afterClass(pattern: string, at: number): number | undefined {
  for (let place = at + 1; place < pattern.length; place += 1) {
    if (pattern[place] === '\\') place += 1
    else if (pattern[place] === ']') return place + 1
  }
  return undefined
}

/** Consumes the repetition after an atom; false if the repeated part has a repetition or a choice itself. */
function takeRepeat(pattern: string, scan: Scan): boolean {
  const repeat = REPEAT.exec(pattern.slice(scan.at))?.[0]
  if (repeat === undefined) return true
  scan.at += repeat.length
  if (pattern[scan.at] === '?') scan.at += 1
  const span = spanOf(repeat)
  const group = scan.last
  if (repeat !== '?' && group !== undefined && (group.hasRepeat || group.choices > 0)) return false
  if (span === Infinity) scan.endless += 1
  else scan.ways *= span + 1
  if (span > 0) for (const outer of scan.groups) outer.hasRepeat = true
  return true
}

function open(pattern: string, scan: Scan): boolean {
  const head = HEAD.exec(pattern.slice(scan.at))?.[0] ?? '('
  // Lookaheads and lookbehinds run again at every position.
  if (/^\(\?(?:=|!|<=|<!)$/u.test(head)) return false
  scan.at += head.length
  scan.groups.push({ hasRepeat: false, choices: 0 })
  return true
}

function close(pattern: string, scan: Scan): boolean {
  const group = scan.groups.pop()
  if (group === undefined) return false
  const outer = scan.groups.at(-1)
  if (outer) {
    outer.hasRepeat ||= group.hasRepeat
    outer.choices += group.choices
  }
  scan.ways *= group.choices + 1
  scan.at += 1
  scan.last = group
  return takeRepeat(pattern, scan)
}

/** Consumes one atom; false if it makes matching slow, or is not supported here. */
function takeAtom(pattern: string, scan: Scan): boolean {
  const sign = pattern[scan.at] ?? ''
  scan.last = undefined
  if (sign === '(') return open(pattern, scan)
  if (sign === ')') return close(pattern, scan)
  if (sign === '|') {
    const group = scan.groups.at(-1)
    if (group) group.choices += 1
    else scan.ways += 1
    scan.at += 1
    return true
  }
  if (sign === '[') {
    const end = afterClass(pattern, scan.at)
    if (end === undefined) return false
    scan.at = end
  } else if (sign === '\\') {
    // A back reference.
    if (/[1-9k]/u.test(pattern[scan.at + 1] ?? '')) return false
    scan.at += 2
  } else scan.at += 1
  return takeRepeat(pattern, scan)
}

/** A pattern that can run without the risk of taking long. */
export type SafePattern = {
  readonly expression: RegExp
  /** Maximum length of a text for it, in UTF-16 units. */
  readonly maxTextLength: number
  /** Number of characters read in the worst case for a text of this length. */
  readonly stepsFor: (length: number) => number
}

/**
 * Patterns whose time grows linearly with the text: anchored at the start, a sequence of characters, escapes and classes, at most one of
 * them with an unbounded repetition. A class may have 200 characters.
 */
const ATOM = String.raw`(?:[^\\^$.*+?()[\]{}|]|\\[dDwWsS.\-/\\+*?()[\]{}|$^]|\.|\[(?:[^\\\]]|\\.){1,200}\])`
const LINEAR = new RegExp(
  String.raw`^\^(?:${ATOM}(?:\{\d{1,2}\})?)*(?:${ATOM}(?:[*+?]|\{\d{1,4},(?:\d{1,4})?\})(?:${ATOM}(?:\{\d{1,2}\})?)*)?\$?$`,
)
const MAX_LINEAR_LENGTH = 200

/**
 * Compiles a server's pattern if it is safe; undefined for others and for an invalid one. Conservative: patterns with lookarounds, back
 * references, or a repetition of a repetition or choice are rejected, even if harmless.
 */
export function safePattern(pattern: unknown): SafePattern | undefined {
  if (typeof pattern !== 'string' || pattern.length > MAX_PATTERN_LENGTH) return undefined
  const expression = compiled(pattern)
  if (expression === undefined) return undefined
  if (pattern.length <= MAX_LINEAR_LENGTH && LINEAR.test(pattern))
    return { expression, maxTextLength: Infinity, stepsFor: (length) => length }
  const scan: Scan = { at: 0, endless: 0, ways: 1, groups: [], last: undefined }
  while (scan.at < pattern.length) if (!takeAtom(pattern, scan)) return undefined
  if (scan.groups.length > 0) return undefined
  const maxTextLength = Math.floor((MAX_STEPS / scan.ways) ** (1 / (scan.endless + 1)))
  if (maxTextLength < MIN_TEXT_LENGTH) return undefined
  return {
    expression,
    maxTextLength: Math.min(maxTextLength, MAX_TEXT_LENGTH),
    stepsFor: (length) => scan.ways * length ** (scan.endless + 1),
  }
}

/** Uses the Unicode flag if only that compiles; an invalid pattern is ignored. */
function compiled(pattern: string): RegExp | undefined {
  // Without the flag these have another meaning.
  const flagSets = /\\[pPuk]/u.test(pattern) ? ['u'] : ['u', '']
  for (const flags of flagSets) {
    const expression = attempt(() => new RegExp(pattern, flags))
    if (expression) return expression
  }
  return undefined
}
