import { Copy, Download } from 'lucide-react'
import { createElement, type JSX, type ReactNode, useState } from 'react'

import { tellFailure } from '../../../ipc/tell-failure'
import { IconButton } from '../../../ui/controls/icon-button'
import { Segmented } from '../../../ui/controls/segmented'
import { Skeleton } from '../../../ui/layout/skeleton'
import { ExternalLink } from '../../../ui/overlays/external-link'
import { copyText } from '../../../ui/saving/copy-text'
import { formatCount } from '../../../ui/text/format'
import { safeLink } from '../../../ui/text/safe-link'
import { visibleText, writtenOut } from '../../../ui/text/visible-text'
import { JsonView } from '../../json/json-view'
import { LongText, MOST_TEXT } from '../../json/long-text'
import { MOST_MARKDOWN } from '../../json/markdown/markdown-limit'
import type { MarkdownNode, MarkdownTag } from '../../json/markdown/markdown-tree'
import { useMarkdown } from '../../json/markdown/use-markdown'
import type { CutText } from '../../json/reading/result-content'
import { saveSource } from '../../json/text/save-source'
import { endingOf } from './file-ending'
import { type HeldResult, innerText, looksLikeJson } from './inner-text'

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
  const read = useMarkdown(text)
  if (read === undefined) return <Skeleton label={`Loading ${label} as Markdown`} rows={2} />
  if (read === 'unreadable')
    return (
      <>
        <p className="soft small">
          Rendering the Markdown takes too long, so this is shown as text.
        </p>
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

export type ResultTextProps = HeldResult & {
  readonly text: CutText
  readonly label: string
  readonly mimeType?: string | undefined
  /** Whether JSON is shown as a tree at once. */
  readonly isJsonFirst?: boolean
}

function isJsonType(mimeType = ''): boolean {
  return /[/+]json\b/iu.test(mimeType)
}

/** What of a text is read, and the way to more of it. */
function useMore({ remote, textKey, text }: ResultTextProps): {
  readonly shown: string
  readonly readMore: (() => void) | undefined
} {
  const [whole, setWhole] = useState<string | undefined>(undefined)
  const { text: first, length, node } = text
  const readMore = (): void => {
    remote.stringPart(textKey, node, 0, MOST_TEXT).then((part) => setWhole(part.text), tellFailure)
  }
  const isMore = whole === undefined && first.length < length
  return { shown: whole ?? first, readMore: isMore ? readMore : undefined }
}

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

function Body({ shape, ...props }: ResultTextProps & { readonly shape: Shape }): JSX.Element {
  const { text, label } = props
  const { shown, readMore } = useMore(props)
  if (shape === 'json')
    return <JsonView source={innerText(props, text)} label={label} isSavable={false} />
  const drawn = shape === 'markdown' ? shown.slice(0, MOST_MARKDOWN) : shown
  return (
    <>
      {shape === 'markdown' ? (
        <ResultMarkdown text={drawn} label={label} />
      ) : (
        <LongText text={drawn} label={label} />
      )}
      <Rest shown={drawn.length} length={text.length} readMore={readMore} />
    </>
  )
}

/** A text of a result: as it is, as Markdown, or as a tree where it is JSON. */
export function ResultText(props: ResultTextProps): JSX.Element {
  const { text, label, mimeType, isJsonFirst = false } = props
  const canBeJson = isJsonType(mimeType) || looksLikeJson(text.text)
  const [shape, setShape] = useState<Shape>(canBeJson && isJsonFirst ? 'json' : 'plain')
  const shapes: readonly Shape[] = canBeJson ? ['plain', 'markdown', 'json'] : ['plain', 'markdown']
  const source = innerText(props, text)
  const isWhole = text.text.length >= text.length
  return (
    <div className="result-text stack gap-2 slim">
      <div className="result-acts row wrap gap-2">
        <Segmented
          label={`View of ${label}`}
          value={shape}
          onValueChange={setShape}
          options={shapes.map((value) => ({ value, label: LABELS[value] }))}
        />
        {isWhole && (
          <IconButton
            small
            icon={Copy}
            label="Copy text"
            onClick={() => copyText(text.text, 'Text copied.')}
          />
        )}
        <IconButton
          small
          icon={Download}
          label="Save text to file"
          onClick={() =>
            saveSource(label, mimeType === undefined ? 'txt' : textEnding(mimeType), source)
          }
        />
      </div>
      <Body {...props} shape={shape} />
    </div>
  )
}

/** Texts of a kind without an ending of its own, such as HTML, are saved as plain text. */
function textEnding(mimeType: string): string {
  const ending = endingOf(mimeType)
  return ['json', 'md', 'csv'].includes(ending) ? ending : 'txt'
}
