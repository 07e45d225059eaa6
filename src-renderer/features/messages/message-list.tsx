import clsx from 'clsx'
import { ArrowDown } from 'lucide-react'
import {
  type JSX,
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import { useNow } from '../../stores/app-store'
import { ScrollRegion } from '../../ui/layout/page'
import { FollowPill } from '../../ui/list/follow-pill'
import { useVirtualList, type VirtualList } from '../../ui/list/virtual-list'
import { counted, formatBytes, formatDuration, formatStamp } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'
import {
  DIRECTION_LABEL,
  KIND_LABEL,
  kindLabel,
  methodLabel,
  sessionLabel,
  targetLabel,
} from './detail/messages'
import { countAfter, type ListRow, rowAt } from './list-rows'
import type { ShownMessages } from './use-messages'

type RowPosition = {
  readonly index: number
  /** In px from the first row. */
  readonly top: number
}

const HEADS = ['Time', 'Direction', 'Kind', 'Method and target', 'Id', 'Size', 'Duration', 'Code']

function ListHeader(): JSX.Element {
  return (
    <div
      className="messages-head sticky top-0 z-1 flex items-center gap-3 border-b border-line bg-surface text-micro whitespace-nowrap text-faint"
      role="row"
      aria-rowindex={1}
    >
      {HEADS.map((head, place) => (
        <span
          key={head}
          role="columnheader"
          className={place > 4 ? 'text-right tabular-nums' : undefined}
        >
          {head === 'Direction' ? <span className="sr-only">{head}</span> : head}
        </span>
      ))}
    </div>
  )
}

type RowProps = RowPosition & {
  readonly entry: MessageEntry
  readonly isSelected: boolean
  readonly isOther: boolean
  readonly isStop: boolean
  readonly onSelect: (seq: number) => void
}

/** Returns the background of a row; highlighted rows keep theirs on hover. */
function backgroundClass({ entry, isSelected, isOther: isCounterpart }: RowProps): string {
  const state = entry.kind === 'error' ? 'tint is-error' : ''
  if (isSelected) return `${state} bg-accent-soft is-selected`
  if (isCounterpart) return `${state} bg-press`
  return state || 'hover:bg-hover'
}

const MessageRow = memo(function MessageRow(props: RowProps): JSX.Element {
  const { entry, index, top, isSelected, isStop, onSelect } = props
  const { seq, at, kind, direction, target, id, bytes, durationMs, code } = entry
  // Requests and notifications; the other kinds are responses.
  const startsExchange = kind === 'request' || kind === 'notification'
  return (
    <div
      className={clsx(
        'messages-row absolute inset-x-0 top-0 flex items-center gap-3',
        backgroundClass(props),
      )}
      role="row"
      aria-rowindex={index + 2}
      style={{ top }}
    >
      <time
        role="cell"
        className="text-small whitespace-nowrap text-muted"
        dateTime={new Date(at).toISOString()}
      >
        {formatStamp(at)}
      </time>
      <span
        role="cell"
        className={direction === 'sent' ? 'text-title text-accent' : 'text-title text-muted'}
        // A character instead of an icon, because thousands of rows scroll by.
        data-drawn={direction === 'sent' ? '→' : '←'}
        aria-label={DIRECTION_LABEL[direction]}
      />
      <span
        role="cell"
        className={clsx('text-small', kind === 'error' ? 'text-status' : 'text-muted')}
      >
        {KIND_LABEL[kind]}
      </span>
      <span role="cell" className="min-w-0">
        <button
          type="button"
          className={clsx(
            'messages-hit bare covers flex w-full min-w-0 gap-2',
            startsExchange || 'text-muted',
          )}
          data-index={index}
          tabIndex={isStop ? 0 : -1}
          aria-label={`${targetLabel(entry)}, ${kindLabel(entry)}`}
          aria-current={isSelected ? 'true' : undefined}
          onClick={() => onSelect(seq)}
        >
          <code className={clsx('max-w-full truncate flex-none', startsExchange && 'font-medium')}>
            {methodLabel(entry)}
          </code>
          {/* The space is part of the accessible name, which voice control uses. */}{' '}
          {target !== undefined && <code className="truncate">{visibleText(target)}</code>}
        </button>
      </span>
      <code role="cell" className="messages-id truncate text-muted">
        {id === undefined ? '' : visibleText(id)}
      </code>
      <span role="cell" className="text-right text-small whitespace-nowrap text-muted tabular-nums">
        {formatBytes(bytes)}
      </span>
      <span role="cell" className="text-right text-small whitespace-nowrap text-muted tabular-nums">
        {durationMs === undefined ? '' : formatDuration(durationMs)}
      </span>
      <span
        role="cell"
        className="is-error text-right text-small whitespace-nowrap text-status tabular-nums"
      >
        {code ?? ''}
      </span>
    </div>
  )
})

function SessionRow(
  props: RowPosition & {
    readonly row: Extract<ListRow, { kind: 'session' }>
    readonly now: number
  },
): JSX.Element {
  const { row, index, top, now } = props
  return (
    <div
      className="messages-session absolute inset-x-0 top-0 flex items-center text-small text-muted tabular-nums"
      role="row"
      aria-rowindex={index + 2}
      style={{ top }}
    >
      <span
        role="cell"
        className="between-rules flex min-w-0 flex-1 items-center gap-3 whitespace-nowrap"
        aria-colspan={8}
      >
        {sessionLabel(row.session, row.at, now)}
      </span>
    </div>
  )
}

const UP_KEYS = ['Home', 'PageUp', 'ArrowUp']

type ListProps = {
  readonly name: string
  readonly messageLog: ShownMessages
  readonly other: number | undefined
  readonly goal: Goal | undefined
  readonly onOther: () => void
}

/** Heights of a row, the sticky header, and the pill over the last rows, in rem. */
const [ROW, HEAD, PILL] = [1.75, 2, 3]

/** Returns the virtual rows, which keep their position when others are added or removed; keys select the row they move to. */
function useRows({ messageLog }: ListProps, onSelect: (seq: number) => void): VirtualList {
  const { rows, selected } = messageLog
  return useVirtualList({
    count: rows.length,
    keyOf: useCallback((index: number) => keyOf(rows[index], index), [rows]),
    sizeOf: () => ROW,
    cover: { start: HEAD, end: PILL },
    overscan: 4,
    anchorTo: 'end',
    current: selected === undefined ? undefined : rowAt(rows, selected),
    canFocus: (index) => rows[index]?.kind === 'message',
    onMove: (index) => {
      const seq = rows[index]?.seq
      if (seq !== undefined) onSelect(seq)
    },
  })
}

function keyOf(row: ListRow | undefined, index: number): string | number {
  if (row === undefined) return index
  return row.kind === 'session' ? `session ${row.seq}` : row.seq
}

type TableProps = ListProps & {
  readonly list: VirtualList
  readonly onSelect: (seq: number) => void
}

function Table(props: TableProps): JSX.Element {
  const { name, messageLog, other: counterpart, list, onSelect, onOther: onCounterpart } = props
  const { rows, selected } = messageLog
  const { items, holder } = list
  const now = useNow(60_000)
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const { target, key } = event
    const index = target instanceof HTMLElement ? target.dataset.index : undefined
    const isSelected = index !== undefined && rows[Number(index)]?.seq === selected
    // Enter moves from a selected message to the other one of its pair.
    if (key === 'Enter' && isSelected && counterpart !== undefined) {
      event.preventDefault()
      onCounterpart()
    } else holder.onKeyDown(event)
  }
  return (
    <div role="table" aria-label={`Messages of ${name}`} aria-rowcount={rows.length + 1}>
      <ListHeader />
      <div {...holder} role="rowgroup" className="relative" onKeyDown={press}>
        {items.map(({ key, ...place }) => {
          const row = rows[place.index]
          if (row === undefined) return null
          if (row.kind === 'session')
            return <SessionRow key={key} index={place.index} top={place.top} row={row} now={now} />
          return (
            <MessageRow
              key={key}
              {...place}
              entry={row.entry}
              isSelected={row.seq === selected}
              isOther={row.seq === counterpart}
              onSelect={onSelect}
            />
          )
        })}
      </div>
    </div>
  )
}

/** Maximum distance from the end that counts as the end, in px. */
const AT_END = 12
/** Time in ms for which an upward scroll stops following. */
const LEAVING_MS = 500

function isAtEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight <= AT_END
}

function useScrollAway() {
  const [scrollsAway, setScrollsAway] = useState(0)
  useEffect(() => {
    if (scrollsAway === 0) return undefined
    const timer = setTimeout(() => setScrollsAway(0), LEAVING_MS)
    return () => clearTimeout(timer)
  }, [scrollsAway])
  const scrollAway = useCallback(() => setScrollsAway((times) => times + 1), [])
  return { isLeaving: scrollsAway > 0, leave: scrollAway }
}

/** Keeps the end of a list in view while it is in view and no row is focused. Call after the hook that renders the rows. */
function useFollowEnd(
  region: RefObject<HTMLElement | null>,
  rows: readonly ListRow[],
  isRead: boolean,
) {
  const newest = rows.at(-1)?.seq ?? -1
  const [stoppedAt, setStoppedAt] = useState<number | undefined>(undefined)
  const seen = useRef(newest)
  const { isLeaving: isScrollingAway, leave } = useScrollAway()
  const isFollowing = stoppedAt === undefined && !isRead && !isScrollingAway
  const update = useCallback((): void => {
    const isEnd = region.current === null || isAtEnd(region.current)
    if (isEnd) seen.current = newest
    setStoppedAt(isEnd ? undefined : seen.current)
  }, [region, newest])
  const toEnd = useCallback((): void => {
    region.current?.scrollTo({ top: region.current.scrollHeight })
    update()
  }, [region, update])
  useLayoutEffect(() => {
    if (isFollowing) toEnd()
    else update()
  }, [rows, isFollowing, toEnd, update])
  return {
    /** The newest message in view when following stopped; undefined while following. */
    leftAt: stoppedAt,
    /** Called when the user starts to scroll up, so that new messages don't scroll back to the end. */
    leave,
    onScroll: update,
    toEnd,
  }
}

/** A message to focus; a new object repeats the request. */
export type Goal = { readonly seq: number }

/** Scrolls to the goal; after a filter change, to the selected message or the end. */
function useScrollTargets(
  region: RefObject<HTMLDivElement | null>,
  { messageLog, goal }: ListProps,
  { scrollTo, goTo }: VirtualList,
  { toEnd }: ReturnType<typeof useFollowEnd>,
  isFollowing: boolean,
): void {
  const { rows, view, found: matches, selected } = messageLog
  const placeAfter = useEffectEvent(() => {
    const index = selected === undefined || isFollowing ? undefined : rowAt(rows, selected)
    if (index === undefined) toEnd()
    else scrollTo(index, 'center')
  })
  useEffect(() => placeAfter(), [view, matches?.text])
  const reach = useEffectEvent((seq: number) => {
    const index = rowAt(rows, seq)
    if (index === undefined) region.current?.focus({ preventScroll: true })
    else goTo(index)
  })
  useEffect(() => {
    if (goal) reach(goal.seq)
  }, [goal])
  useEffect(() => {
    // The detail below the list may cover the selected row.
    const selectedRow = region.current?.querySelector('[aria-current]')?.closest('[role="row"]')
    selectedRow?.scrollIntoView({ block: 'nearest' })
  }, [region, selected])
}

/** The virtualized messages, oldest first. Follows the newest until the user scrolls up or focuses one. */
export function MessageList(props: ListProps): JSX.Element {
  const { messageLog } = props
  const { rows, shown, selected, select: onSelect } = messageLog
  const region = useRef<HTMLDivElement>(null)
  // Set when the user requests the newest messages, whatever is selected.
  const [isFollowing, setIsFollowing] = useState(false)
  const select = useCallback(
    (seq: number) => {
      setIsFollowing(false)
      onSelect(seq)
    },
    [onSelect],
  )
  const list = useRows(props, select)
  const isRead = !isFollowing && (list.isFocused || selected !== undefined)
  const end = useFollowEnd(region, rows, isRead)
  useScrollTargets(region, props, list, end, isFollowing)
  const follow = (): void => {
    setIsFollowing(true)
    end.toEnd()
    region.current?.focus({ preventScroll: true })
  }
  const { leftAt, leave } = end
  const newCount = leftAt === undefined ? 0 : countAfter(shown, leftAt)
  return (
    <div className="@container relative flex min-h-0 min-w-0 flex-1">
      <ScrollRegion
        ref={region}
        className="min-w-0 flex-1 [overflow-anchor:none]"
        label="Messages"
        onKeyDown={({ key }) => UP_KEYS.includes(key) && leave()}
        onWheel={({ deltaY }) => deltaY < 0 && leave()}
        onScroll={end.onScroll}
      >
        <Table {...props} list={list} onSelect={select} />
      </ScrollRegion>
      {leftAt !== undefined && (
        <FollowPill
          icon={ArrowDown}
          label={newCount === 0 ? 'Jump to latest' : counted(newCount, 'new message')}
          onFollow={follow}
        />
      )}
    </div>
  )
}
