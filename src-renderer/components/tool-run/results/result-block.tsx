import { Download } from 'lucide-react'
import { type JSX, type ReactNode, useCallback, useState } from 'react'

import { Button } from '../../../ui/controls/button'
import { Skeleton } from '../../../ui/layout/skeleton'
import { Tag } from '../../../ui/marks/tag'
import { formatBytes, formatCount } from '../../../ui/text/format'
import { PlainText } from '../../../ui/text/plain-text'
import { visibleText, writtenOut } from '../../../ui/text/visible-text'
import { JsonView } from '../../json/json-view'
import { usePromised } from '../../json/markdown/use-promised'
import type { Media, MediaType } from '../../json/reading/media'
import type { ContentItem, CutData } from '../../json/reading/result-content'
import { saveLater } from '../../json/text/save-source'
import type { TextSource } from '../../json/text/text-source'
import { endingOf, nameOfAddress } from './file-ending'
import type { HeldResult } from './inner-text'
import { ResultText } from './result-text'

/** Longer data is not read by itself, in letters of base64; it can be saved. */
const MOST_READ = 24 * 1024 * 1024

type ResultMediaProps = HeldResult & {
  readonly data: CutData
  readonly label: string
  /** As the server says. */
  readonly mimeType?: string | undefined
  /** The beginning of the name of a file. */
  readonly fileName: string
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

async function blobOf({ remote, textKey, data }: ResultMediaProps): Promise<Blob> {
  const media = await remote.media(textKey, data.node)
  if (!media) throw new Error('Invalid Base64.')
  return media.blob
}

function SaveButton({
  type,
  ...props
}: ResultMediaProps & { readonly type?: MediaType | undefined }): JSX.Element {
  const { fileName, mimeType } = props
  return (
    <Button
      size="small"
      icon={Download}
      onClick={() => saveLater(fileName, endingOf(type ?? mimeType), blobOf(props))}
    >
      Save to file
    </Button>
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

function Picture({ blob, label }: { readonly blob: Blob; readonly label: string }): JSX.Element {
  const bytes = useBytes(blob)
  const [isBroken, setIsBroken] = useState(false)
  if (isBroken) return <p className="soft small">This image is corrupted.</p>
  return (
    <img
      className="bounded box"
      // A large one is not to hold up the page.
      decoding="async"
      ref={bytes}
      alt={label}
      onError={() => setIsBroken(true)}
    />
  )
}

function Sound({ blob, label }: { readonly blob: Blob; readonly label: string }): JSX.Element {
  const bytes = useBytes(blob)
  const [isBroken, setIsBroken] = useState(false)
  if (isBroken) return <p className="soft small">This audio is corrupted.</p>
  return (
    <audio
      controls
      preload="metadata"
      ref={bytes}
      aria-label={label}
      onError={() => setIsBroken(true)}
    />
  )
}

function Shown({
  media,
  label,
}: {
  readonly media: Media
  readonly label: string
}): JSX.Element | null {
  const { type, blob, obstacle } = media
  if (type === undefined || obstacle !== undefined) return null
  return type.startsWith('image/') ? (
    <Picture blob={blob} label={label} />
  ) : (
    <Sound blob={blob} label={label} />
  )
}

function Read(props: ResultMediaProps): JSX.Element {
  const { remote, textKey, data, label, mimeType } = props
  const read = usePromised(async () => ({ media: await remote.media(textKey, data.node) }))
  if (read === undefined) return <Skeleton label={`Loading ${label}`} rows={1} />
  if (read instanceof Error) return <p className="soft small">{read.message}</p>
  const { media } = read
  if (!media)
    return (
      <p className="soft small">
        The server declared {visibleText(mimeType ?? 'data')}, but the Base64 is invalid. The JSON
        shows the original text.
      </p>
    )
  const why = unshownWords(media, mimeType)
  return (
    <>
      <Shown media={media} label={label} />
      {why !== undefined && <p className="soft small">{why}</p>}
      <div className="result-acts row wrap gap-2">
        <span className="soft small">{mediaWords(media, mimeType)}</span>
        <SaveButton {...props} type={media.type} />
      </div>
    </>
  )
}

/** Pictures and sounds of a result by what their bytes are; all other data as a file to be saved. */
function ResultMedia(props: ResultMediaProps): JSX.Element {
  const { data, mimeType } = props
  if (data.length <= MOST_READ) return <Read {...props} />
  return (
    <div className="result-acts row wrap gap-2">
      <span className="soft small">
        {visibleText(mimeType ?? 'Data')}, {formatBytes((data.length * 3) / 4)}. Too large to show.
      </span>
      <SaveButton {...props} />
    </div>
  )
}

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
