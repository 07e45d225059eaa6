import { type JsonNodes, readNodes } from './json-nodes'
import { nodeAt, pointerOf } from './json-pointer'
import { prettyText, valueText } from './json-text'
import { type JsonRow, JsonTree } from './json-tree'
import { type Media, readMedia } from './media'
import { type ContentItem, ResultContent, type ResultFacts } from './result-content'

/** Most places that a search finds. */
export const MOST_FOUND = 10_000

/** Where a text was found; `isWhole` tells whether these are all places. */
type Found = { readonly places: readonly number[]; readonly isWhole: boolean }

/** The values below `root` whose name or own text has these words in it, any case. */
export function findText(nodes: JsonNodes, root: number, text: string): Found {
  const wanted = text.toLowerCase()
  const places: number[] = []
  if (wanted === '') return { places, isWhole: true }
  const has = (one: string | undefined): boolean => one?.toLowerCase().includes(wanted) ?? false
  const end = root + (nodes.sizes[root] ?? 0)
  for (let node = root; node < end; node += 1) {
    const isHolder = nodes.kinds[node] === 'object' || nodes.kinds[node] === 'array'
    const isFound =
      (node !== root && has(nodes.keyOf(node))) ||
      (!isHolder && has(nodes.stringAt(node) ?? nodes.sourceOf(node)))
    if (!isFound) continue
    if (places.length === MOST_FOUND) return { places, isWhole: false }
    places.push(node)
  }
  return { places, isWhole: true }
}

/** What a text turned out to be. */
export type DocumentFacts =
  /** `nodes` is how many values there are. */
  | { readonly kind: 'json'; readonly length: number; readonly nodes: number }
  | { readonly kind: 'text'; readonly length: number; readonly why: 'noJson' | 'tooMany' }

/** How many rows a tree shows, and whether it has more than can be shown. */
export type TreeSize = { readonly count: number; readonly isCut: boolean }

/** Where the keyboard stands after the tree changed. */
export type TreeMove = TreeSize & { readonly row: number }

/** Part of a long text, and how long all of it is, in UTF-16 units. */
type Piece = { readonly text: string; readonly length: number }

type Document = {
  readonly text: string
  readonly facts: DocumentFacts
  readonly nodes: JsonNodes | undefined
  readonly content: { of?: ResultContent }
  /** The text that was read from last, by its value: a long one is not decoded for each of its parts. */
  readonly last: { node: number; text: string }
}

type View = { readonly document: Document; readonly tree: JsonTree; root: number; found: number[] }

/**
 * What the thread that holds texts can be asked. Texts go by a key, trees by a number; both are chosen by who asks, and
 * stay until they are dropped. Questions after something that is not there reject.
 */
export class JsonCalls {
  readonly #coming = new Map<string, string[]>()
  readonly #documents = new Map<string, Document>()
  readonly #views = new Map<number, View>()

  /** Takes the next part of a text. */
  add(key: string, part: string): void {
    const parts = this.#coming.get(key)
    if (parts) parts.push(part)
    else this.#coming.set(key, [part])
  }

  /** Reads a text whose parts are all there. */
  finish(key: string): DocumentFacts {
    const text = (this.#coming.get(key) ?? []).join('')
    this.#coming.delete(key)
    const read = readNodes(text)
    const nodes = typeof read === 'string' ? undefined : read
    const { length } = text
    const facts: DocumentFacts =
      typeof read === 'string'
        ? { kind: 'text', length, why: read }
        : { kind: 'json', length, nodes: read.kinds.length }
    const last = { node: -1, text: '' }
    this.#documents.set(key, { text, facts, nodes, content: {}, last })
    return facts
  }

  /** Forgets a text. */
  drop(key: string): void {
    this.#coming.delete(key)
    this.#documents.delete(key)
  }

  /** Makes a tree of a part of a text; undefined where nothing is at the pointer. */
  openView(view: number, key: string, pointer: string): TreeSize | undefined {
    const document = this.#document(key)
    const root = document.nodes && nodeAt(document.nodes, pointer)
    if (!document.nodes || root === undefined) return undefined
    const tree = new JsonTree(document.nodes, root)
    this.#views.set(view, { document, tree, root, found: [] })
    return sizeOf(tree)
  }

  closeView(view: number): void {
    this.#views.delete(view)
  }

  rows(view: number, from: number, to: number): JsonRow[] {
    return this.#view(view).tree.rows(from, to)
  }

  setOpen(view: number, row: number, isOpen: boolean): TreeMove {
    const { tree } = this.#view(view)
    tree.setOpen(row, isOpen)
    return { ...sizeOf(tree), row }
  }

  openBeside(view: number, at: number): TreeMove {
    const { tree } = this.#view(view)
    const row = tree.openBeside(at)
    return { ...sizeOf(tree), row }
  }

  holderRow(view: number, row: number): number | undefined {
    return this.#view(view).tree.holderRow(row)
  }

  rowThatBegins(view: number, beginning: string, from: number): number | undefined {
    return this.#view(view).tree.rowThatBegins(beginning, from)
  }

  /** Looks for a text; `reveal` leads to what was found. */
  find(view: number, text: string): { readonly count: number; readonly isWhole: boolean } {
    const held = this.#view(view)
    const { places, isWhole } = findText(nodesOf(held.document), held.root, text)
    held.found = [...places]
    return { count: places.length, isWhole }
  }

  /** Opens all around one of the places that were found last; undefined where its row cannot be shown. */
  reveal(view: number, place: number): TreeMove | undefined {
    const { tree, found } = this.#view(view)
    const node = found[place]
    const row = node === undefined ? undefined : tree.reveal(node)
    return row === undefined ? undefined : { ...sizeOf(tree), row }
  }

  /** The value of a row to be copied, at most `most` UTF-16 units of it, and its JSON pointer. */
  valueAt(view: number, row: number, most: number): { text: string; pointer: string } | undefined {
    const { document, tree } = this.#view(view)
    const node = tree.nodeOf(row)
    const nodes = nodesOf(document)
    if (node === undefined) return undefined
    return { text: valueText(nodes, node, most), pointer: pointerOf(nodes, node) }
  }

  /** JSON over lines, any other text as it is; at most `most` UTF-16 units of it. */
  textOf(key: string, pointer: string, most: number): string {
    const { nodes, text } = this.#document(key)
    const node = nodes && nodeAt(nodes, pointer)
    return nodes && node !== undefined ? prettyText(nodes, node, most) : text.slice(0, most)
  }

  /** The part of a text at a pointer as a file: JSON over lines, the whole as it came. */
  blobOf(key: string, pointer: string): Blob {
    const text = pointer === '' ? this.#document(key).text : this.textOf(key, pointer, Infinity)
    return new Blob([text], { type: 'text/plain;charset=utf-8' })
  }

  /** What a result holds. */
  result(key: string): ResultFacts {
    return this.#content(key).facts
  }

  items(key: string, from: number, to: number): ContentItem[] {
    return this.#content(key).items(from, to)
  }

  /** A part of the text that a string value says. */
  stringPart(key: string, node: number, from: number, length: number): Piece {
    const { last, ...document } = this.#document(key)
    if (last.node !== node) {
      last.node = node
      last.text = nodesOf(document).stringAt(node) ?? ''
    }
    return { text: last.text.slice(from, from + length), length: last.text.length }
  }

  /** The data that a string value is in base64; undefined where it is none. */
  media(key: string, node: number): Media | undefined {
    const base64 = nodesOf(this.#document(key)).stringAt(node)
    return base64 === undefined ? undefined : readMedia(base64)
  }

  #content(key: string): ResultContent {
    const document = this.#document(key)
    document.content.of ??= new ResultContent(nodesOf(document))
    return document.content.of
  }

  #document(key: string): Document {
    const document = this.#documents.get(key)
    if (!document) throw new Error('This text is no longer available.')
    return document
  }

  #view(view: number): View {
    const held = this.#views.get(view)
    if (!held) throw new Error('This tree is no longer available.')
    return held
  }
}

function sizeOf({ count, isCut }: JsonTree): TreeSize {
  return { count, isCut }
}

function nodesOf({ nodes }: Pick<Document, 'nodes'>): JsonNodes {
  if (!nodes) throw new Error('This text isn’t valid JSON.')
  return nodes
}
