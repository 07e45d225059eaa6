import type { JSX, ReactNode } from 'react'
import { createElement } from 'react'

import { Skeleton } from '../../../ui/layout/skeleton'
import { ExternalLink } from '../../../ui/overlays/external-link'
import { safeLink } from '../../../ui/text/safe-link'
import { visibleText, writtenOut } from '../../../ui/text/visible-text'
import { LongText } from '../../json/long-text'
import type { MarkdownNode, MarkdownTag } from '../../json/markdown/markdown-tree'
import { useMarkdown } from '../../json/markdown/use-markdown'

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
export function ResultMarkdown({
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
