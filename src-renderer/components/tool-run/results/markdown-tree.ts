import type { ReactElement, ReactNode } from 'react'
import { isValidElement } from 'react'
import Markdown from 'react-markdown'

/** What may be drawn of Markdown; everything else is left out, and what is in it stays. */
export const MARKDOWN_TAGS = [
  ...(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote'] as const),
  ...(['pre', 'code', 'em', 'strong', 'hr', 'br', 'a', 'img'] as const),
] as const
export type MarkdownTag = (typeof MARKDOWN_TAGS)[number]

/** A piece of Markdown as data: a text, or a tag with what is in it. Addresses are the writer's own and go nowhere by themselves. */
export type MarkdownNode =
  | string
  | {
      readonly tag: MarkdownTag
      /** Of a link or a picture. */
      readonly address?: string
      /** What stands for a picture. */
      readonly alt?: string
      readonly children: readonly MarkdownNode[]
    }

/** What is made of a text; `isWhole` tells whether all of it fits. */
export type MarkdownTree = { readonly nodes: readonly MarkdownNode[]; readonly isWhole: boolean }

/** Longer texts are not read as Markdown, in UTF-16 units. */
export const MOST_MARKDOWN = 32_000
/** Reading takes time by the square of these signs: a text with more of them is none to read. */
const SIGNS = /[*_[\]]/gu
const MOST_SIGNS = 4_000

const MOST_NODES = 4_000
const MOST_DEPTH = 60

type Props = Readonly<Record<string, unknown>> & { readonly children?: ReactNode }

function isTag(type: unknown): type is MarkdownTag {
  return MARKDOWN_TAGS.some((tag) => tag === type)
}

function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, 2_000) : undefined
}

/** Takes of what the library makes only data. */
class TreeTaker {
  isWhole = true
  #left = MOST_NODES

  take(node: ReactNode, depth: number): MarkdownNode[] {
    if (Array.isArray(node)) return node.flatMap((one: ReactNode) => this.take(one, depth))
    if (typeof node === 'string' || isValidElement(node)) {
      this.#left -= 1
      if (this.#left < 0 || depth > MOST_DEPTH) {
        this.isWhole = false
        return []
      }
      return typeof node === 'string' ? [node] : this.#element(node as ReactElement<Props>, depth)
    }
    return []
  }

  #element({ type, props }: ReactElement<Props>, depth: number): MarkdownNode[] {
    const children = this.take(props.children, depth + 1)
    if (!isTag(type)) return children
    const address = wordOf(props.href ?? props.src)
    const alt = wordOf(props.alt)
    return [
      {
        tag: type,
        ...(address !== undefined && { address }),
        ...(alt !== undefined && { alt }),
        children,
      },
    ]
  }
}

/** Reads Markdown without its HTML; undefined where it is nested too deeply or has too many signs. */
export function markdownTree(text: string): MarkdownTree | undefined {
  if ((text.match(SIGNS)?.length ?? 0) > MOST_SIGNS) return undefined
  try {
    const made: unknown = Markdown({ children: text, urlTransform: (url) => url })
    const taker = new TreeTaker()
    const nodes = isValidElement<Props>(made) ? taker.take(made.props.children, 0) : []
    return { nodes, isWhole: taker.isWhole }
  } catch (error) {
    // The library goes down one call for each level.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
