import { createScanner, type Node, parseTree, printParseErrorCode } from 'jsonc-parser'

import type { TextProblem } from '../../../../src-shared/domain/installation/configuration'

/** Deeper than any configuration, and far from what would exhaust the stack. */
export const MAX_DEPTH = 60
const MAX_PROBLEMS = 20
const FENCE = /^[^\S\n]*```[^\n]*$/gm

/** A text as JSON: its tree, or what is wrong with it, in order. */
export type ReadJson =
  | { readonly kind: 'tree'; readonly root: Node }
  | { readonly kind: 'broken'; readonly problems: TextProblem[] }

/**
 * Reads JSON with comments and trailing commas. The fence of a Markdown block is no part of it, and
 * `"name": {…}` without braces around it is read as if they were there. Never throws.
 */
export function readJson(pasted: string): ReadJson {
  const text = withoutFrame(pasted)
  if (text.trim() === '') return broken([{ line: 1, column: 1, message: 'Enter a configuration.' }])
  const { isMember, tooDeepAt, firstAt } = survey(text)
  if (tooDeepAt !== undefined) {
    const message = `Nested more than ${String(MAX_DEPTH)} levels deep.`
    return broken([{ ...positionOf(text, tooDeepAt), message }])
  }
  if (!isMember && !/[{[]/.test(text.charAt(firstAt))) {
    const message = 'Invalid JSON: expected “{” here.'
    return broken([{ ...positionOf(text, firstAt), message }])
  }
  // Offsets of what was pasted are one less than those of the text with a brace before it.
  const shift = isMember ? 1 : 0
  const source = isMember ? `{${text}}` : text
  const errors: ParseFault[] = []
  const root = parseTree(source, errors, { allowTrailingComma: true })
  if (errors.length === 0 && root) return { kind: 'tree', root }
  const problems = withoutEchoes(errors)
    .slice(0, MAX_PROBLEMS)
    .map(({ error, offset }) => ({
      ...positionOf(text, Math.min(text.length, Math.max(0, offset - shift))),
      message: describeFault(printParseErrorCode(error)),
    }))
  return broken(problems)
}

type ParseFault = NonNullable<Parameters<typeof parseTree>[1]>[number]

/** One mistake makes several complaints about the same place; the first one says it. */
function withoutEchoes(faults: readonly ParseFault[]): ParseFault[] {
  let end = -1
  return faults.filter(({ offset, length }) => {
    const isNew = offset > end
    end = Math.max(end, offset + length)
    return isNew
  })
}

function broken(problems: TextProblem[]): ReadJson {
  return { kind: 'broken', problems }
}

/** What is no JSON is made blank, so that every line and column stays. */
function withoutFrame(pasted: string): string {
  const text = pasted.replace(/^\uFEFF/, ' ')
  return text.trimStart().startsWith('```')
    ? text.replace(FENCE, (line) => ' '.repeat(line.length))
    : text
}

type Survey = {
  /** The text begins with a name and a colon. */
  readonly isMember: boolean
  readonly firstAt: number
  readonly tooDeepAt?: number
}

/** The offset of what is nested deeper than `MAX_DEPTH`, if anything is. */
export function findTooDeep(text: string): number | undefined {
  return survey(text).tooDeepAt
}

/** Looks over the tokens without going down into them: the parser itself goes down by calls. */
function survey(text: string): Survey {
  const scanner = createScanner(text, true)
  const first: string[] = []
  let firstAt = 0
  let depth = 0
  for (;;) {
    scanner.scan()
    const offset = scanner.getTokenOffset()
    const token = text.slice(offset, offset + 1)
    if (first.length === 0) firstAt = offset
    if (first.length < 2) first.push(token)
    // Nothing is left; behind a comment without an end the scanner gives a length all the same.
    if (offset >= text.length || scanner.getTokenLength() === 0) break
    if (token === '{' || token === '[') depth += 1
    if (token === '}' || token === ']') depth -= 1
    if (depth > MAX_DEPTH) return { isMember: false, firstAt, tooDeepAt: offset }
  }
  return { isMember: first[0] === '"' && first[1] === ':', firstAt }
}

/** Line and column of an offset, both counted from 1. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return { line, column: offset - before.lastIndexOf('\n') }
}

const MESSAGES: Readonly<Record<string, string>> = {
  InvalidSymbol: 'Unknown word in JSON. Put strings in double quotes.',
  InvalidNumberFormat: 'Invalid JSON number.',
  PropertyNameExpected: 'Expected a name in double quotes.',
  ValueExpected: 'Expected a value.',
  ColonExpected: 'Expected a colon after the name.',
  CommaExpected: 'Expected a comma before this.',
  CloseBraceExpected: 'Expected a closing brace “}”.',
  CloseBracketExpected: 'Expected a closing bracket “]”.',
  EndOfFileExpected: 'Expected the end of the text.',
  InvalidCommentToken: 'Comments are not allowed here.',
  UnexpectedEndOfComment: 'The comment is not closed.',
  UnexpectedEndOfString: 'A double quote is not closed.',
  UnexpectedEndOfNumber: 'The number is incomplete.',
  InvalidUnicode: 'The escape “\\u” needs four hexadecimal digits.',
  InvalidEscapeCharacter: 'Invalid escape sequence. Write “\\\\” for a backslash.',
  InvalidCharacter: 'Invalid character in a string.',
}

/** What a fault of the parser means, as a sentence. */
export function describeFault(code: string): string {
  return MESSAGES[code] ?? 'Unexpected content.'
}
