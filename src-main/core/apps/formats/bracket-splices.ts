import {
  beforeLineEnd,
  contentEnd,
  indentAt,
  isBlank,
  lineEndOf,
  linesCut,
  lineStart,
  lineStop,
  type Splice,
} from './host-text'

type Range = { readonly from: number; readonly to: number }

/** A collection in brackets: its own offsets and its children's. */
export type Brackets = Range & { readonly children: readonly Range[] }

/** White space and comments of a syntax, one piece a match: across lines, and on one line. */
type Trivia = { readonly any: RegExp; readonly sameLine: RegExp }

/** Comments of TOML and YAML. */
export const HASH: Trivia = { any: /[ \t\r\n]+|#[^\r\n]*/uy, sameLine: /[ \t]+|#[^\r\n]*/uy }

/** Comments of JSON. */
export const SLASHES: Trivia = {
  any: /[ \t\r\n]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//uy,
  sameLine: /[ \t]+|\/\/[^\r\n]*|\/\*[^\r\n]*?\*\//uy,
}

type NewChild = {
  readonly child: string
  /** Indentation if the child gets its own line; by default that of the first child. */
  readonly indent?: string | undefined
  /** Separates an only child from brackets on its line. */
  readonly pad?: string
}

/** Returns the splices that add a last child. */
export function childInsertion(
  text: string,
  brackets: Brackets,
  trivia: Trivia,
  { child, indent = childIndent(text, brackets), pad = '' }: NewChild,
): readonly Splice[] {
  const last = brackets.children.at(-1)
  const eol = lineEndOf(text)
  const lead = indent === undefined ? ' ' : eol + indent
  if (last) {
    const comma = commaAfter(text, last.to, trivia)
    const after = comma === undefined ? last.to : comma + 1
    const at = indent === undefined ? after : afterComments(text, after, trivia)
    if (comma !== undefined) return [putAt(at, `${lead}${child},`)]
    return [putAt(after, ','), putAt(at, lead + child)]
  }
  const open = brackets.from + 1
  const close = brackets.to - 1
  const outer = indentAt(text, brackets.from)
  if (!isBlank(text, open, close)) {
    // After the comment that is the only content.
    const at = open + contentEnd(text.slice(open, close))
    const isLine = indent === undefined && endsInLineComment(text, open, at, trivia)
    return [putAt(at, (isLine ? `${eol}${outer}  ` : lead) + child)]
  }
  if (indent === undefined) return [{ from: open, to: close, put: pad + child + pad }]
  return [{ from: open, to: close, put: lead + child + eol + outer }]
}

/**
 * Returns the splices that remove a child with its comma, its lines and the comments after it on the last line. `vacated` replaces the
 * collection if it becomes empty.
 */
export function childRemoval(
  text: string,
  { from, to, children }: Brackets,
  trivia: Trivia,
  index: number,
  vacated: Splice = { from: from + 1, to: to - 1, put: '' },
): readonly Splice[] {
  const child = children[index]
  if (!child) return []
  const before = children[index - 1]
  const isLast = index === children.length - 1
  const comma = commaAfter(text, child.to, trivia)
  const isAdjacent = comma !== undefined && isBlank(text, child.to, comma)
  const end = isAdjacent ? comma + 1 : child.to
  const isAlone = isBlank(text, from + 1, child.from) && isBlank(text, end, to - 1)
  if (children.length === 1 && isAlone) return [vacated]
  const after = isLast ? (before?.to ?? from + 1) : undefined
  const piece = cut(text, { from: child.from, to: end }, trivia, after)
  // The comma after a comment, or the one before a last child.
  const distant = comma ?? (before && commaAfter(text, before.to, trivia))
  if (isAdjacent || distant === undefined) return [piece]
  return [piece, { from: distant, to: distant + 1, put: '' }]
}

/** Cuts a piece with the white space around it; `after` is the end of what precedes a last child. */
function cut(text: string, { from, to }: Range, trivia: Trivia, after: number | undefined): Splice {
  const start = lineStart(text, from)
  const isFirstOfLine = isBlank(text, start, from)
  if (isFirstOfLine && afterComments(text, to, trivia) === lineStop(text, to))
    return linesCut(text, from, to)
  if (after === undefined) {
    const next = skip(text, to, /[ \t]+/uy)
    // YAML requires a space before a comment.
    return { from, to: text.charAt(next) === '#' ? to : next, put: '' }
  }
  if (!isFirstOfLine) return { from: contentEnd(text.slice(0, from)), to, put: '' }
  const before = beforeLineEnd(text, start)
  // Following text must not move into the previous line's comment.
  return { from: endsInLineComment(text, after, before, trivia) ? from : before, to, put: '' }
}

/** Returns the indentation of the first child, if it isn't on the line of the bracket. */
export function childIndent(
  text: string,
  { from, children: [first] }: Brackets,
): string | undefined {
  return first && /[\r\n]/u.test(text.slice(from, first.from))
    ? indentAt(text, first.from)
    : undefined
}

function commaAfter(text: string, offset: number, { any }: Trivia): number | undefined {
  const at = skip(text, offset, any)
  return text.charAt(at) === ',' ? at : undefined
}

/** Returns the end of comments that end the line; the offset itself if anything else follows. */
function afterComments(text: string, offset: number, { sameLine }: Trivia): number {
  const at = skip(text, offset, sameLine)
  return at === lineStop(text, at) ? at : offset
}

/** Whether the last piece between two offsets, which hold commas and trivia, is a line comment. */
function endsInLineComment(text: string, from: number, to: number, { any }: Trivia): boolean {
  let piece = ''
  for (let at = from; at < to; at += Math.max(piece.length, 1)) piece = pieceAt(text, at, any)
  return /^(?:#|\/\/)/u.test(piece)
}

function skip(text: string, offset: number, pieces: RegExp): number {
  let at = offset
  for (let piece = pieceAt(text, at, pieces); piece !== ''; piece = pieceAt(text, at, pieces))
    at += piece.length
  return at
}

/** Returns the match of a sticky expression at an offset; empty without one. */
function pieceAt(text: string, offset: number, pieces: RegExp): string {
  pieces.lastIndex = offset
  return pieces.exec(text)?.[0] ?? ''
}

function putAt(at: number, put: string): Splice {
  return { from: at, to: at, put }
}
