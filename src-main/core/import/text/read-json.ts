import { createScanner, type Node, parseTree, printParseErrorCode } from 'jsonc-parser'

import type { TextProblem } from '../../../../src-shared/domain/installation/configuration'

/** Deeper than any configuration, and far from exhausting the stack. */
export const MAX_DEPTH = 60
const MAX_PROBLEMS = 20
const FENCE = /^[^\S\n]*```[^\n]*$/gm

/** A text parsed as JSON: its tree, or its problems in order. */
export type ReadJson =
  | { readonly kind: 'tree'; readonly root: Node }
  | { readonly kind: 'broken'; readonly problems: TextProblem[] }

/**
 * Parses JSON with comments and trailing commas. Ignores a Markdown fence, and reads `"name": {…}` as if it had braces around it. Never
 * throws.
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
  // Offsets in the pasted text are one less than in the text with an added brace.
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

/** Keeps the first of several errors at the same place, which one mistake causes. */
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

/** Blanks everything that isn't JSON, so that lines and columns stay. */
function withoutFrame(pasted: string): string {
  const text = pasted.replace(/^\uFEFF/, ' ')
  return text.trimStart().startsWith('```')
    ? text.replace(FENCE, (line) => ' '.repeat(line.length))
    : text
}

type Survey = {
  /** Whether the text starts with a name and a colon. */
  readonly isMember: boolean
  readonly firstAt: number
  readonly tooDeepAt?: number
}

/** Returns the offset of nesting deeper than `MAX_DEPTH`, if any. */
export function findTooDeep(text: string): number | undefined {
  return survey(text).tooDeepAt
}

/** Scans the tokens without recursion, unlike the parser. */
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
    // The end; after an unclosed comment the scanner still reports a length.
    if (offset >= text.length || scanner.getTokenLength() === 0) break
    if (token === '{' || token === '[') depth += 1
    if (token === '}' || token === ']') depth -= 1
    if (depth > MAX_DEPTH) return { isMember: false, firstAt, tooDeepAt: offset }
  }
  return { isMember: first[0] === '"' && first[1] === ':', firstAt }
}

/** Returns line and column of an offset, both counted from 1. */
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

/** Describes a parser error as a sentence. */
export function describeFault(code: string): string {
  return MESSAGES[code] ?? 'Unexpected content.'
}
