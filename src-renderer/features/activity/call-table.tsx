import { ArrowUp } from 'lucide-react'
import type { FocusEvent, JSX, KeyboardEvent } from 'react'
import { useEffect, useRef, useState } from 'react'

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

function Head(): JSX.Element {
  return (
    <div
      className="call-head sticks stack level gap-2 pad-side ruled faint micro nowrap surface"
      role="row"
      aria-rowindex={1}
    >
      <span role="columnheader">Time</span>
      <span role="columnheader" className="hide-small">
        Agent
      </span>
      <span role="columnheader" className="hide-small">
        Server
      </span>
      <span role="columnheader">Tool or resource</span>
      <span role="columnheader">Outcome</span>
      <span role="columnheader" className="right faint num nowrap">
        Duration
      </span>
      <span role="columnheader" className="right faint num nowrap hide-small">
        Result
      </span>
    </div>
  )
}

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
  readonly window: CallWindow
  readonly onOpen: (call: Call) => void
  /** A row has the focus. */
  readonly onRead: (isRead: boolean) => void
}

function Table({ found, window, onOpen, onRead }: TableProps): JSX.Element {
  const { calls, total } = found
  const { virtualizer, headHeight, press } = window
  const now = useNow(60_000)
  const [focused, setFocused] = useState<number | undefined>(undefined)
  const items = virtualizer.getVirtualItems()
  const drawn = items.flatMap(({ index }) => calls[index] ?? [])
  const stop = drawn.find(({ callId }) => callId === focused) ?? drawn[0]
  const enter = ({ target }: FocusEvent<HTMLElement>): void => {
    const { index } = target.dataset
    onRead(index !== undefined)
    if (index !== undefined) setFocused(calls[Number(index)]?.callId)
  }
  return (
    <div
      role="table"
      aria-label="Agent calls"
      aria-rowcount={(total ?? 0) + 1}
      onKeyDown={press}
      onFocus={enter}
      onBlur={({ target, relatedTarget, currentTarget }) => {
        // Where only the window lost the focus, the row has it still.
        if (document.activeElement === target) return
        if (!currentTarget.contains(relatedTarget)) onRead(false)
      }}
    >
      <Head />
      <div role="rowgroup" className="anchor" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const call = calls[index]
          const top = start - headHeight
          return (
            call && (
              <CallRow key={key} {...{ call, index, top, now, onOpen }} isStop={call === stop} />
            )
          )
        })}
      </div>
    </div>
  )
}

/** The calls, newest first; only those in view are drawn. New ones push in at the top while it is in view. */
export function CallTable({
  search,
  isOpened,
  onOpen,
}: {
  readonly search: CallSearch
  /** A call is shown in full over the list. */
  readonly isOpened: boolean
  readonly onOpen: (call: Call) => void
}): JSX.Element {
  const { found, more, follow } = search
  const region = useRef<HTMLDivElement>(null)
  const window = useCallWindow(region, found, more)
  const { setIsAtTop, setIsRead } = useFollowing(follow, isOpened)
  const show = (): void => {
    setIsRead(false)
    region.current?.scrollTo({ top: 0 })
    region.current?.focus({ preventScroll: true })
  }
  return (
    <div className="calls fill flex anchor">
      <div
        ref={region}
        className="grow scroll"
        tabIndex={0}
        role="region"
        aria-label="Calls"
        onScroll={({ currentTarget }) => setIsAtTop(currentTarget.scrollTop <= AT_TOP)}
      >
        <Table {...{ found, window, onOpen }} onRead={setIsRead} />
        <Foot {...found} />
      </div>
      {found.fresh > 0 && <Fresh fresh={found.fresh} onShow={show} />}
    </div>
  )
}
