import type { JsonNodes } from './json-nodes'
import { pointerOf } from './json-pointer'

/** The beginning of a text of a server, and where all of it is. */
export type CutText = {
  /** At most `MOST_AT_ONCE` UTF-16 units. */
  readonly text: string
  /** Of all of it. */
  readonly length: number
  /** Its value, by number. */
  readonly node: number
  /** Its value, as a JSON pointer. */
  readonly pointer: string
}

/** Data as base64: its value by number, and how long the base64 is. */
export type CutData = { readonly node: number; readonly length: number }

/** What a block of content is; `other` is all that Patchbay does not know. */
type ContentKind = 'text' | 'image' | 'audio' | 'link' | 'resource' | 'other'

/** One block of content of a result (MCP, ContentBlock, ResourceContents). Texts are the server's own, cut. */
export type ContentItem = {
  readonly kind: ContentKind
  readonly node: number
  readonly pointer: string
  /** Of a message of a prompt: who says it. */
  readonly role?: string
  readonly text?: CutText
  readonly data?: CutData
  readonly mimeType?: string
  readonly uri?: string
  readonly name?: string
  readonly title?: string
  readonly description?: string
  /** In bytes, as the server says. */
  readonly size?: string
  /** For whom it is and how much it matters, as the server says. */
  readonly audience?: readonly string[]
  readonly priority?: string
}

/** What a result holds. */
export type ResultFacts = {
  /** How many blocks of content. */
  readonly count: number
  readonly hasStructured: boolean
  /** Of a prompt. */
  readonly description?: string
}

/** What is shown of a text at once, in UTF-16 units, and of all texts that come together. */
export const MOST_AT_ONCE = 20_000
const MOST_TOGETHER = 200_000
const LEAST = 500
/** What is shown of a name or an address. */
const SHORT = 2_000

const KINDS: Readonly<Record<string, ContentKind>> = {
  text: 'text',
  image: 'image',
  audio: 'audio',
  resource_link: 'link',
  resource: 'resource',
}

type Place = { readonly node: number; readonly role?: string; readonly isContents?: boolean }

/** The content of one result: of a call, a read, or a prompt, as its own members tell. */
export class ResultContent {
  readonly facts: ResultFacts
  readonly #nodes: JsonNodes
  readonly #places: readonly Place[]

  constructor(nodes: JsonNodes) {
    this.#nodes = nodes
    this.#places = [
      ...this.#blocks(nodes.member(0, 'content')),
      ...this.#items('contents').map((node) => ({ node, isContents: true })),
      ...this.#items('messages').flatMap((node) => this.#message(node)),
    ]
    const description = this.#short(0, 'description')
    this.facts = {
      count: this.#places.length,
      hasStructured: nodes.member(0, 'structuredContent') !== undefined,
      ...(description !== undefined && { description }),
    }
  }

  /** The blocks from one to before another. */
  items(from: number, to: number): ContentItem[] {
    let left = MOST_TOGETHER
    return this.#places.slice(from, to).map((place) => {
      const item = this.#item(place, Math.max(LEAST, Math.min(MOST_AT_ONCE, left)))
      left -= item.text?.text.length ?? 0
      return item
    })
  }

  #items(name: string): number[] {
    const holder = this.#nodes.member(0, name)
    if (holder === undefined || this.#nodes.kinds[holder] !== 'array') return []
    return [...this.#nodes.childrenOf(holder)]
  }

  /** One block, or several of them. */
  #blocks(node: number | undefined, role?: string): Place[] {
    if (node === undefined) return []
    const isMany = this.#nodes.kinds[node] === 'array'
    const blocks = isMany ? [...this.#nodes.childrenOf(node)] : [node]
    return blocks.map((block) => ({ node: block, ...(role !== undefined && { role }) }))
  }

  #message(node: number): Place[] {
    const role = this.#short(node, 'role') ?? ''
    const blocks = this.#blocks(this.#nodes.member(node, 'content'), role)
    return blocks.length > 0 ? blocks : [{ node, role }]
  }

  #item({ node, role, isContents = false }: Place, most: number): ContentItem {
    const type = this.#short(node, 'type') ?? ''
    const kind = isContents ? 'resource' : (KINDS[type] ?? 'other')
    const holder = !isContents && kind === 'resource' ? this.#nodes.member(node, 'resource') : node
    const item = {
      kind,
      node,
      pointer: pointerOf(this.#nodes, node),
      ...(role !== undefined && { role }),
      ...this.#body(holder ?? node, most),
      ...this.#words(holder ?? node),
      ...this.#annotations(node),
    }
    return isComplete(item) ? item : { ...item, kind: 'other' }
  }

  #body(node: number, most: number): Pick<ContentItem, 'text' | 'data'> {
    const data = this.#nodes.member(node, 'data') ?? this.#nodes.member(node, 'blob')
    const text = this.#nodes.member(node, 'text')
    const length = (of: number): number =>
      (this.#nodes.ends[of] ?? 0) - (this.#nodes.starts[of] ?? 0) - 2
    const whole = this.#nodes.stringAt(text)
    return {
      ...(data !== undefined &&
        this.#nodes.kinds[data] === 'string' && { data: { node: data, length: length(data) } }),
      ...(text !== undefined &&
        whole !== undefined && {
          text: {
            text: whole.slice(0, most),
            length: whole.length,
            node: text,
            pointer: pointerOf(this.#nodes, text),
          },
        }),
    }
  }

  #words(node: number): Partial<ContentItem> {
    const names = ['mimeType', 'uri', 'name', 'title', 'description'] as const
    const words = names.map((name) => [name, this.#short(node, name)] as const)
    const size = this.#nodes.member(node, 'size')
    return {
      ...Object.fromEntries(words.filter(([, word]) => word !== undefined)),
      ...(size !== undefined &&
        this.#nodes.kinds[size] === 'number' && { size: this.#nodes.sourceOf(size).slice(0, 20) }),
    }
  }

  #annotations(node: number): Pick<ContentItem, 'audience' | 'priority'> {
    const holder = this.#nodes.member(node, 'annotations')
    const audience = this.#nodes.member(holder, 'audience')
    const priority = this.#nodes.member(holder, 'priority')
    const whom =
      audience === undefined
        ? []
        : [...this.#nodes.childrenOf(audience)]
            .slice(0, 4)
            .flatMap((one) => this.#nodes.stringAt(one)?.slice(0, 40) ?? [])
    return {
      ...(whom.length > 0 && { audience: whom }),
      ...(priority !== undefined &&
        this.#nodes.kinds[priority] === 'number' && {
          priority: this.#nodes.sourceOf(priority).slice(0, 20),
        }),
    }
  }

  #short(node: number, name: string): string | undefined {
    return this.#nodes.stringAt(this.#nodes.member(node, name))?.slice(0, SHORT)
  }
}

/** Whether a block has what its kind needs to be shown as such. */
function isComplete({ kind, text, data, uri }: Omit<ContentItem, 'role'>): boolean {
  switch (kind) {
    case 'text':
      return text !== undefined
    case 'image':
    case 'audio':
      return data !== undefined
    case 'link':
      return uri !== undefined
    case 'resource':
      return text !== undefined || data !== undefined
    case 'other':
      return true
  }
}
