import { createScanner, type SyntaxKind } from 'jsonc-parser'

/** What a value of JSON is. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** Where a key is that does not exist: items of arrays and the root have none. */
const NO_KEY = -1

// The library’s enum exists for the compiler only.
const OPEN_BRACE = 1 satisfies SyntaxKind.OpenBraceToken
const CLOSE_BRACE = 2 satisfies SyntaxKind.CloseBraceToken
const OPEN_BRACKET = 3 satisfies SyntaxKind.OpenBracketToken
const CLOSE_BRACKET = 4 satisfies SyntaxKind.CloseBracketToken
const NULL = 7 satisfies SyntaxKind.NullKeyword
const TRUE = 8 satisfies SyntaxKind.TrueKeyword
const FALSE = 9 satisfies SyntaxKind.FalseKeyword
const STRING = 10 satisfies SyntaxKind.StringLiteral
const NUMBER = 11 satisfies SyntaxKind.NumericLiteral
const END = 17 satisfies SyntaxKind.EOF

const LEAVES: Readonly<Partial<Record<number, JsonKind>>> = {
  [NULL]: 'null',
  [TRUE]: 'boolean',
  [FALSE]: 'boolean',
  [STRING]: 'string',
  [NUMBER]: 'number',
}

/**
 * The values of a JSON text in their order, each before what is in it, by number; the first is the whole. They are
 * places in the text, so that numbers, keys that come twice and the order stay as they were written.
 */
export class JsonNodes {
  readonly text: string
  readonly kinds: JsonKind[] = []
  /** Where a value begins and ends in the text. */
  readonly starts: number[] = []
  readonly ends: number[] = []
  /** Where its key begins, with the quotation mark; `NO_KEY` where it has none. */
  readonly keys: number[] = []
  /** In what it is; -1 of the whole. */
  readonly parents: number[] = []
  /** How many values stand before it in the same object or array. */
  readonly places: number[] = []
  /** How many values are directly in it. */
  readonly counts: number[] = []
  /** How many values it is with all that is in it. */
  readonly sizes: number[] = []

  constructor(text: string) {
    this.text = text
  }

  /** The values directly in one, in order. */
  *childrenOf(node: number): Generator<number> {
    const end = node + (this.sizes[node] ?? 0)
    for (let child = node + 1; child < end; child += this.sizes[child] ?? 1) yield child
  }

  /** Whether a value is an object or array. */
  isHolder(node: number): boolean {
    return this.kinds[node] === 'object' || this.kinds[node] === 'array'
  }

  /** The text of a value as it was written. */
  sourceOf(node: number): string {
    return this.text.slice(this.starts[node], this.ends[node])
  }

  /** The name of a value in its object, undefined in an array and of the whole. */
  keyOf(node: number): string | undefined {
    const start = this.keys[node] ?? NO_KEY
    if (start === NO_KEY) return undefined
    let end = start + 1
    while (this.text[end] !== '"') end += this.text[end] === '\\' ? 2 : 1
    return decoded(this.text.slice(start, end + 1))
  }

  /** The value under a name, the last one where there are several, as JSON.parse has it. */
  member(node: number | undefined, name: string): number | undefined {
    if (node === undefined || this.kinds[node] !== 'object') return undefined
    let found: number | undefined
    for (const child of this.childrenOf(node)) if (this.keyOf(child) === name) found = child
    return found
  }

  /** The text that a string value is; undefined of other kinds. */
  stringAt(node: number | undefined): string | undefined {
    if (node === undefined || this.kinds[node] !== 'string') return undefined
    return decoded(this.sourceOf(node))
  }
}

/** What a JSON string literal says. */
function decoded(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1)
}

/** Adds values to the tables as they are read. */
class NodeBuilder {
  readonly nodes: JsonNodes
  readonly #open: number[] = []
  #key = NO_KEY

  constructor(text: string) {
    this.nodes = new JsonNodes(text)
  }

  /** A string in an object that has no name for its next value yet is that name. */
  get isAtKey(): boolean {
    const holder = this.#open.at(-1)
    return holder !== undefined && this.nodes.kinds[holder] === 'object' && this.#key === NO_KEY
  }

  key(start: number): void {
    this.#key = start
  }

  add(kind: JsonKind, start: number, end: number): void {
    const { nodes } = this
    const holder = this.#open.at(-1) ?? -1
    const node = nodes.kinds.length
    const place = nodes.counts[holder] ?? 0
    if (holder >= 0) nodes.counts[holder] = place + 1
    nodes.kinds.push(kind)
    nodes.starts.push(start)
    nodes.ends.push(end)
    nodes.keys.push(this.#key)
    nodes.parents.push(holder)
    nodes.places.push(place)
    nodes.counts.push(0)
    nodes.sizes.push(1)
    this.#key = NO_KEY
    if (kind === 'object' || kind === 'array') this.#open.push(node)
  }

  close(end: number): void {
    const node = this.#open.pop()
    if (node === undefined) return
    this.nodes.ends[node] = end
    this.nodes.sizes[node] = this.nodes.kinds.length - node
  }
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

/** Reads a JSON text of any depth; undefined where it isn't valid. */
export function readNodes(text: string): JsonNodes | undefined {
  if (!isJson(text)) return undefined
  const scanner = createScanner(text, true)
  const builder = new NodeBuilder(text)
  for (let token: number = scanner.scan(); token !== END; token = scanner.scan()) {
    const start = scanner.getTokenOffset()
    const end = start + scanner.getTokenLength()
    const leaf = LEAVES[token]
    if (token === STRING && builder.isAtKey) builder.key(start)
    else if (leaf) builder.add(leaf, start, end)
    else if (token === OPEN_BRACE) builder.add('object', start, end)
    else if (token === OPEN_BRACKET) builder.add('array', start, end)
    else if (token === CLOSE_BRACE || token === CLOSE_BRACKET) builder.close(end)
  }
  return builder.nodes
}

/** A name as a part of a JSON pointer (RFC 6901, 3). */
function pointerPart(name: string | number): string {
  return String(name).replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The JSON pointer of a value in the whole text; empty of the whole. */
export function pointerOf(nodes: JsonNodes, node: number): string {
  const parts: string[] = []
  for (let at = node; at > 0; at = nodes.parents[at] ?? 0)
    parts.push(pointerPart(nodes.keyOf(at) ?? nodes.places[at] ?? 0))
  return parts
    .toReversed()
    .map((part) => `/${part}`)
    .join('')
}

function childAt(nodes: JsonNodes, node: number, part: string): number | undefined {
  if (nodes.kinds[node] === 'object') {
    return nodes.member(node, part.replaceAll('~1', '/').replaceAll('~0', '~'))
  }
  if (nodes.kinds[node] !== 'array' || !/^(?:0|[1-9]\d{0,8})$/u.test(part)) return undefined
  const wanted = Number(part)
  for (const child of nodes.childrenOf(node)) if (nodes.places[child] === wanted) return child
  return undefined
}

/** The value that a JSON pointer names; undefined where there is none. */
export function nodeAt(nodes: JsonNodes, pointer: string): number | undefined {
  if (pointer === '') return 0
  if (!pointer.startsWith('/')) return undefined
  let node: number | undefined = 0
  for (const part of pointer.slice(1).split('/')) {
    if (node === undefined) return undefined
    node = childAt(nodes, node, part)
  }
  return node
}

/** Deeper levels are written no further to the right: with each level of a deep text its lines would become longer. */
const MOST_INDENT = 24

const BRACKETS = { object: ['{', '}'], array: ['[', ']'] } as const

/** Collects pieces of text up to a length. */
class BoundedText {
  readonly #parts: string[] = []
  readonly #most: number
  #length = 0

  constructor(most: number) {
    this.#most = most
  }

  get isFull(): boolean {
    return this.#length >= this.#most
  }

  add(...parts: readonly string[]): void {
    for (const part of parts) {
      this.#parts.push(part)
      this.#length += part.length
    }
  }

  toString(): string {
    return this.#parts.join('').slice(0, this.#most)
  }
}

function lineBreak(depth: number): string {
  return `\n${'  '.repeat(Math.min(depth, MOST_INDENT))}`
}

/**
 * A value written over lines, at most `most` UTF-16 units of it. Numbers and strings are written as they came, and keys
 * that come twice come twice.
 */
export function prettyText(nodes: JsonNodes, root: number, most: number): string {
  const text = new BoundedText(most)
  const open: number[] = []
  const end = root + (nodes.sizes[root] ?? 0)
  for (let node = root; node <= end && !text.isFull; node += 1) {
    closeBefore(nodes, node, open, text)
    if (node === end) break
    if (open.length > 0) text.add(nodes.places[node] === 0 ? '' : ',', lineBreak(open.length))
    const key = node === root ? undefined : nodes.keyOf(node)
    if (key !== undefined) text.add(JSON.stringify(key), ': ')
    const kind = nodes.kinds[node]
    if (kind !== 'object' && kind !== 'array') text.add(nodes.sourceOf(node).slice(0, most))
    else if (nodes.counts[node] === 0) text.add(BRACKETS[kind].join(''))
    else {
      text.add(BRACKETS[kind][0])
      open.push(node)
    }
  }
  return text.toString()
}

/** Writes the ends of all that is over before `node`. */
function closeBefore(nodes: JsonNodes, node: number, open: number[], text: BoundedText): void {
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    if (last + (nodes.sizes[last] ?? 0) > node || text.isFull) return
    open.pop()
    const kind = nodes.kinds[last]
    if (kind === 'object' || kind === 'array') text.add(lineBreak(open.length), BRACKETS[kind][1])
  }
}

/** A value to be copied: what a string says, everything else written over lines; at most `most` UTF-16 units of it. */
export function valueText(nodes: JsonNodes, node: number, most: number): string {
  return nodes.stringAt(node)?.slice(0, most) ?? prettyText(nodes, node, most)
}

/** A text of JSON over lines, everything in it as it was written; any other text as it is. */
export function indented(text: string): string {
  const nodes = readNodes(text)
  return nodes ? prettyText(nodes, 0, Infinity) : text
}
