import { Copy, Download } from 'lucide-react'
import {
  createElement,
  isValidElement,
  type JSX,
  type ReactElement,
  type ReactNode,
  useMemo,
  useState,
} from 'react'
import Markdown from 'react-markdown'

import { IconButton } from '../../../ui/controls/icon-button'
import { Segmented } from '../../../ui/controls/segmented'
import { ExternalLink } from '../../../ui/overlays/external-link'
import { copyText } from '../../../ui/saving/copy-text'
import { fileName, saveText } from '../../../ui/saving/save-text'
import { formatCount } from '../../../ui/text/format'
import { safeLink } from '../../../ui/text/safe-link'
import { visibleText, writtenOut } from '../../../ui/text/visible-text'
import { JsonView } from '../../json/json-view'
import { LongText, MOST_TEXT } from '../../json/long-text'
import { endingOf } from './file-ending'

type Element = Exclude<MarkdownNode, string>

/** Headings of a result stand below those of the page. */
const LOWER: Readonly<Partial<Record<MarkdownTag, string>>> = {
  h1: 'h4',
  h2: 'h4',
  h3: 'h5',
  h4: 'h5',
  h5: 'h6',
}

const LOOK: Readonly<Partial<Record<MarkdownTag, string>>> = {
  pre: 'well',
  ul: 'marked',
  ol: 'marked',
  blockquote: 'quoted soft',
}

/** A link opens once its address was shown; one that is not https stands there with its address. */
function SafeLink({ address = '', children }: Element): JSX.Element {
  const url = safeLink(address)
  const inside = <Nodes nodes={children} />
  return (
    <span>
      {url ? <ExternalLink url={url} text={inside} writer="The server" /> : inside}{' '}
      <code className="soft break">({writtenOut(address)})</code>
    </span>
  )
}

/** Pictures are never fetched: what stands for one and its address are shown. */
function UnseenPicture({ address = '', alt = '' }: Element): JSX.Element {
  return (
    <span className="soft">
      Image{alt === '' ? '' : `: ${visibleText(alt)}`}{' '}
      <code className="soft break">({writtenOut(address)})</code>
    </span>
  )
}

function drawn(node: Element): ReactNode {
  const { tag, children } = node
  if (tag === 'a') return <SafeLink {...node} />
  if (tag === 'img') return <UnseenPicture {...node} />
  if (tag === 'hr' || tag === 'br') return createElement(tag)
  const reached = tag === 'pre' && { tabIndex: 0, role: 'region', 'aria-label': 'Code' }
  const looks = { className: LOOK[tag], ...reached }
  return createElement(LOWER[tag] ?? tag, looks, <Nodes nodes={children} />)
}

function Nodes({ nodes }: { readonly nodes: readonly MarkdownNode[] }): JSX.Element {
  return (
    <>
      {nodes.map((node, index) => (
        <Piece key={index} node={node} />
      ))}
    </>
  )
}

function Piece({ node }: { readonly node: MarkdownNode }): ReactNode {
  return typeof node === 'string' ? visibleText(node) : drawn(node)
}

/** A text of a server as Markdown: no HTML, nothing fetched, links by their address. At most `MOST_MARKDOWN` long. */
function ResultMarkdown({
  text,
  label,
}: {
  readonly text: string
  readonly label: string
}): JSX.Element {
  const read = useMemo(() => markdownTree(text), [text])
  if (!read)
    return (
      <>
        <p className="soft small">Too much Markdown to render, shown as text.</p>
        <LongText text={text} label={label} />
      </>
    )
  return (
    <>
      <div
        className="bounded slim-parts stack gap-2 pad-row box break scroll"
        tabIndex={0}
        role="region"
        aria-label={label}
        dir="auto"
      >
        <Nodes nodes={read.nodes} />
      </div>
      {!read.isWhole && (
        <p className="soft small">Some parts are too large or nested too deeply to show.</p>
      )}
    </>
  )
}

type Shape = 'plain' | 'markdown' | 'json'

const LABELS: Readonly<Record<Shape, string>> = {
  plain: 'Text',
  markdown: 'Markdown',
  json: 'JSON',
}

type ResultTextProps = {
  readonly text: string
  readonly label: string
  readonly mimeType?: string | undefined
  /** Whether JSON is shown as a tree at once. */
  readonly isJsonFirst?: boolean
}

function isJsonType(mimeType = ''): boolean {
  return /[/+]json\b/iu.test(mimeType)
}

/** Whether a text looks like an object or array of JSON, by how it begins. */
export function looksLikeJson(text: string): boolean {
  return /^\s*(?:\{\s*["}]|\[\s*[[{"\d\]tfn-])/u.test(text.slice(0, 1_000))
}

/** What is shown of a text at first, in UTF-16 units. */
const FIRST = 20_000

/** How much of a text is shown, where that is not all: with the ways to the rest. */
function Rest({
  shown,
  length,
  readMore,
}: {
  readonly shown: number
  readonly length: number
  readonly readMore: (() => void) | undefined
}): JSX.Element | null {
  if (shown >= length) return null
  return (
    <p className="soft small">
      Showing {formatCount(shown)} of {formatCount(length)} characters.{' '}
      {readMore ? (
        <button type="button" className="text-button accent bare" onClick={readMore}>
          Show more
        </button>
      ) : (
        'Save to a file to see everything.'
      )}
    </p>
  )
}

function Body({
  shape,
  text,
  label,
}: Pick<ResultTextProps, 'text' | 'label'> & { readonly shape: Shape }): JSX.Element {
  const [most, setMost] = useState(FIRST)
  if (shape === 'json') return <JsonView text={text} label={label} isSavable={false} />
  const drawn = text.slice(0, shape === 'markdown' ? Math.min(most, MOST_MARKDOWN) : most)
  return (
    <>
      {shape === 'markdown' ? (
        <ResultMarkdown text={drawn} label={label} />
      ) : (
        <LongText text={drawn} label={label} />
      )}
      <Rest
        shown={drawn.length}
        length={text.length}
        readMore={most === FIRST ? () => setMost(MOST_TEXT) : undefined}
      />
    </>
  )
}

/** A text of a result: as it is, as Markdown, or as a tree where it is JSON. */
export function ResultText(props: ResultTextProps): JSX.Element {
  const { text, label, mimeType, isJsonFirst = false } = props
  const canBeJson = isJsonType(mimeType) || looksLikeJson(text)
  const [shape, setShape] = useState<Shape>(canBeJson && isJsonFirst ? 'json' : 'plain')
  const shapes: readonly Shape[] = canBeJson ? ['plain', 'markdown', 'json'] : ['plain', 'markdown']
  return (
    <div className="result-text stack gap-2 slim">
      <div className="result-acts row wrap gap-2">
        <Segmented
          label={`View of ${label}`}
          value={shape}
          onValueChange={setShape}
          options={shapes.map((value) => ({ value, label: LABELS[value] }))}
        />
        <IconButton
          small
          icon={Copy}
          label="Copy text"
          onClick={() => copyText(text, 'Text copied.')}
        />
        <IconButton
          small
          icon={Download}
          label="Save text to file"
          onClick={() => saveText(fileName(label, Date.now(), textEnding(mimeType)), text)}
        />
      </div>
      <Body {...{ shape, text, label }} />
    </div>
  )
}

/** Texts of a kind without an ending of its own, such as HTML, are saved as plain text. */
function textEnding(mimeType: string | undefined): string {
  const ending = endingOf(mimeType)
  return ['json', 'md', 'csv'].includes(ending) ? ending : 'txt'
}

/** What may be drawn of Markdown; everything else is left out, and what is in it stays. */
export const MARKDOWN_TAGS = [
  ...(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote'] as const),
  ...(['pre', 'code', 'em', 'strong', 'hr', 'br', 'a', 'img'] as const),
] as const
type MarkdownTag = (typeof MARKDOWN_TAGS)[number]

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
type MarkdownTree = { readonly nodes: readonly MarkdownNode[]; readonly isWhole: boolean }

/** Longer texts are not read as Markdown, in UTF-16 units. */
const MOST_MARKDOWN = 32_000
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
