import { ArrowDown } from 'lucide-react'
import type { FocusEvent, JSX, KeyboardEvent, RefObject } from 'react'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'

import { useNow } from '../../stores/now'
import { counted } from '../../ui/text/format'
import { countAfter, rowAt } from './list-rows'
import { MessageRow, RowHead, SessionLine } from './message-row'
import { type FollowedEnd, useFollowEnd } from './use-follow-end'
import type { ShownMessages } from './use-messages'
import { type RowWindow, useRowWindow } from './use-row-window'

/** What scrolls up by key. */
const UP_KEYS = ['Home', 'PageUp', 'ArrowUp']

/** Leads the keyboard into the list: to the message that Tab stops at. */
export function enterMessages(event: KeyboardEvent): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('.traffic-hit[tabindex="0"]')?.focus()
}

type ListProps = {
  readonly name: string
  readonly messageLog: ShownMessages
  /** The other half of the selected message. */
  readonly other: number | undefined
  readonly goal: Goal | undefined
  readonly onSelect: (seq: number) => void
  /** Goes from a message to the other half of its pair. */
  readonly onOther: () => void
}

type TableProps = ListProps & {
  readonly window: RowWindow
  /** A row has the focus. */
  readonly onRead: (isRead: boolean) => void
}

/** What the keys do on a row: they select another one, and Enter leads from a selected one to its other half. */
function useRowKeys({
  messageLog,
  other,
  window,
  onSelect,
  onOther,
}: TableProps): (event: KeyboardEvent<HTMLElement>) => void {
  const { rows, known } = messageLog
  return (event) => {
    const { target } = event
    if (!(target instanceof HTMLElement) || target.dataset.index === undefined) return
    const from = Number(target.dataset.index)
    if (event.key === 'Enter' && rows[from]?.seq === known.selected && other !== undefined) {
      event.preventDefault()
      onOther()
      return
    }
    const next = window.nextOf(event, from)
    const seq = next === undefined ? undefined : rows[next]?.seq
    if (next === undefined || seq === undefined) return
    event.preventDefault()
    onSelect(seq)
    window.goTo(next)
  }
}

function Rows({
  messageLog,
  other,
  window,
  focused,
  onSelect,
}: TableProps & { readonly focused: number | undefined }): JSX.Element {
  const { rows, known } = messageLog
  const { virtualizer, headHeight } = window
  const now = useNow(60_000)
  const items = virtualizer.getVirtualItems()
  const drawn = items
    .flatMap(({ index }) => rows[index] ?? [])
    .filter(({ kind }) => kind === 'message')
  const isDrawn = (seq: number | undefined): boolean => drawn.some((row) => row.seq === seq)
  const stop = [focused, known.selected].find(isDrawn) ?? drawn[0]?.seq
  return (
    <div role="rowgroup" className="anchor" style={{ height: virtualizer.getTotalSize() }}>
      {items.map(({ index, key, start }) => {
        const row = rows[index]
        const place = { index, top: start - headHeight }
        if (row === undefined) return null
        if (row.kind === 'session') return <SessionLine key={key} {...place} row={row} now={now} />
        return (
          <MessageRow
            key={key}
            {...place}
            entry={row.entry}
            isSelected={row.seq === known.selected}
            isOther={row.seq === other}
            isStop={row.seq === stop}
            onSelect={onSelect}
          />
        )
      })}
    </div>
  )
}

function Table(props: TableProps): JSX.Element {
  const { name, messageLog, onRead } = props
  const { rows } = messageLog
  const [focused, setFocused] = useState<number | undefined>(undefined)
  const press = useRowKeys(props)
  const enter = ({ target }: FocusEvent<HTMLElement>): void => {
    const { index } = target.dataset
    onRead(index !== undefined)
    if (index !== undefined) setFocused(rows[Number(index)]?.seq)
  }
  return (
    <div
      role="table"
      aria-label={`Messages of ${name}`}
      aria-rowcount={rows.length + 1}
      onKeyDown={press}
      onFocus={enter}
      onBlur={({ target, relatedTarget, currentTarget }) => {
        // Where only the window lost the focus, the row has it still.
        if (document.activeElement === target) return
        if (!currentTarget.contains(relatedTarget)) onRead(false)
      }}
    >
      <RowHead />
      <Rows {...props} focused={focused} />
    </div>
  )
}

function Pill({
  fresh,
  onFollow,
}: {
  readonly fresh: number
  readonly onFollow: () => void
}): JSX.Element {
  const words = fresh === 0 ? 'Jump to latest' : counted(fresh, 'new message')
  return (
    <button type="button" className="pill float inline-row medium ink gap-2" onClick={onFollow}>
      <ArrowDown className="icon icon-s accent" aria-hidden />
      <span className="num">{words}</span>
    </button>
  )
}

/** A message whose row is to be focused; another object asks again. */
export type Goal = { readonly seq: number }

/** What to bring into view: the goal, and after a filter changed what is selected, or the newest. */
function usePlaces(
  region: RefObject<HTMLDivElement | null>,
  { messageLog, goal }: ListProps,
  { virtualizer, goTo }: RowWindow,
  { toEnd }: FollowedEnd,
  isFollowing: boolean,
): void {
  const { known, rows } = messageLog
  const { view, found, selected } = known
  const placeAfter = useEffectEvent(() => {
    const place = selected === undefined || isFollowing ? undefined : rowAt(rows, selected)
    if (place === undefined) toEnd()
    else virtualizer.scrollToIndex(place, { align: 'center' })
  })
  useEffect(() => placeAfter(), [view, found?.text])
  const reach = useEffectEvent((seq: number) => {
    const place = rowAt(rows, seq)
    if (place === undefined) region.current?.focus({ preventScroll: true })
    else goTo(place)
  })
  useEffect(() => {
    if (goal) reach(goal.seq)
  }, [goal])
  useEffect(() => {
    // The message that is shown below the list may lie over its row.
    region.current?.querySelector('.traffic-row.is-selected')?.scrollIntoView({ block: 'nearest' })
  }, [region, selected])
}

/** The messages, oldest first; only those in view are drawn. It follows the newest until one scrolls up or reads one. */
export function MessageList(props: ListProps): JSX.Element {
  const { messageLog } = props
  const { known, rows, shown } = messageLog
  const region = useRef<HTMLDivElement>(null)
  const [isFocused, setIsFocused] = useState(false)
  // The newest were asked for, whatever is selected.
  const [isFollowing, setIsFollowing] = useState(false)
  const { selected } = known
  const isRead = !isFollowing && (isFocused || selected !== undefined)
  const window = useRowWindow(
    region,
    rows,
    selected === undefined ? undefined : rowAt(rows, selected),
  )
  const end = useFollowEnd(region, rows, isRead)
  usePlaces(region, props, window, end, isFollowing)
  const { onSelect } = props
  const select = useCallback(
    (seq: number) => {
      setIsFollowing(false)
      onSelect(seq)
    },
    [onSelect],
  )
  const follow = (): void => {
    setIsFollowing(true)
    end.toEnd()
    region.current?.focus({ preventScroll: true })
  }
  const { leftAt, leave } = end
  return (
    <div className="traffic-list grow fill flex anchor">
      <div
        ref={region}
        className="traffic-scroll grow scroll"
        tabIndex={0}
        role="region"
        aria-label="Messages"
        onKeyDown={({ key }) => UP_KEYS.includes(key) && leave()}
        onWheel={({ deltaY }) => deltaY < 0 && leave()}
        onScroll={end.onScroll}
      >
        <Table {...props} window={window} onSelect={select} onRead={setIsFocused} />
      </div>
      {leftAt !== undefined && <Pill fresh={countAfter(shown, leftAt)} onFollow={follow} />}
    </div>
  )
}
