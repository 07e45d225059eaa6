import type { JsonKind, JsonNodes } from './json-nodes'

/** Deeper levels are written no further to the right: with each level of a deep text its lines would become longer. */
const MOST_INDENT = 24

const BRACKETS = { object: ['{', '}'], array: ['[', ']'] } as const

function isHolder(kind: JsonKind | undefined): kind is 'object' | 'array' {
  return kind === 'object' || kind === 'array'
}

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
    if (!isHolder(kind)) text.add(nodes.sourceOf(node).slice(0, most))
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
    if (isHolder(kind)) text.add(lineBreak(open.length), BRACKETS[kind][1])
  }
}

/** A value to be copied: what a string says, everything else written over lines; at most `most` UTF-16 units of it. */
export function valueText(nodes: JsonNodes, node: number, most: number): string {
  return nodes.stringAt(node)?.slice(0, most) ?? prettyText(nodes, node, most)
}
