import clsx from 'clsx'
import { type JSX, type KeyboardEvent, useCallback } from 'react'

import { summaryLine } from '../../components/configuration/server-launch'
import { useVirtualList } from '../../ui/list/virtual-list'
import { Tag } from '../../ui/marks/tag'
import { visibleText } from '../../ui/text/visible-text'
import { type FoundRow, hostNames, isImportable, rowMarks } from './found-rows'

/** Marks of a row for which there is room. */
const MOST_MARKS = 2
/** Height of a row, in rem. */
const ROW = 3.25

type ImportRowProps = {
  readonly row: FoundRow
  /** Its place in the list, from 0. */
  readonly index: number
  /** How many there are. */
  readonly total: number
  readonly isTicked: boolean
  /** It is shown in full beside the list. */
  readonly isCurrent: boolean
  /** Tab stops here. */
  readonly isStop: boolean
  /** In px from the top of the list. */
  readonly top: number
  readonly onTick: (row: FoundRow, isTicked: boolean) => void
  readonly onShow: (index: number) => void
}

/** One server that was found, in two lines: Space ticks it, Enter leads to what it becomes. */
function ImportRow(props: ImportRowProps): JSX.Element {
  const { row, index, total, isTicked, isCurrent, isStop, top, onTick, onShow } = props
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
        tabIndex={isStop ? 0 : -1}
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
  const at = rows.findIndex(({ key }) => key === current)
  const { items, holder, goTo } = useVirtualList({
    count: rows.length,
    keyOf: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    sizeOf: () => ROW,
    current: at === -1 ? undefined : at,
    onFocus: (index) => {
      const row = rows[index]
      if (row) onShow(row.key)
    },
  })
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const isRow = event.target instanceof HTMLElement && event.target.dataset.index !== undefined
    if (isRow && event.key === 'Enter') {
      event.preventDefault()
      onEnter()
    } else holder.onKeyDown(event)
  }
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Servers in your apps">
      <ul {...holder} className="anchor" aria-label="Found servers" onKeyDown={press}>
        {items.map(({ key, index, top, isStop }) => {
          const row = rows[index]
          return (
            row && (
              <ImportRow
                key={key}
                {...{ row, index, top, isStop, onTick }}
                total={rows.length}
                isTicked={ticked.has(row.key)}
                isCurrent={row.key === current}
                onShow={goTo}
              />
            )
          )
        })}
      </ul>
    </div>
  )
}
