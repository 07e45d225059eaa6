import type { JSX, ReactNode } from 'react'

import { Button } from '../../../ui/controls/button'
import { Tag } from '../../../ui/marks/tag'
import { formatBytes } from '../../../ui/text/format'
import { PlainText } from '../../../ui/text/plain-text'
import { writtenOut } from '../../../ui/text/visible-text'
import { JsonView } from '../../json/json-view'
import type { ContentItem } from '../../json/reading/result-content'
import type { TextSource } from '../../json/text/text-source'
import { nameOfAddress } from './file-ending'
import type { HeldResult } from './inner-text'
import { ResultMedia } from './result-media'
import { ResultText } from './result-text'

export type ResultBlockProps = HeldResult & {
  readonly source: TextSource
  readonly item: ContentItem
  /** Its place among all blocks, from 1. */
  readonly number: number
  readonly onOpenResource?: ((uri: string) => void) | undefined
}

const KINDS = {
  text: 'Text',
  image: 'Image',
  audio: 'Audio',
  link: 'Resource link',
  resource: 'Resource',
  other: 'Other content',
} as const

/** What a block is called: "Text 1", "Picture 2". */
function blockLabel({ kind }: Pick<ContentItem, 'kind'>, number: number): string {
  return `${KINDS[kind]} ${number}`
}

function bytesWords(size: string): string {
  const bytes = Number(size)
  return Number.isFinite(bytes) && bytes >= 0 ? formatBytes(bytes) : size
}

function Facts({ item }: { readonly item: ContentItem }): JSX.Element {
  const { mimeType, size, audience, priority } = item
  return (
    <>
      {mimeType !== undefined && <Tag>{writtenOut(mimeType.slice(0, 80))}</Tag>}
      {size !== undefined && <Tag>{bytesWords(size)}</Tag>}
      {audience !== undefined && <Tag>for {writtenOut(audience.join(', '))}</Tag>}
      {priority !== undefined && <Tag>priority {priority}</Tag>}
    </>
  )
}

function Named({
  item,
  onOpenResource,
}: Pick<ResultBlockProps, 'item' | 'onOpenResource'>): JSX.Element {
  const { uri, name, title, description, kind } = item
  return (
    <>
      {(title ?? name) !== undefined && (
        <p className="medium ink">{writtenOut(title ?? name ?? '')}</p>
      )}
      {uri !== undefined && <code className="soft break">{writtenOut(uri)}</code>}
      {description !== undefined && <PlainText text={description} />}
      {kind === 'link' && uri !== undefined && onOpenResource && (
        <div>
          <Button size="small" onClick={() => onOpenResource(uri)}>
            {' '}
            Read
          </Button>
        </div>
      )}
    </>
  )
}

function Body({ source, item, number, ...held }: ResultBlockProps): ReactNode {
  const { kind, text, data, mimeType, uri, pointer } = item
  const label = blockLabel(item, number)
  if (kind === 'link') return null
  if (kind === 'other') return <JsonView source={source} pointer={pointer} label={label} />
  const isResource = kind === 'resource'
  if (text)
    return (
      <ResultText
        {...held}
        text={text}
        label={label}
        mimeType={mimeType}
        isJsonFirst={isResource}
      />
    )
  const fileName = (uri === undefined ? '' : nameOfAddress(uri)) || label
  return (
    data && (
      <ResultMedia {...held} data={data} label={label} mimeType={mimeType} fileName={fileName} />
    )
  )
}

/** One block of content by its kind, with what the server says of it. */
export function ResultBlock(props: ResultBlockProps): JSX.Element {
  const { item, number } = props
  return (
    <article
      className="result-block pad-3 stack gap-2 slim box"
      aria-label={blockLabel(item, number)}
    >
      <header className="result-head row wrap gap-2">
        <h3 className="small medium soft">{blockLabel(item, number)}</h3>
        <Facts item={item} />
      </header>
      <Named {...props} />
      <Body {...props} />
    </article>
  )
}
