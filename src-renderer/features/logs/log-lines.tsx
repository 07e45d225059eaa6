import clsx from 'clsx'
import { ArrowDown } from 'lucide-react'
import type { JSX } from 'react'
import { useEffect, useRef } from 'react'

import type { LogEntry } from '../../../src-shared/domain/log-entry'
import { formatCount } from '../../ui/elapsed'
import { LogGap, LogLine } from './log-line'
import type { LogMatch } from './log-search'
import { useLineWindow } from './use-line-window'

/** How many lines came after `seq`. */
export function countAfter(lines: readonly LogEntry[], seq: number): number {
  const first = lines.findIndex((line) => line.seq > seq)
  return first === -1 ? 0 : lines.length - first
}

/** How many lines are gone between a line and the one before it; `seq` counts from 0. */
export function missingBefore(lines: readonly LogEntry[], index: number): number {
  const entry = lines[index]
  return entry === undefined ? 0 : entry.seq - (lines[index - 1]?.seq ?? -1) - 1
}

function Pill({
  fresh,
  onFollow,
}: {
  readonly fresh: number
  readonly onFollow: () => void
}): JSX.Element {
  const words =
    fresh === 0
      ? 'Follow the newest'
      : `${formatCount(fresh)} new ${fresh === 1 ? 'line' : 'lines'}`
  return (
    <button type="button" className="pill" onClick={onFollow}>
      <ArrowDown className="icon icon-s" aria-hidden />
      <span className="num">{words}</span>
    </button>
  )
}

function Row({
  lines,
  index,
  isWhole,
  query,
  currentStart,
}: {
  readonly lines: readonly LogEntry[]
  readonly index: number
  readonly isWhole: boolean
  readonly query: string
  readonly currentStart: number | null
}): JSX.Element | null {
  const entry = lines[index]
  const missing = isWhole ? missingBefore(lines, index) : 0
  if (!entry) return null
  return (
    <>
      {missing > 0 && <LogGap count={missing} atTop={index === 0} />}
      <LogLine entry={entry} query={query} currentStart={currentStart} />
    </>
  )
}

/** The lines in a virtual list that follows the tail until one scrolls up; the pill brings one back. */
export function LogLines({
  name,
  lines,
  query,
  current,
  wrap,
  isWhole,
}: {
  readonly name: string
  readonly lines: readonly LogEntry[]
  readonly query: string
  /** The match to keep in view. */
  readonly current: LogMatch | undefined
  readonly wrap: boolean
  /** No filter hides lines, so that a gap in their numbers is a loss. */
  readonly isWhole: boolean
}): JSX.Element {
  const region = useRef<HTMLDivElement>(null)
  const { virtualizer, leftAt } = useLineWindow(region, lines)
  const row = current?.row
  const start = current?.start
  useEffect(() => {
    if (row !== undefined) virtualizer.scrollToIndex(row, { align: 'center' })
  }, [virtualizer, row, start])
  const fresh = leftAt === null ? 0 : countAfter(lines, leftAt)
  const items = virtualizer.getVirtualItems()
  return (
    <>
      <div
        ref={region}
        className={clsx('lines', !wrap && 'is-unwrapped')}
        role="log"
        aria-label={`Log of ${name}`}
        aria-live="off"
        tabIndex={0}
      >
        <div className="lines-space" style={{ height: virtualizer.getTotalSize() }}>
          <div
            className="lines-window"
            style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}
          >
            {items.map(({ index, key }) => (
              <div key={key} data-index={index} ref={virtualizer.measureElement}>
                <Row
                  lines={lines}
                  index={index}
                  isWhole={isWhole}
                  query={query}
                  currentStart={row === index && start !== undefined ? start : null}
                />
              </div>
            ))}
          </div>
        </div>
      </div>
      {leftAt !== null && <Pill fresh={fresh} onFollow={() => virtualizer.scrollToEnd()} />}
    </>
  )
}
