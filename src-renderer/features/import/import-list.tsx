import clsx from 'clsx'
import { type JSX, type KeyboardEvent, useRef } from 'react'

import { summaryLine } from '../../components/configuration/server-lines'
import { Tag } from '../../ui/marks/tag'
import { visibleText } from '../../ui/text/visible-text'
import { type FoundRow, hostNames, isImportable } from './found-rows'
import { rowMarks } from './messages'
import { useFoundWindow } from './use-found-window'

/** Marks of a row for which there is room. */
const MOST_MARKS = 2

type ImportRowProps = {
  readonly row: FoundRow
  /** Its place in the list, from 0. */
  readonly index: number
  /** How many there are. */
  readonly total: number
  readonly isTicked: boolean
  /** It is shown in full beside the list, and Tab stops here. */
  readonly isCurrent: boolean
  /** In px from the top of the list. */
  readonly top: number
  readonly onTick: (row: FoundRow, isTicked: boolean) => void
  readonly onShow: (index: number) => void
}

/** One server that was found, in two lines: Space ticks it, Enter leads to what it becomes. */
function ImportRow(props: ImportRowProps): JSX.Element {
  const { row, index, total, isTicked, isCurrent, top, onTick, onShow } = props
  const { name, preview } = row.entry.server
  const id = `found-${index}`
  return (
    <li
      className={clsx(
        'found-row placed row gap-3 ruled',
        isCurrent ? 'pressed is-selected' : 'lights',
      )}
      aria-posinset={index + 1}
      aria-setsize={total}
      style={{ top }}
    >
      <input
        type="checkbox"
        className="check"
        data-index={index}
        tabIndex={isCurrent ? 0 : -1}
        aria-label={`Import ${visibleText(name)}`}
        aria-describedby={`${id}-hosts ${id}-marks`}
        aria-disabled={!isImportable(row) || undefined}
        checked={isTicked}
        onChange={(event) => onTick(row, event.currentTarget.checked)}
      />
      <button
        type="button"
        className="found-hit bare grow stack"
        tabIndex={-1}
        aria-current={isCurrent || undefined}
        onClick={() => onShow(index)}
      >
        <b className="cut">{visibleText(name)}</b>
        <span id={`${id}-hosts`} className="cut faint small">
          {visibleText(hostNames(row).join(', '))}
          {preview !== null && (
            <>
              {' · '}
              <code className="same-size">{summaryLine(preview)}</code>
            </>
          )}
        </span>
      </button>
      <span id={`${id}-marks`} className="stack gap-1 fixed">
        {rowMarks(row)
          .slice(0, MOST_MARKS)
          .map(({ text, isWarning }) => (
            <Tag key={text} tone={isWarning ? 'warn' : 'plain'}>
              {text}
            </Tag>
          ))}
      </span>
    </li>
  )
}

/** Leads the keyboard into the list: to the row that is shown. */
export function enterRows(event: KeyboardEvent): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('.found-row .check[tabindex="0"]')?.focus()
}

/** The servers that were found; only those in view are drawn. Arrows, Home, End and the page keys lead from one to another. */
export function ImportList(props: {
  readonly rows: readonly FoundRow[]
  readonly ticked: ReadonlySet<string>
  /** The row that is shown in full. */
  readonly current: string
  readonly onShow: (key: string) => void
  readonly onTick: (row: FoundRow, isTicked: boolean) => void
  /** Leads from a row to what is shown of it. */
  readonly onEnter: () => void
}): JSX.Element {
  const { rows, ticked, current, onShow, onTick, onEnter } = props
  const region = useRef<HTMLDivElement>(null)
  const { virtualizer, goTo, press } = useFoundWindow(region, rows, { onShow, onEnter })
  const items = virtualizer.getVirtualItems()
  const isDrawn = items.some(({ index }) => rows[index]?.key === current)
  return (
    <div
      ref={region}
      className="scroll"
      tabIndex={0}
      role="region"
      aria-label="Servers in your apps"
    >
      <ul
        className="anchor"
        aria-label="Found servers"
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={press}
        onFocus={({ target }) => {
          const row = rows[Number(target.dataset.index ?? Number.NaN)]
          if (row) onShow(row.key)
        }}
      >
        {items.map(({ index, start }, place) => {
          const row = rows[index]
          if (!row) return null
          return (
            <ImportRow
              key={row.key}
              {...{ row, index, onTick }}
              total={rows.length}
              isTicked={ticked.has(row.key)}
              isCurrent={isDrawn ? row.key === current : place === 0}
              top={start}
              onShow={goTo}
            />
          )
        })}
      </ul>
    </div>
  )
}
