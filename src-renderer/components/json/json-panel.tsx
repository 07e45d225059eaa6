import { type JSX, type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react'
import { useStore } from 'zustand'

import { tellFailure } from '../../ipc/tell-failure'
import { Skeleton } from '../../ui/layout/skeleton'
import { Dialog } from '../../ui/overlays/dialog'
import { showToast } from '../../ui/overlays/toast'
import { copyText } from '../../ui/saving/copy-text'
import { formatCount } from '../../ui/text/format'
import type { JsonBrowser, TreeKey } from './json-browser'
import { JsonLine } from './json-row'
import { type JsonShape, JsonTools } from './json-tools'
import { LongText, MOST_TEXT } from './long-text'
import { usePromised } from './markdown/use-promised'
import type { JsonRemote } from './reading/json-thread'
import { MOST_ROWS } from './reading/json-tree'
import { saveLater } from './text/save-source'
import { useLineWindow } from './use-windows'

/** A key as an event has it. */
type Pressed = {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

const STEPS: Readonly<Record<string, TreeKey>> = {
  ArrowDown: { kind: 'by', rows: 1 },
  ArrowUp: { kind: 'by', rows: -1 },
  ArrowRight: { kind: 'in' },
  ArrowLeft: { kind: 'out' },
  Home: { kind: 'to', row: 0 },
  End: { kind: 'last' },
  Enter: { kind: 'toggle' },
  ' ': { kind: 'toggle' },
  '*': { kind: 'beside' },
}

/** How soon a letter belongs to the one before it, in ms. */
const TYPING_MS = 700

/** What the keys of a tree do (ARIA, tree view); letters that follow each other quickly are one beginning. */
export class TreeKeys {
  #typed = ''
  #typedAt = 0

  /** What a key asks for, undefined where it is none of the tree's; `page` is how many rows are in view, `at` in ms. */
  keyOf(pressed: Pressed, page: number, at: number): TreeKey | undefined {
    const { key, ctrlKey, metaKey, altKey } = pressed
    if (ctrlKey || metaKey || altKey) return undefined
    if (key === 'PageDown') return { kind: 'by', rows: page }
    if (key === 'PageUp') return { kind: 'by', rows: -page }
    // A space within a word that is typed is a part of it.
    const isTyping = this.#typed !== '' && at - this.#typedAt < TYPING_MS
    if (!(isTyping && key === ' ')) {
      const step = STEPS[key]
      if (step) return step
    }
    if (!/^.$/u.test(key)) return undefined
    this.#typed = isTyping ? this.#typed + key : key
    this.#typedAt = at
    return { kind: 'begins', text: this.#typed }
  }
}

type LinesProps = {
  readonly browser: JsonBrowser
  readonly label: string
  readonly region: RefObject<HTMLDivElement | null>
  /** A value whose line cuts it is to be shown whole. */
  readonly onShowAll: (row: number) => void
  readonly onCopy: () => void
}

function isCopying({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'c' && (ctrlKey || metaKey) && getSelection()?.isCollapsed !== false
}

/** The lines of a tree; only those in view are drawn. The tree has the focus, and names the line of the keyboard. */
function JsonLines(props: LinesProps): JSX.Element {
  const { browser, label, region, onShowAll, onCopy } = props
  const id = useId()
  const keys = useRef<TreeKeys>(null)
  const { virtualizer, height, state, rowAt } = useLineWindow(region, browser)
  const { row, found } = state
  const press = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (isCopying(event)) {
      event.preventDefault()
      onCopy()
      return
    }
    const page = Math.max(1, Math.floor((region.current?.clientHeight ?? 0) / height) - 1)
    keys.current ??= new TreeKeys()
    const key = keys.current.keyOf(event, page, event.timeStamp)
    if (!key) return
    event.preventDefault()
    const at = rowAt(row)
    if (key.kind === 'toggle' && at?.isCut === true) onShowAll(row)
    else void browser.press(key)
  }
  return (
    <div
      ref={region}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={rowAt(row) ? `${id}-${row}` : undefined}
      className="json-tree well box pad-row bounded scroll"
      onKeyDown={press}
    >
      <div className="anchor" role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => (
          <JsonLine
            key={index}
            id={`${id}-${index}`}
            index={index}
            top={start}
            height={height}
            row={rowAt(index)}
            isCurrent={index === row}
            wanted={found?.text ?? ''}
            onPress={(pressed) => void browser.toggle(pressed)}
            onShowAll={onShowAll}
          />
        ))}
      </div>
    </div>
  )
}

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
