import { ArrowUp } from 'lucide-react'
import type { FocusEvent, JSX, KeyboardEvent } from 'react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

import type { Call } from '../../../src-shared/domain/agents/activity'
import { useNow } from '../../stores/now'
import { CallRow } from './call-row'
import { type FoundCalls, MOST_SHOWN } from './found-calls'
import { callsWords } from './messages'
import { type CallWindow, useCallWindow } from './use-call-window'
import type { CallSearch } from './use-found-calls'

/** How far from the top still counts as at the top, in px. */
const AT_TOP = 8
const RESUME_MS = 150

/** Follows while the newest calls are in view and nothing is read by key or opened. */
function useFollowing(
  follow: CallSearch['follow'],
  isOpened: boolean,
): {
  readonly setIsAtTop: (isAtTop: boolean) => void
  readonly setIsRead: (isRead: boolean) => void
} {
  const [isAtTop, setIsAtTop] = useState(true)
  const [isRead, setIsRead] = useState(false)
  const isFollowing = isAtTop && !isRead && !isOpened
  useEffect(() => {
    // A call that is closed gives the focus back to its row, which is read on.
    const timer = setTimeout(() => follow(isFollowing), isFollowing ? RESUME_MS : 0)
    return () => clearTimeout(timer)
  }, [follow, isFollowing])
  return { setIsAtTop, setIsRead }
}

function Fresh({
  fresh,
  onShow,
}: {
  readonly fresh: number
  readonly onShow: () => void
}): JSX.Element {
  return (
    <button
      type="button"
      className="pill float inline-row medium ink gap-2 calls-pill"
      onClick={onShow}
    >
      <ArrowUp className="icon icon-s accent" aria-hidden />
      <span className="num">{callsWords(fresh).replace(' ', ' new ')}</span>
    </button>
  )
}

function Foot({ calls, isEnd }: FoundCalls): JSX.Element | null {
  if (!isEnd) return <p className="pad-line faint">Loading older calls</p>
  if (calls.length < MOST_SHOWN) return null
  return (
    <p className="pad-line faint">
      {`Showing the latest ${callsWords(MOST_SHOWN)}. To find older ones, narrow your search or export.`}
    </p>
  )
}

/** Leads the keyboard into the list: to the call that Tab stops at. */
export function enterCalls(event: KeyboardEvent): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('.call-hit[tabindex="0"]')?.focus()
}

type TableProps = {
  readonly found: FoundCalls
  /** The call that is shown in full. */
  readonly selected: number | undefined
  readonly window: CallWindow
  readonly onOpen: (call: Call) => void
  /** A row has the focus. */
  readonly onRead: (isRead: boolean) => void
}

function Table({ found, selected, window, onOpen, onRead }: TableProps): JSX.Element {
  const { calls, total } = found
  const { virtualizer, goTo, nextOf } = window
  const now = useNow(60_000)
  const [focused, setFocused] = useState<number | undefined>(undefined)
  const items = virtualizer.getVirtualItems()
  const drawn = items.flatMap(({ index }) => calls[index] ?? [])
  const stop =
    [focused, selected]
      .map((id) => drawn.find(({ callId }) => callId === id))
      .find((call) => call !== undefined) ?? drawn[0]
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const next = nextOf(event)
    const call = next === undefined ? undefined : calls[next]
    if (next === undefined || !call) return
    event.preventDefault()
    // With a call open, the keys open the next one.
    if (selected !== undefined) onOpen(call)
    goTo(next)
  }
  const enter = ({ target }: FocusEvent<HTMLElement>): void => {
    const { index } = target.dataset
    onRead(index !== undefined)
    if (index !== undefined) setFocused(calls[Number(index)]?.callId)
  }
  return (
    <div
      role="table"
      aria-label="Calls of apps"
      aria-rowcount={total ?? 0}
      onKeyDown={press}
      onFocus={enter}
      onBlur={({ target, relatedTarget, currentTarget }) => {
        // Where only the window lost the focus, the row has it still.
        if (document.activeElement === target) return
        if (!currentTarget.contains(relatedTarget)) onRead(false)
      }}
    >
      <div role="rowgroup" className="anchor" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const call = calls[index]
          return (
            call && (
              <CallRow
                key={key}
                {...{ call, index, now, onOpen }}
                top={start}
                isStop={call === stop}
                isSelected={call.callId === selected}
              />
            )
          )
        })}
      </div>
    </div>
  )
}

/** A call to be shown and to get the focus in the list; `count` grows with each wish. */
export type Goal = { readonly index: number; readonly count: number }

/** The calls, newest first; only those in view are drawn. New ones push in at the top while it is in view. */
export function CallTable({
  search,
  selected,
  goal,
  onOpen,
}: {
  readonly search: CallSearch
  /** The call that is shown in full beside the list. */
  readonly selected: number | undefined
  readonly goal: Goal | undefined
  readonly onOpen: (call: Call) => void
}): JSX.Element {
  const { found, more, follow } = search
  const region = useRef<HTMLDivElement>(null)
  const window = useCallWindow(region, found, more)
  const { setIsAtTop, setIsRead } = useFollowing(follow, selected !== undefined)
  const reach = useEffectEvent((index: number) => window.goTo(index))
  useEffect(() => {
    if (goal) reach(goal.index)
  }, [goal])
  const show = (): void => {
    setIsRead(false)
    region.current?.scrollTo({ top: 0 })
    region.current?.focus({ preventScroll: true })
  }
  return (
    <div className="call-list fill flex anchor">
      <div
        ref={region}
        className="grow scroll"
        tabIndex={0}
        role="region"
        aria-label="Calls"
        onScroll={({ currentTarget }) => setIsAtTop(currentTarget.scrollTop <= AT_TOP)}
      >
        <Table {...{ found, selected, window, onOpen }} onRead={setIsRead} />
        <Foot {...found} />
      </div>
      {found.fresh > 0 && <Fresh fresh={found.fresh} onShow={show} />}
    </div>
  )
}
