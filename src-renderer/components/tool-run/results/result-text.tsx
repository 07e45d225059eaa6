import { Copy, Download } from 'lucide-react'
import { type ComponentProps, type JSX, type ReactElement, useMemo, useState } from 'react'
import Markdown from 'react-markdown'

import { IconButton } from '../../../ui/controls/button'
import { Segmented } from '../../../ui/controls/choice'
import { ScrollRegion } from '../../../ui/layout/page'
import { ExternalLink } from '../../../ui/overlays/external-link'
import { copyText } from '../../../ui/saving/copy-text'
import { fileName, saveText } from '../../../ui/saving/save-text'
import { formatCount } from '../../../ui/text/format'
import { safeLink } from '../../../ui/text/safe-link'
import { escapeInvisible, visibleText } from '../../../ui/text/untrusted-text'
import { JsonView } from '../../json/json-view'
import { LongText, MAX_TEXT_LENGTH } from '../../json/long-text'
import { endingOf } from './file-ending'

/** A link that shows its address before it opens. A link that is not https is text with its address. */
function SafeLink({ href: address = '', children }: ComponentProps<'a'>): JSX.Element {
  const url = safeLink(address)
  return (
    <span>
      {url ? <ExternalLink url={url} text={children} writer="The server" /> : children}{' '}
      <code className="wrap-anywhere text-muted">({escapeInvisible(address)})</code>
    </span>
  )
}

/** An image's alternative text and address; images are never fetched. */
function ImagePlaceholder({ src: address = '', alt = '' }: ComponentProps<'img'>): JSX.Element {
  return (
    <span className="text-muted">
      Image{alt === '' ? '' : `: ${visibleText(alt)}`}{' '}
      <code className="wrap-anywhere text-muted">({escapeInvisible(address)})</code>
    </span>
  )
}

function Code({ children }: ComponentProps<'pre'>): JSX.Element {
  return (
    <pre className="bg-inset" tabIndex={0} role="region" aria-label="Code">
      {children}
    </pre>
  )
}

/** A server's text as Markdown: no HTML, nothing fetched, links with their address. Shows at most `MAX_MARKDOWN`. */
function ResultMarkdown(props: { readonly text: string; readonly label: string }): JSX.Element {
  const { text, label } = props
  const read = useMemo(() => readMarkdown(text), [text])
  if (!read)
    return (
      <>
        <p className="text-small text-muted">Too much Markdown to render, shown as text.</p>
        <LongText text={text} label={label} />
      </>
    )
  return (
    <>
      <ScrollRegion
        className="bounded grid gap-2 rounded-lg border border-line px-3 py-2 wrap-anywhere *:min-w-0"
        label={label}
        dir="auto"
      >
        {read.element}
      </ScrollRegion>
      {!read.isWhole && (
        <p className="text-small text-muted">
          Some parts are too large or nested too deeply to show.
        </p>
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

function isJsonType(mimeType = ''): boolean {
  return /[/+]json\b/iu.test(mimeType)
}

/** Whether a text starts like a JSON object or array. */
export function looksLikeJson(text: string): boolean {
  return /^\s*(?:\{\s*["}]|\[\s*[[{"\d\]tfn-])/u.test(text.slice(0, 1_000))
}

const FIRST = 20_000

/** A text of a result: plain, as Markdown, or as a tree if it is JSON. */
export function ResultText(props: {
  readonly text: string
  readonly label: string
  readonly mimeType?: string | undefined
  /** Whether JSON appears as a tree at first. */
  readonly isJsonFirst?: boolean
}): JSX.Element {
  const { text, label, mimeType, isJsonFirst = false } = props
  const canBeJson = isJsonType(mimeType) || looksLikeJson(text)
  const [shape, setShape] = useState<Shape>(canBeJson && isJsonFirst ? 'json' : 'plain')
  const [limit, setLimit] = useState(FIRST)
  const drawn = text.slice(0, shape === 'markdown' ? Math.min(limit, MAX_MARKDOWN) : limit)
  const shapes: readonly Shape[] = canBeJson ? ['plain', 'markdown', 'json'] : ['plain', 'markdown']
  return (
    <div className="result-text grid min-w-0 gap-2">
      <div className="result-acts flex flex-wrap items-center gap-2">
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
      {shape === 'json' && <JsonView text={text} label={label} isSavable={false} />}
      {shape === 'markdown' && <ResultMarkdown text={drawn} label={label} />}
      {shape === 'plain' && <LongText text={drawn} label={label} />}
      {shape !== 'json' && drawn.length < text.length && (
        <p className="text-small text-muted">
          Showing {formatCount(drawn.length)} of {formatCount(text.length)} characters.{' '}
          {limit === FIRST ? (
            <button
              type="button"
              className="text-button bare text-accent"
              onClick={() => setLimit(MAX_TEXT_LENGTH)}
            >
              Show more
            </button>
          ) : (
            'Save to a file to see everything.'
          )}
        </p>
      )}
    </div>
  )
}

/** Returns the file extension of a text; types without their own, such as HTML, are saved as plain text. */
function textEnding(mimeType: string | undefined): string {
  const ending = endingOf(mimeType)
  return ['json', 'md', 'csv'].includes(ending) ? ending : 'txt'
}

/** Markdown tags to draw. Any other tag is dropped and its content kept. */
export const MARKDOWN_TAGS: readonly string[] = [
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote'],
  ...['pre', 'code', 'em', 'strong', 'hr', 'br', 'a', 'img'],
]

/** Headings of a result rank below those of the page. */
const LOWER: Readonly<Record<string, string>> = { h1: 'h4', h2: 'h4', h3: 'h5', h4: 'h5', h5: 'h6' }

const TAG_CLASSES: Readonly<Record<string, string>> = {
  ul: 'marked',
  ol: 'marked',
  blockquote: 'border-s-2 border-line-strong ps-3 text-muted',
}

/** Maximum length of a text to parse as Markdown, in UTF-16 units. */
const MAX_MARKDOWN = 32_000
/** Parsing time grows with the square of these characters: a text with more of them is not parsed. */
const SIGNS = /[*_[\]]/gu
const MAX_SIGNS = 4_000

const MAX_NODES = 4_000
const MAX_DEPTH = 60

/** A Markdown node of the library (hast). */
type Node = {
  readonly type: string
  readonly value?: string
  readonly tagName?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly children?: readonly Node[]
}

function attributeText(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, 2_000) : undefined
}

/** Returns the drawable form of a node: known tags with their addresses, text with invisible characters escaped, HTML as text. */
function drawable({ value = '', tagName, properties = {} }: Node, children: Node[]): Node[] {
  if (tagName === undefined) return [{ type: 'text', value: visibleText(value) }]
  if (!MARKDOWN_TAGS.includes(tagName)) return children
  const [href, src, alt] = [properties.href, properties.src, properties.alt].map(attributeText)
  const kept = { href, src, alt, className: TAG_CLASSES[tagName] }
  return [{ type: 'element', tagName: LOWER[tagName] ?? tagName, properties: kept, children }]
}

/**
 * Parses Markdown without HTML; undefined if it is nested too deeply or has too many markup characters. `isWhole` is false if the output is
 * cut.
 */
export function readMarkdown(
  text: string,
): { readonly element: ReactElement; readonly isWhole: boolean } | undefined {
  if ((text.match(SIGNS)?.length ?? 0) > MAX_SIGNS) return undefined
  let remaining = MAX_NODES
  let isWhole = true
  const bounded = (node: Node, depth: number): Node[] => {
    remaining -= 1
    if (remaining >= 0 && depth <= MAX_DEPTH)
      return drawable(node, node.children?.flatMap((one) => bounded(one, depth + 1)) ?? [])
    isWhole = false
    return []
  }
  const cut = (root: { readonly children: readonly Node[] }) => ({
    ...root,
    children: root.children.flatMap((node) => bounded(node, 0)),
  })
  try {
    const element = Markdown({
      children: text,
      components: { a: SafeLink, img: ImagePlaceholder, pre: Code },
      rehypePlugins: [() => cut],
      urlTransform: (url) => url,
    })
    return { element, isWhole }
  } catch (error) {
    // The library recurses once for each level.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
