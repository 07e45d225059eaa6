import clsx from 'clsx'
import { ChevronRight } from 'lucide-react'
import type { JSX } from 'react'

import { formatCount } from '../../ui/text/format'
import { visibleText, writtenOut } from '../../ui/text/visible-text'
import type { JsonRow } from './reading/json-tree'

/** Deeper rows stand no further to the right and say how deep they are. */
const MOST_INDENT = 20

/** What tells the kinds of values apart. */
const INKS = {
  object: 'soft',
  array: 'soft',
  string: 'tone is-ready',
  number: 'accent',
  boolean: 'tone ink-magenta',
  null: 'tone ink-magenta',
} as const

/** How many values an object or array has, in its brackets: `{3}`, `[1,200]`, `{}`. */
function countWords({ kind, count }: Pick<JsonRow, 'kind' | 'count'>): string {
  const shown = count === 0 ? '' : formatCount(count)
  return kind === 'object' ? `{${shown}}` : `[${shown}]`
}

/** What stands in one line of a tree, and what it does. */
export type JsonLineProps = {
  readonly id: string
  readonly index: number
  readonly top: number
  readonly height: number
  /** Missing while it is on its way from the thread. */
  readonly row: JsonRow | undefined
  readonly isCurrent: boolean
  /** What is looked for, marked. */
  readonly wanted: string
  readonly onPress: (index: number) => void
  readonly onShowAll: (index: number) => void
}

function Value({
  row,
  wanted,
  onShowAll,
}: {
  readonly row: JsonRow
  readonly wanted: string
  readonly onShowAll: () => void
}): JSX.Element {
  if (row.kind === 'object' || row.kind === 'array')
    return <span className="fixed faint">{countWords(row)}</span>
  return (
    <>
      <span className={clsx('json-value', INKS[row.kind])}>
        <Marked text={visibleText(row.text)} wanted={wanted} />
        {row.isCut && '…'}
      </span>
      {row.isCut && (
        <button
          type="button"
          className="text-button accent bare fixed after-2"
          tabIndex={-1}
          onClick={(event) => {
            event.stopPropagation()
            onShowAll()
          }}
        >
          Show all
        </button>
      )}
    </>
  )
}

/** One line of a tree of JSON. */
export function JsonLine(props: JsonLineProps): JSX.Element {
  const { id, index, top, height, row, isCurrent, wanted, onPress, onShowAll } = props
  const place = { transform: `translateY(${top}px)`, height }
  if (!row) return <div className="json-line placed lights row" role="presentation" style={place} />
  const { level, key, isOpen, count } = row
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-setsize={row.of}
      aria-posinset={row.place + 1}
      aria-selected={isCurrent}
      aria-expanded={count > 0 ? isOpen : undefined}
      data-index={index}
      className={clsx('json-line placed row', isCurrent ? 'pressed is-current' : 'lights')}
      style={{ ...place, paddingInlineStart: `${Math.min(level - 1, MOST_INDENT) + 0.5}em` }}
      onClick={() => onPress(index)}
    >
      <span className="json-twist inline-row fixed faint" aria-hidden>
        {count > 0 && <ChevronRight className={clsx('icon icon-s', isOpen && 'turned')} />}
      </span>
      {level > MOST_INDENT + 1 && <span className="fixed faint micro">{level} deep </span>}
      {key !== undefined && (
        <>
          <span className="json-key half medium ink fixed">
            <Marked text={writtenOut(key)} wanted={wanted} />
          </span>
          <span className="fixed faint">: </span>
        </>
      )}
      <Value row={row} wanted={wanted} onShowAll={() => onShowAll(index)} />
    </div>
  )
}

/** A text with the first place of what is looked for marked, any case. */
function Marked({ text, wanted }: { readonly text: string; readonly wanted: string }): JSX.Element {
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted.toLowerCase())
  if (at === -1) return <>{text}</>
  const end = at + wanted.length
  return (
    <>
      {text.slice(0, at)}
      <mark className="hit">{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  )
}
