import type { JSX } from 'react'
import { useRef, useState } from 'react'
import { useStore } from 'zustand'

import { tellFailure } from '../../ipc/tell-failure'
import { Skeleton } from '../../ui/layout/skeleton'
import { Dialog } from '../../ui/overlays/dialog'
import { showToast } from '../../ui/overlays/toast'
import { copyText } from '../../ui/saving/copy-text'
import { formatCount } from '../../ui/text/format'
import type { JsonBrowser } from './json-browser'
import { JsonLines } from './json-lines'
import { type JsonShape, JsonTools } from './json-tools'
import { LongText, MOST_TEXT } from './long-text'
import { usePromised } from './markdown/use-promised'
import type { JsonRemote } from './reading/json-thread'
import { MOST_ROWS } from './reading/json-tree'
import { saveLater } from './text/save-source'

/** Most of a value that is copied, in UTF-16 units. */
const MOST_COPIED = 5_000_000

/** A text on the thread, and which part of it is shown. */
export type Shown = {
  readonly remote: JsonRemote
  readonly textKey: string
  readonly pointer: string
  readonly label: string
  readonly isSavable: boolean
}

function say(thrown: unknown): void {
  tellFailure(thrown)
}

function copyValue(browser: JsonBrowser): void {
  browser.value(MOST_COPIED + 1).then((value) => {
    if (!value) return
    if (value.text.length <= MOST_COPIED) copyText(value.text, 'Value copied.')
    else
      showToast({
        message: 'This value is too large to copy. Save it to a file.',
        tone: 'error',
      })
  }, say)
}

function copyPath(browser: JsonBrowser): void {
  browser.value(0).then((value) => {
    if (value) copyText(value.pointer, 'Path copied.')
  }, say)
}

/** The beginning of a text that the thread holds, and whether there is more. */
function TextBody({
  ask,
  label,
}: {
  readonly ask: () => Promise<string>
  readonly label: string
}): JSX.Element {
  const text = usePromised(ask)
  if (text === undefined) return <Skeleton label={`Loading ${label}`} rows={3} />
  if (text instanceof Error) return <p className="soft small">{text.message}</p>
  return (
    <>
      <LongText text={text.slice(0, MOST_TEXT)} label={label} />
      {text.length > MOST_TEXT && (
        <p className="soft small">
          Showing the first {formatCount(MOST_TEXT)} characters. Save to a file to see everything.
        </p>
      )}
    </>
  )
}

/** The text of a part: JSON over lines, anything else as it is. */
export function PartText({ remote, textKey, pointer, label }: Shown): JSX.Element {
  return (
    <TextBody
      key={`${textKey} ${pointer}`}
      ask={() => remote.textOf(textKey, pointer, MOST_TEXT + 1)}
      label={label}
    />
  )
}

/** One value whole, over the page. */
function WholeValue({
  browser,
  row,
  onClose,
}: {
  readonly browser: JsonBrowser
  readonly row: number
  readonly onClose: () => void
}): JSX.Element {
  return (
    <Dialog wide onClose={onClose} title="Whole value">
      <TextBody
        ask={async () => (await browser.value(MOST_TEXT + 1, row))?.text ?? ''}
        label="Whole value"
      />
    </Dialog>
  )
}

/** A part of a text that is JSON: as a tree with what is done with it, or as text. */
export function JsonPanel({
  browser,
  ...shown
}: Shown & { readonly browser: JsonBrowser }): JSX.Element {
  const { remote, textKey, pointer, label, isSavable } = shown
  const [shape, setShape] = useState<JsonShape>('tree')
  const [whole, setWhole] = useState<number | undefined>(undefined)
  const region = useRef<HTMLDivElement>(null)
  const isCut = useStore(browser.store, (state) => state.isCut)
  return (
    <div className="stack gap-2 slim">
      <JsonTools
        browser={browser}
        label={label}
        shape={shape}
        onShape={setShape}
        onCopyValue={() => copyValue(browser)}
        onCopyPath={() => copyPath(browser)}
        onSave={
          isSavable ? () => saveLater(label, 'json', remote.blobOf(textKey, pointer)) : undefined
        }
        onEnter={() => region.current?.focus()}
      />
      {shape === 'tree' ? (
        <JsonLines
          browser={browser}
          label={label}
          region={region}
          onShowAll={setWhole}
          onCopy={() => copyValue(browser)}
        />
      ) : (
        <PartText {...shown} />
      )}
      {isCut && (
        <p className="soft small">
          Showing the first {formatCount(MOST_ROWS)} lines. Collapse some parts, or save to a file.
        </p>
      )}
      {whole !== undefined && (
        <WholeValue browser={browser} row={whole} onClose={() => setWhole(undefined)} />
      )}
    </div>
  )
}
