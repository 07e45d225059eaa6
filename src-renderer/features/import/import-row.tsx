import clsx from 'clsx'
import type { JSX } from 'react'

import { summaryLine } from '../../components/configuration/server-lines'
import { Tag } from '../../ui/marks/tag'
import { visibleText } from '../../ui/text/visible-text'
import type { FoundRow } from './found-rows'
import { hostNames, isImportable } from './found-rows'
import { rowMarks } from './messages'

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
export function ImportRow(props: ImportRowProps): JSX.Element {
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
