import { createScanner, type SyntaxKind } from 'jsonc-parser'

/** What a value of JSON is. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** More values than this are not made a tree of. */
const MOST_NODES = 4_000_000

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

/** Reads a JSON text of any depth; 'noJson' and 'tooMany' say why it is none to make a tree of. */
export function readNodes(text: string, most = MOST_NODES): JsonNodes | 'noJson' | 'tooMany' {
  if (!isJson(text)) return 'noJson'
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
    if (builder.nodes.kinds.length > most) return 'tooMany'
  }
  return builder.nodes
}
