import './result.css'

import { Download } from 'lucide-react'
import { Fragment, type JSX, type ReactNode, useCallback, useMemo, useState } from 'react'

import type { ToolRun, ToolRunOutcome } from '../../../../src-shared/domain/agents/tool-run'
import { Button } from '../../../ui/controls/button'
import { Segmented } from '../../../ui/controls/choice'
import { Banner } from '../../../ui/layout/page'
import { Tag } from '../../../ui/marks/tag'
import { fileName, saveBlob } from '../../../ui/saving/save-text'
import { counted, formatBytes, formatCount, problemText } from '../../../ui/text/format'
import { PlainText } from '../../../ui/text/plain-text'
import { escapeInvisible, visibleText } from '../../../ui/text/untrusted-text'
import { JsonView, WithText } from '../../json/json-view'
import { toolRunText } from '../../json/text-source'
import { endingOf, nameOfAddress } from './file-ending'
import { type Media, readMedia } from './media'
import { type ContentItem, readContent, type ResultContent } from './result-content'
import { ResultText } from './result-text'

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

/** Returns the description of data: "image/png, 640 × 480 pixels, 12 KB". */
function mediaLabel({ type, size, bytes }: Media, mimeType: string | undefined): string {
  const kind = type ?? (mimeType === undefined ? 'Unknown data type' : visibleText(mimeType))
  const pixels = size && `${formatCount(size.width)} × ${formatCount(size.height)} pixels`
  return [kind, pixels, formatBytes(bytes)].filter(Boolean).join(', ')
}

/** Returns why data is not shown; undefined if it is shown. */
function notShownMessage(media: Media, mimeType: string | undefined): string | undefined {
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

function Shown(props: { readonly media: Media; readonly label: string }): JSX.Element | null {
  const { media, label } = props
  const { type, blob, obstacle } = media
  const bytes = useBytes(blob)
  const [isBroken, setIsBroken] = useState(false)
  if (type === undefined || obstacle !== undefined) return null
  const isPicture = type.startsWith('image/')
  if (isBroken)
    return (
      <p className="text-small text-muted">{`This ${isPicture ? 'image' : 'audio'} is corrupted.`}</p>
    )
  const common = { ref: bytes, onError: () => setIsBroken(true) }
  return isPicture ? (
    // Asynchronous decoding keeps a large image from blocking the page.
    <img
      {...common}
      className="bounded rounded-lg border border-line"
      decoding="async"
      alt={label}
    />
  ) : (
    <audio {...common} controls preload="metadata" aria-label={label} />
  )
}

/** Images and audio of a result by their bytes; any other data as a file to save. */
function ResultMedia(props: {
  /** Base64. */
  readonly data: string
  readonly label: string
  /** MIME type reported by the server. */
  readonly mimeType?: string | undefined
  /** Start of the file name. */
  readonly savedAs: string
}): JSX.Element {
  const { data, label, mimeType, savedAs } = props
  const media = useMemo(() => readMedia(data), [data])
  if (!media)
    return (
      <p className="text-small text-muted">
        The server declared {visibleText(mimeType ?? 'data')}, but the Base64 is invalid. The JSON
        shows the original text.
      </p>
    )
  const why = notShownMessage(media, mimeType)
  const save = (): void =>
    saveBlob(fileName(savedAs, Date.now(), endingOf(media.type ?? mimeType)), media.blob)
  return (
    <>
      <Shown media={media} label={label} />
      {why !== undefined && <p className="text-small text-muted">{why}</p>}
      <div className="result-acts flex flex-wrap items-center gap-2">
        <span className="text-small text-muted">{mediaLabel(media, mimeType)}</span>
        <Button size="small" icon={Download} onClick={save}>
          Save to file
        </Button>
      </div>
    </>
  )
}

type ResultBlockProps = {
  readonly result: string
  readonly item: ContentItem
  /** Position among all blocks, from 1. */
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

/** Returns the label of a block: "Text 1", "Picture 2". */
function blockLabel({ kind }: Pick<ContentItem, 'kind'>, number: number): string {
  return `${KINDS[kind]} ${number}`
}

function byteCountText(size: string): string {
  const bytes = Number(size)
  return Number.isFinite(bytes) && bytes >= 0 ? formatBytes(bytes) : size
}

function Block({ result, item, number }: ResultBlockProps): ReactNode {
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

function ResultBlock(props: ResultBlockProps): JSX.Element {
  const { item, number, onOpenResource } = props
  const { kind, uri, name, title, description, mimeType, size, audience, priority } = item
  return (
    <article
      className="result-block grid min-w-0 gap-2 rounded-lg border border-line p-3"
      aria-label={blockLabel(item, number)}
    >
      <header className="result-head flex flex-wrap items-center gap-2">
        <h3 className="text-small font-medium text-muted">{blockLabel(item, number)}</h3>
        {mimeType !== undefined && <Tag>{escapeInvisible(mimeType.slice(0, 80))}</Tag>}
        {size !== undefined && <Tag>{byteCountText(size)}</Tag>}
        {audience !== undefined && <Tag>for {escapeInvisible(audience.join(', '))}</Tag>}
        {priority !== undefined && <Tag>priority {priority}</Tag>}
      </header>
      {(title ?? name) !== undefined && (
        <p className="font-medium text-foreground">{escapeInvisible(title ?? name ?? '')}</p>
      )}
      {uri !== undefined && (
        <code className="wrap-anywhere text-muted">{escapeInvisible(uri)}</code>
      )}
      {description !== undefined && <PlainText text={description} />}
      {kind === 'link' && uri !== undefined && onOpenResource && (
        <div>
          <Button size="small" onClick={() => onOpenResource(uri)}>
            Read
          </Button>
        </div>
      )}
      <Block {...props} />
    </article>
  )
}

const STEP = 25

function roleLabel(role: string): string {
  if (role === 'user') return 'User'
  if (role === 'assistant') return 'Assistant'
  return role === '' ? 'Unknown role' : escapeInvisible(role.slice(0, 80))
}

function ResultBlocks(props: {
  readonly text: string
  readonly content: ResultContent
  readonly onOpenResource?: ((uri: string) => void) | undefined
}): JSX.Element {
  const { text, content, onOpenResource } = props
  const { items, description } = content
  const [shown, setShown] = useState(STEP)
  const remaining = items.length - shown
  if (items.length === 0) return <p className="text-small text-muted">Empty result</p>
  return (
    <>
      {description !== undefined && <PlainText text={description} />}
      {items.slice(0, shown).map((item, index) => {
        const isFirstOfRole = item.role !== undefined && item.role !== items[index - 1]?.role
        return (
          <Fragment key={item.pointer}>
            {isFirstOfRole && (
              <p className="mt-2 font-medium text-foreground">{roleLabel(item.role ?? '')}</p>
            )}
            <ResultBlock
              result={text}
              item={item}
              number={index + 1}
              onOpenResource={onOpenResource}
            />
          </Fragment>
        )
      })}
      {remaining > 0 && (
        <div>
          <Button size="small" onClick={() => setShown(shown + STEP)}>
            Show {formatCount(Math.min(STEP, remaining))} more of {formatCount(items.length)}
          </Button>
        </div>
      )}
    </>
  )
}

type Checked = Extract<ToolRunOutcome, { kind: 'result' }>['checked']

const MOST = 20

/** The check of a result against the tool's output schema; nothing without a schema. */
function ResultChecked({ checked }: { readonly checked: Checked }): JSX.Element | null {
  if (checked === undefined) return null
  const { problems, isChecked, why } = checked
  if (!isChecked)
    return (
      <Banner severity="warn" title="Not checked against the output schema.">
        {why !== undefined && visibleText(why)}
      </Banner>
    )
  if (problems.length === 0)
    return <p className="text-small text-muted">Matches the tool’s output schema.</p>
  return (
    <Banner severity="warn" title="Doesn’t match the tool’s output schema.">
      <ul className="mt-1 grid gap-1 wrap-anywhere" aria-label="Output schema problems">
        {problems.slice(0, MOST).map(({ path, message }, index) => (
          <li key={index}>
            <code>{path === '' ? 'the whole' : escapeInvisible(path)}</code> {visibleText(message)}
          </li>
        ))}
      </ul>
      {problems.length > MOST && `${counted(problems.length - MOST, 'more problem')}.`}
    </Banner>
  )
}

type Side = 'content' | 'structured' | 'json'

const SIDES: Readonly<Record<Side, string>> = {
  content: 'Content',
  structured: 'Structured',
  json: 'JSON',
}

const LABEL = 'Result'

function ResultTabs(props: {
  readonly text: string
  readonly onOpenResource: ((uri: string) => void) | undefined
}): JSX.Element {
  const { text, onOpenResource } = props
  const content = useMemo(() => readContent(text), [text])
  const [chosen, setSide] = useState<Side>()
  if (!content) return <JsonView text={text} label={LABEL} />
  const { items, hasStructured } = content
  const side = chosen ?? (items.length === 0 && hasStructured ? 'structured' : 'content')
  const sides: readonly Side[] = hasStructured
    ? ['content', 'structured', 'json']
    : ['content', 'json']
  return (
    <>
      <div>
        <Segmented
          label="Result view"
          value={side}
          onValueChange={setSide}
          options={sides.map((value) => ({ value, label: SIDES[value] }))}
        />
      </div>
      {side === 'content' && <ResultBlocks {...{ text, content, onOpenResource }} />}
      {side === 'structured' && (
        <JsonView text={text} pointer="/structuredContent" label="Structured content" />
      )}
      {side === 'json' && <JsonView text={text} label={LABEL} />}
    </>
  )
}

/** The result of a run: content by kind, structured content with its schema check, and the raw JSON. */
export function ResultView(props: {
  readonly toolRun: ToolRun
  readonly onOpenResource?: (uri: string) => void
}): JSX.Element | null {
  const { toolRun, onOpenResource } = props
  const { outcome } = toolRun
  if (outcome === undefined) return null
  const source = toolRunText(toolRun)
  return (
    <div className="grid min-w-0 gap-3 *:min-w-0">
      {outcome.kind === 'failed' && (
        <Banner severity={outcome.error.code === 'REQUEST_CANCELLED' ? 'info' : 'error'}>
          {visibleText(problemText(outcome.error))}
        </Banner>
      )}
      {outcome.kind === 'refused' && (
        <>
          <Banner severity="error" title="The server rejected this request.">
            {visibleText(outcome.message)}
          </Banner>
          {source && (
            <WithText source={source} label="Error data">
              {(text) => <JsonView text={text} label="Error data" />}
            </WithText>
          )}
        </>
      )}
      {outcome.kind === 'result' && source && (
        <>
          <ResultChecked checked={outcome.checked} />
          <WithText source={source} label={LABEL}>
            {(text) => <ResultTabs text={text} onOpenResource={onOpenResource} />}
          </WithText>
        </>
      )}
      {outcome.kind === 'result' && !source && (
        <Banner severity="info">This result is no longer available. Run it again to see it.</Banner>
      )}
    </div>
  )
}
