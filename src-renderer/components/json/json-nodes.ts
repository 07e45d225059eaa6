import { createScanner, type SyntaxKind } from 'jsonc-parser'

type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** A value of a JSON text as it was written, so that numbers, keys that come twice and the order stay. */
export type JsonNode = {
  readonly kind: JsonKind
  readonly source: string
  /** Its name in an object; undefined in an array and of the whole. */
  readonly key: string | undefined
  /** In what it is; undefined of the whole. */
  readonly parent: JsonNode | undefined
  /** How many values stand before it in the same object or array. */
  readonly place: number
  /** How many objects and arrays it is in. */
  readonly depth: number
  /** The values directly in it, in order. */
  readonly children: readonly JsonNode[]
}

// The library’s enum exists for the compiler only.
const STRING = 10 satisfies SyntaxKind.StringLiteral
const CLOSINGS: readonly number[] = [
  2 satisfies SyntaxKind.CloseBraceToken,
  4 satisfies SyntaxKind.CloseBracketToken,
]
const END = 17 satisfies SyntaxKind.EOF

const KINDS: Readonly<Partial<Record<SyntaxKind, JsonKind>>> = {
  [1 satisfies SyntaxKind.OpenBraceToken]: 'object',
  [3 satisfies SyntaxKind.OpenBracketToken]: 'array',
  [7 satisfies SyntaxKind.NullKeyword]: 'null',
  [8 satisfies SyntaxKind.TrueKeyword]: 'boolean',
  [9 satisfies SyntaxKind.FalseKeyword]: 'boolean',
  [STRING]: 'string',
  [11 satisfies SyntaxKind.NumericLiteral]: 'number',
}

/** Whether a value is an object or array. */
export function isHolder({ kind }: JsonNode): boolean {
  return kind === 'object' || kind === 'array'
}

/** The text that a string value is, and of other kinds how they were written. */
export function saidBy({ kind, source }: JsonNode): string {
  return kind === 'string' ? decoded(source) : source
}

function decoded(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

type Open = JsonNode & { source: string; readonly start: number; readonly children: JsonNode[] }
const NONE: JsonNode[] = []

/** Reads a JSON text of any depth; undefined where it isn't valid. */
export function readNodes(text: string): JsonNode | undefined {
  if (!isJson(text)) return undefined
  const scanner = createScanner(text, true)
  const open: Open[] = []
  let root: JsonNode | undefined
  let key: string | undefined
  for (let token: number = scanner.scan(); token !== END; token = scanner.scan()) {
    const start = scanner.getTokenOffset()
    const end = start + scanner.getTokenLength()
    const holder = open.at(-1)
    const kind = KINDS[token as SyntaxKind]
    if (CLOSINGS.includes(token)) {
      if (holder) holder.source = text.slice(holder.start, end)
      open.pop()
    } else if (token === STRING && holder?.kind === 'object' && key === undefined)
      // A string in an object that has no name for its next value yet is that name.
      key = decoded(text.slice(start, end))
    else if (kind) {
      const place = holder?.children.length ?? 0
      const node = { kind, source: text.slice(start, end), key, parent: holder, place, start }
      const made: Open = { ...node, depth: open.length, children: NONE }
      holder?.children.push(made)
      root ??= made
      key = undefined
      if (isHolder(made)) open.push(Object.assign(made, { children: [] }))
    }
  }
  return root
}

/** A value and those in it, in the order of the text; in closed ones it does not look. */
export function* inOrder(
  root: JsonNode,
  isOpen: (node: JsonNode) => boolean = () => true,
): Generator<JsonNode> {
  const rest = [root]
  for (let node = rest.pop(); node; node = rest.pop()) {
    yield node
    if (isOpen(node)) for (const child of node.children.toReversed()) rest.push(child)
  }
}

/** The JSON pointer of a value in the whole text (RFC 6901); empty of the whole. */
export function pointerOf(node: JsonNode): string {
  const parts: string[] = []
  for (let at = node; at.parent; at = at.parent)
    parts.push(`/${(at.key ?? String(at.place)).replaceAll('~', '~0').replaceAll('/', '~1')}`)
  return parts.toReversed().join('')
}

/** The value under a part of a pointer, the last one of a name as JSON.parse has it. */
function childAt({ kind, children }: JsonNode, part: string): JsonNode | undefined {
  if (kind === 'array')
    return /^(?:0|[1-9]\d{0,8})$/u.test(part) ? children[Number(part)] : undefined
  const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
  return children.findLast(({ key }) => key === name)
}

/** The value that a JSON pointer names; undefined where there is none. */
export function nodeAt(root: JsonNode, pointer: string): JsonNode | undefined {
  if (pointer !== '' && !pointer.startsWith('/')) return undefined
  let node: JsonNode | undefined = root
  for (const part of pointer.split('/').slice(1)) node = node && childAt(node, part)
  return node
}

/** Deeper levels are written no further to the right: with each level of a deep text its lines would become longer. */
const MOST_INDENT = 24

function lineBreak(depth: number): string {
  return `\n${'  '.repeat(Math.min(depth, MOST_INDENT))}`
}

/**
 * A value written over lines, at most `most` UTF-16 units of it. Numbers and strings are written as they came, and keys
 * that come twice come twice.
 */
export function prettyText(root: JsonNode, most: number): string {
  const parts: string[] = []
  let length = 0
  const rest: (JsonNode | string)[] = [root]
  for (let next = rest.pop(); next !== undefined && length < most; next = rest.pop()) {
    if (typeof next !== 'string' && isHolder(next)) {
      const [begin, end] = next.kind === 'object' ? ['{', '}'] : ['[', ']']
      const { children } = next
      const depth = next.depth - root.depth
      if (children.length > 0) rest.push(end, lineBreak(depth))
      for (const child of children.toReversed()) {
        const name = child.key === undefined ? '' : `${JSON.stringify(child.key)}: `
        rest.push(child, `${child.place === 0 ? '' : ','}${lineBreak(depth + 1)}${name}`)
      }
      next = children.length > 0 ? begin : `${begin}${end}`
    }
    const part = typeof next === 'string' ? next : next.source
    parts.push(part)
    length += part.length
  }
  return parts.join('').slice(0, most)
}

/** A value to be copied: what a string says, everything else written over lines; at most `most` UTF-16 units of it. */
export function valueText(node: JsonNode, most: number): string {
  return isHolder(node) ? prettyText(node, most) : saidBy(node).slice(0, most)
}

/** A text of JSON over lines, everything in it as it was written; any other text as it is. */
export function indented(text: string): string {
  const root = readNodes(text)
  return root ? prettyText(root, Infinity) : text
}
