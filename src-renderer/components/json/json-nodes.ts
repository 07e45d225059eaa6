import { createScanner, type SyntaxKind } from 'jsonc-parser'

type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** A value of a JSON text in its source form, which keeps number digits, duplicate keys and order. */
export type JsonNode = {
  readonly kind: JsonKind
  readonly source: string
  /** Name of the value in its object; undefined in an array and for the root. */
  readonly key: string | undefined
  /** Container of the value; undefined for the root. */
  readonly parent: JsonNode | undefined
  /** Number of values before this one in the same container. */
  readonly place: number
  /** Number of containers around the value. */
  readonly depth: number
  /** Direct members, in order. */
  readonly children: readonly JsonNode[]
}

// The library's enum exists at compile time only.
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
export function isContainer({ kind }: JsonNode): boolean {
  return kind === 'object' || kind === 'array'
}

/** Returns the decoded text of a string value, and the source of any other value. */
export function primitiveText({ kind, source }: JsonNode): string {
  return kind === 'string' ? decodeString(source) : source
}

function decodeString(literal: string): string {
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

type OpenNode = JsonNode & { source: string; readonly start: number; readonly children: JsonNode[] }
const NONE: JsonNode[] = []

/** Reads a JSON text of any depth; undefined if the text is invalid. */
export function readNodes(text: string): JsonNode | undefined {
  if (!isJson(text)) return undefined
  const scanner = createScanner(text, true)
  const open: OpenNode[] = []
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
      // A string in an object without a pending name is the name of the next value.
      key = decodeString(text.slice(start, end))
    else if (kind) {
      const place = holder?.children.length ?? 0
      const node = { kind, source: text.slice(start, end), key, parent: holder, place, start }
      const made: OpenNode = { ...node, depth: open.length, children: NONE }
      holder?.children.push(made)
      root ??= made
      key = undefined
      if (isContainer(made)) open.push(Object.assign(made, { children: [] }))
    }
  }
  return root
}

/** Yields a value and its descendants in document order, without the members of closed values. */
export function* inOrder(
  root: JsonNode,
  isOpen: (node: JsonNode) => boolean = () => true,
): Generator<JsonNode> {
  const pending = [root]
  for (let node = pending.pop(); node; node = pending.pop()) {
    yield node
    if (isOpen(node)) for (const child of node.children.toReversed()) pending.push(child)
  }
}

/** Returns the JSON pointer of a value in the whole text (RFC 6901); empty for the root. */
export function pointerOf(node: JsonNode): string {
  const parts: string[] = []
  for (let at = node; at.parent; at = at.parent)
    parts.push(`/${(at.key ?? String(at.place)).replaceAll('~', '~0').replaceAll('/', '~1')}`)
  return parts.toReversed().join('')
}

/** Returns the child for one pointer part; of duplicate names the last, like JSON.parse. */
function childAt({ kind, children }: JsonNode, part: string): JsonNode | undefined {
  if (kind === 'array')
    return /^(?:0|[1-9]\d{0,8})$/u.test(part) ? children[Number(part)] : undefined
  const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
  return children.findLast(({ key }) => key === name)
}

/** Returns the value that a JSON pointer names; undefined if there is none. */
export function nodeAt(root: JsonNode, pointer: string): JsonNode | undefined {
  if (pointer !== '' && !pointer.startsWith('/')) return undefined
  let node: JsonNode | undefined = root
  for (const part of pointer.split('/').slice(1)) node = node && childAt(node, part)
  return node
}

/** Maximum indent in levels. Otherwise the lines of a deep text would grow with each level. */
const MAX_INDENT = 24

function lineBreak(depth: number): string {
  return `\n${'  '.repeat(Math.min(depth, MAX_INDENT))}`
}

/** Pretty-prints a value, at most `maxLength` UTF-16 units of it. Numbers, strings and duplicate keys stay as written. */
export function prettyText(root: JsonNode, maxLength: number): string {
  const parts: string[] = []
  let length = 0
  const pending: (JsonNode | string)[] = [root]
  for (let next = pending.pop(); next !== undefined && length < maxLength; next = pending.pop()) {
    if (typeof next !== 'string' && isContainer(next)) {
      const [begin, end] = next.kind === 'object' ? ['{', '}'] : ['[', ']']
      const { children } = next
      const depth = next.depth - root.depth
      if (children.length > 0) pending.push(end, lineBreak(depth))
      for (const child of children.toReversed()) {
        const name = child.key === undefined ? '' : `${JSON.stringify(child.key)}: `
        pending.push(child, `${child.place === 0 ? '' : ','}${lineBreak(depth + 1)}${name}`)
      }
      next = children.length > 0 ? begin : `${begin}${end}`
    }
    const part = typeof next === 'string' ? next : next.source
    parts.push(part)
    length += part.length
  }
  return parts.join('').slice(0, maxLength)
}

/** Returns the text to copy, at most `maxLength` UTF-16 units: a string decoded, any other value pretty-printed. */
export function valueText(node: JsonNode, maxLength: number): string {
  return isContainer(node) ? prettyText(node, maxLength) : primitiveText(node).slice(0, maxLength)
}

/** Pretty-prints a JSON text with every token as written; returns any other text unchanged. */
export function indentedText(text: string): string {
  const root = readNodes(text)
  return root ? prettyText(root, Infinity) : text
}
