import { Download } from 'lucide-react'
import { type JSX, type ReactNode, useCallback, useMemo, useState } from 'react'

import { Button } from '../../../ui/controls/button'
import { Tag } from '../../../ui/marks/tag'
import { fileName, saveBlob } from '../../../ui/saving/save-text'
import { formatBytes, formatCount } from '../../../ui/text/format'
import { PlainText } from '../../../ui/text/plain-text'
import { visibleText, writtenOut } from '../../../ui/text/visible-text'
import { JsonView } from '../../json/json-view'
import { endingOf, nameOfAddress } from './file-ending'
import { type Media, readMedia } from './media'
import type { ContentItem } from './result-content'
import { ResultText } from './result-text'

type ResultMediaProps = {
  /** Base64. */
  readonly data: string
  readonly label: string
  /** As the server says. */
  readonly mimeType?: string | undefined
  /** The beginning of the name of a file. */
  readonly savedAs: string
}

/** Gives an element the address of bytes that this page holds, for as long as it stands. */
function useBytes(blob: Blob): (element: HTMLImageElement | HTMLAudioElement | null) => () => void {
  return useCallback(
    (element) => {
      const address = URL.createObjectURL(blob)
      if (element) element.src = address
      return () => URL.revokeObjectURL(address)
    },
    [blob],
  )
}

/** What data is, in words: "image/png, 640 × 480 pixels, 12 KB". */
function mediaWords({ type, size, bytes }: Media, mimeType: string | undefined): string {
  const kind = type ?? (mimeType === undefined ? 'Unknown data type' : visibleText(mimeType))
  const pixels = size && `${formatCount(size.width)} × ${formatCount(size.height)} pixels`
  return [kind, pixels, formatBytes(bytes)].filter(Boolean).join(', ')
}

/** Why data is not shown; undefined where it is. */
function unshownWords(media: Media, mimeType: string | undefined): string | undefined {
  const { type, obstacle } = media
  if (obstacle === 'tooLarge') return 'This image is too large to show.'
  if (obstacle === 'unmeasured') return 'This image is corrupted. Can’t read its size.'
  if (type !== undefined) return undefined
  if (/svg/iu.test(mimeType ?? ''))
    return 'SVG images aren’t shown because they can contain scripts and links.'
  return /^(?:image|audio)\//iu.test(mimeType ?? '')
    ? `Unsupported ${mimeType?.startsWith('audio') === true ? 'audio' : 'image'} format.`
    : undefined
}

/** A picture or a sound, where its data can be shown. */
function Shown({
  media: { type, blob, obstacle },
  label,
}: {
  readonly media: Media
  readonly label: string
}): JSX.Element | null {
  const bytes = useBytes(blob)
  const [isBroken, setIsBroken] = useState(false)
  if (type === undefined || obstacle !== undefined) return null
  const isPicture = type.startsWith('image/')
  if (isBroken)
    return <p className="soft small">{`This ${isPicture ? 'image' : 'audio'} is corrupted.`}</p>
  const common = { ref: bytes, onError: () => setIsBroken(true) }
  return isPicture ? (
    // A large one is not to hold up the page.
    <img {...common} className="bounded box" decoding="async" alt={label} />
  ) : (
    <audio {...common} controls preload="metadata" aria-label={label} />
  )
}

/** Pictures and sounds of a result by what their bytes are; all other data as a file to be saved. */
function ResultMedia({ data, label, mimeType, savedAs }: ResultMediaProps): JSX.Element {
  const media = useMemo(() => readMedia(data), [data])
  if (!media)
    return (
      <p className="soft small">
        The server declared {visibleText(mimeType ?? 'data')}, but the Base64 is invalid. The JSON
        shows the original text.
      </p>
    )
  const why = unshownWords(media, mimeType)
  const save = (): void =>
    saveBlob(fileName(savedAs, Date.now(), endingOf(media.type ?? mimeType)), media.blob)
  return (
    <>
      <Shown media={media} label={label} />
      {why !== undefined && <p className="soft small">{why}</p>}
      <div className="result-acts row wrap gap-2">
        <span className="soft small">{mediaWords(media, mimeType)}</span>
        <Button size="small" icon={Download} onClick={save}>
          Save to file
        </Button>
      </div>
    </>
  )
}

type ResultBlockProps = {
  /** The whole result. */
  readonly result: string
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

function Body({ result, item, number }: ResultBlockProps): ReactNode {
  const { kind, text, data, mimeType, uri, pointer } = item
  const label = blockLabel(item, number)
  if (kind === 'link') return null
  if (kind === 'other') return <JsonView text={result} pointer={pointer} label={label} />
  const isResource = kind === 'resource'
  if (text !== undefined)
    return <ResultText {...{ text, label, mimeType }} isJsonFirst={isResource} />
  const savedAs = (uri === undefined ? '' : nameOfAddress(uri)) || label
  return data !== undefined && <ResultMedia {...{ data, label, mimeType, savedAs }} />
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
