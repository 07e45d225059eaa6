import { ChevronDown, ChevronUp, Copy, Download, Route } from 'lucide-react'
import type { JSX, KeyboardEvent } from 'react'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'

import { IconButton } from '../../ui/controls/icon-button'
import { SearchField } from '../../ui/controls/search-field'
import { Segmented } from '../../ui/controls/segmented'
import { formatCount } from '../../ui/text/format'
import type { FoundState, JsonBrowser } from './json-browser'

/** How the text is shown. */
export type JsonShape = 'tree' | 'text'

/** How long one may go on typing before it is looked for, in ms. */
const REST_MS = 150

const SHAPES = [
  { value: 'tree', label: 'Tree' },
  { value: 'text', label: 'Text' },
] as const

/** Where one is among what was found: "3 of 12", "0 found", "1 of 10,000 and more". */
function foundWords(found: FoundState | undefined): string {
  if (!found) return ''
  if (found.count === 0) return '0 found'
  const more = found.isWhole ? '' : ' and more'
  return `${formatCount(found.at + 1)} of ${formatCount(found.count)}${more}`
}

function Search({
  browser,
  label,
  onArrowDown,
}: {
  readonly browser: JsonBrowser
  readonly label: string
  readonly onArrowDown: (event: KeyboardEvent) => void
}): JSX.Element {
  const [text, setText] = useState('')
  const found = useStore(browser.store, (state) => state.found)
  useEffect(() => {
    const timer = setTimeout(() => void browser.find(text), text === '' ? 0 : REST_MS)
    return () => clearTimeout(timer)
  }, [browser, text])
  const step = (isBack: boolean): void => {
    void browser.find(text)
    if (found?.text === text) void browser.step(isBack ? -1 : 1)
  }
  return (
    <>
      <SearchField
        label={`Search in ${label}`}
        placeholder="Search"
        value={text}
        onChange={setText}
        meta={<span role="status">{foundWords(found)}</span>}
        onEnter={step}
        onArrowDown={onArrowDown}
      />
      <IconButton
        small
        icon={ChevronUp}
        label="Previous match"
        disabled={!found || found.count === 0}
        onClick={() => void browser.step(-1)}
      />
      <IconButton
        small
        icon={ChevronDown}
        label="Next match"
        disabled={!found || found.count === 0}
        onClick={() => void browser.step(1)}
      />
    </>
  )
}

/** What is done with a tree, above it: look for a text, copy of the line of the keyboard, another shape, a file. */
export function JsonTools({
  browser,
  label,
  shape,
  onShape,
  onCopyValue,
  onCopyPath,
  onSave,
  onEnter,
}: {
  readonly browser: JsonBrowser
  readonly label: string
  readonly shape: JsonShape
  readonly onShape: (shape: JsonShape) => void
  readonly onCopyValue: () => void
  readonly onCopyPath: () => void
  /** Missing where what stands around it saves it. */
  readonly onSave: (() => void) | undefined
  /** The way from the search into the tree. */
  readonly onEnter: () => void
}): JSX.Element {
  return (
    <div
      className="json-tools row wrap gap-1"
      role="group"
      aria-label={`${label}: search, copy, save`}
    >
      {shape === 'tree' && (
        <>
          <Search
            browser={browser}
            label={label}
            onArrowDown={(event) => {
              event.preventDefault()
              onEnter()
            }}
          />
          <IconButton small icon={Copy} label="Copy value" onClick={onCopyValue} />
          <IconButton small icon={Route} label="Copy path" onClick={onCopyPath} />
        </>
      )}
      <span className="grow" />
      <Segmented
        label={`View of ${label}`}
        value={shape}
        onValueChange={onShape}
        options={SHAPES}
      />
      {onSave && <IconButton small icon={Download} label="Save to file" onClick={onSave} />}
    </div>
  )
}
