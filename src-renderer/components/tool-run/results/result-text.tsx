import { Copy, Download } from 'lucide-react'
import type { JSX } from 'react'
import { useState } from 'react'

import { tellFailure } from '../../../ipc/tell-failure'
import { IconButton } from '../../../ui/controls/icon-button'
import { Segmented } from '../../../ui/controls/segmented'
import { copyText } from '../../../ui/saving/copy-text'
import { formatCount } from '../../../ui/text/format'
import { JsonView } from '../../json/json-view'
import { LongText, MOST_TEXT } from '../../json/long-text'
import { MOST_MARKDOWN } from '../../json/markdown/markdown-limit'
import type { CutText } from '../../json/reading/result-content'
import { saveSource } from '../../json/text/save-source'
import { endingOf } from './file-ending'
import { type HeldResult, innerText, looksLikeJson } from './inner-text'
import { ResultMarkdown } from './result-markdown'

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
