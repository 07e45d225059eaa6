import clsx from 'clsx'
import { ArrowUp, Check } from 'lucide-react'
import { type JSX, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'

import type { Call } from '../../../src-shared/domain/agents/activity'
import { useNow } from '../../stores/app-store'
import { ScrollRegion } from '../../ui/layout/page'
import { FollowPill } from '../../ui/list/follow-pill'
import { useVirtualList } from '../../ui/list/virtual-list'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { counted, formatDuration, formatFull, formatSeconds } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'
import { otherMethod, OUTCOMES } from './messages'
import { type CallResults, type CallSearch, MAX_SHOWN } from './use-call-search'

/** The outcome of a call: icon, color and word. */
export function OutcomeMark({ outcome }: Pick<Call, 'outcome'>): JSX.Element {
  const { word: label, glyph } = OUTCOMES[outcome]
  return (
    <span
      className={clsx(
        'flex items-center gap-2 whitespace-nowrap',
        `is-${glyph}`,
        outcome === 'ok' ? 'text-muted' : 'text-status',
      )}
    >
      <StatusGlyph status={glyph} />
      {label}
    </span>
  )
}

function CallRow(props: {
  readonly call: Call
  readonly index: number
  /** In px from the first row. */
  readonly top: number
  readonly now: number
  readonly isStop: boolean
  readonly isSelected: boolean
  readonly onOpen: (call: Call) => void
}): JSX.Element {
  const { call, index, top, now, isStop, isSelected, onOpen } = props
  const method = otherMethod(call)
  const { word: label, glyph } = OUTCOMES[call.outcome]
  const isOk = call.outcome === 'ok'
  return (
    <div
      className={clsx(
        'call-row absolute inset-x-0 top-0 grid gap-2 gap-y-0',
        isSelected ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
      role="row"
      aria-rowindex={index + 1}
      style={{ top }}
    >
      <span className={`flex self-center is-${glyph}`} aria-hidden>
        {isOk ? <Check className="icon icon-s text-faint" /> : <StatusGlyph status={glyph} />}
      </span>
      <span role="cell" className="flex min-w-0 items-baseline gap-2">
        <button
          type="button"
          className="call-hit bare covers flex min-w-0"
          data-index={index}
          tabIndex={isStop ? 0 : -1}
          aria-current={isSelected ? 'true' : undefined}
          onClick={() => onOpen(call)}
        >
          <code className="truncate font-medium">{visibleText(call.target)}</code>
        </button>
        {method !== undefined && <span className="flex-none text-small text-faint">{method}</span>}
      </span>
      <time
        role="cell"
        className="text-right text-small whitespace-nowrap text-faint tabular-nums"
        dateTime={new Date(call.at).toISOString()}
        title={formatFull(call.at)}
      >
        {formatSeconds(call.at, now)}
      </time>
      <span role="cell" className="col-2 truncate text-small text-muted">
        {call.serverName === undefined
          ? call.agentName
          : `${call.serverName} for ${call.agentName}`}
      </span>
      <span role="cell" className="text-right text-small whitespace-nowrap">
        <span className={isOk ? 'sr-only' : `text-status is-${glyph} font-medium`}>{label}</span>{' '}
        <span className="text-faint tabular-nums">{formatDuration(call.durationMs)}</span>
      </span>
    </div>
  )
}

/** Maximum scroll offset that counts as the top, in px. */
const AT_TOP = 8
const RESUME_MS = 150

/** Follows new calls while the top is in view and no row is focused or open. */
function useFollowing(follow: CallSearch['follow'], isOpened: boolean) {
  const [isAtTop, setIsAtTop] = useState(true)
  const [isRead, setIsRead] = useState(false)
  const isFollowing = isAtTop && !isRead && !isOpened
  useEffect(() => {
    // Closing a call returns the focus to its row, where the user continues reading.
    const timer = setTimeout(() => follow(isFollowing), isFollowing ? RESUME_MS : 0)
    return () => clearTimeout(timer)
  }, [follow, isFollowing])
  return { setIsAtTop, setIsRead }
}

function Footer({ calls, isEnd }: CallResults): JSX.Element | null {
  if (!isEnd) return <p className="px-5 py-2 text-faint">Loading older calls</p>
  if (calls.length < MAX_SHOWN) return null
  return (
    <p className="px-5 py-2 text-faint">
      {`Showing the latest ${counted(MAX_SHOWN, 'call')}. To find older ones, narrow your search or export.`}
    </p>
  )
}

/** Height of a row, in rem. */
const ROW = 3
/** Number of rows before the end at which the next page loads. */
const AHEAD = 30

type TableProps = {
  readonly search: CallSearch
  readonly found: CallResults
  readonly selected: number | undefined
  readonly goal: Goal | undefined
  readonly onOpen: (call: Call) => void
  readonly onRead: (isRead: boolean) => void
}

function Table({ search, found, selected, goal, onOpen, onRead }: TableProps): JSX.Element {
  const { more } = search
  const { calls, total, isEnd } = found
  const now = useNow(60_000)
  const at = selected === undefined ? -1 : calls.findIndex(({ callId }) => callId === selected)
  const list = useVirtualList({
    count: calls.length,
    keyOf: useCallback((index: number) => calls[index]?.callId ?? index, [calls]),
    sizeOf: () => ROW,
    overscan: 8,
    current: at === -1 ? undefined : at,
    // If a call is open, the arrow keys open the next one.
    onMove: (index) => {
      const call = calls[index]
      if (call && selected !== undefined) onOpen(call)
    },
  })
  const { items, holder, isFocused } = list
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (!isEnd && last + AHEAD >= calls.length) more()
  }, [isEnd, last, calls.length, more])
  const read = useEffectEvent(onRead)
  useEffect(() => read(isFocused), [isFocused])
  const reach = useEffectEvent((index: number) => list.goTo(index))
  useEffect(() => {
    if (goal) reach(goal.index)
  }, [goal])
  return (
    <div role="table" aria-label="Calls of apps" aria-rowcount={total}>
      <div {...holder} role="rowgroup" className="relative">
        {items.map(({ key, ...place }) => {
          const call = calls[place.index]
          return (
            call && (
              <CallRow
                key={key}
                {...{ ...place, call, now, onOpen }}
                isSelected={call.callId === selected}
              />
            )
          )
        })}
      </div>
    </div>
  )
}

/** A call to scroll to and focus in the list; `count` rises with each request. */
export type Goal = { readonly index: number; readonly count: number }

/** The virtualized calls, newest first. New ones appear at the top while it is in view. */
export function CallTable(props: Omit<TableProps, 'onRead'>): JSX.Element {
  const { search, found, selected } = props
  const { fresh: newCount, follow } = search
  const region = useRef<HTMLDivElement>(null)
  const { setIsAtTop, setIsRead } = useFollowing(follow, selected !== undefined)
  useEffect(() => {
    region.current?.scrollTo({ top: 0 })
  }, [found.query])
  const show = (): void => {
    setIsRead(false)
    region.current?.scrollTo({ top: 0 })
    region.current?.focus({ preventScroll: true })
  }
  return (
    <div className="call-list relative flex min-h-0 flex-[0_0_clamp(19rem,34%,26rem)] border-r border-line">
      <ScrollRegion
        ref={region}
        className="min-w-0 flex-1"
        label="Calls"
        onScroll={({ currentTarget }) => setIsAtTop(currentTarget.scrollTop <= AT_TOP)}
      >
        <Table {...props} onRead={setIsRead} />
        <Footer {...found} />
      </ScrollRegion>
      {newCount > 0 && (
        <FollowPill
          icon={ArrowUp}
          label={counted(newCount, 'call').replace(' ', ' new ')}
          className="calls-pill"
          onFollow={show}
        />
      )}
    </div>
  )
}
