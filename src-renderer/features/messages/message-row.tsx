import clsx from 'clsx'
import type { JSX } from 'react'
import { memo } from 'react'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import { formatBytes, formatDuration, formatStamp } from '../../ui/text/format'
import { visibleText } from '../../ui/text/visible-text'
import {
  aboutWords,
  DIRECTION_WORD,
  KIND_WORD,
  kindWords,
  methodWords,
  sessionWords,
} from './detail/messages'
import type { ListRow } from './list-rows'

type Placed = {
  readonly index: number
  /** In px from the first row. */
  readonly top: number
}

/** The heads of the columns. */
export function RowHead(): JSX.Element {
  return (
    <div
      className="traffic-head sticks row gap-3 faint micro nowrap ruled surface"
      role="row"
      aria-rowindex={1}
    >
      <span role="columnheader">Time</span>
      <span role="columnheader">
        <span className="sr">Direction</span>
      </span>
      <span role="columnheader">Kind</span>
      <span role="columnheader">Method and target</span>
      <span role="columnheader">Id</span>
      <span role="columnheader" className="right num">
        Size
      </span>
      <span role="columnheader" className="right num">
        Duration
      </span>
      <span role="columnheader" className="right num">
        Code
      </span>
    </div>
  )
}

/** The space between the two is that of their name, which speech commands know. */
function About({ entry }: { readonly entry: MessageEntry }): JSX.Element {
  const { target, kind } = entry
  return (
    <>
      <code className={clsx('traffic-method cut fixed', isAsked(kind) && 'medium')}>
        {methodWords(entry)}
      </code>{' '}
      {target !== undefined && <code className="cut">{visibleText(target)}</code>}
    </>
  )
}

/** Whether it says something of its own, where the others answer. */
function isAsked(kind: MessageEntry['kind']): boolean {
  return kind === 'request' || kind === 'notification'
}

type RowProps = Placed & {
  readonly entry: MessageEntry
  readonly isSelected: boolean
  /** It is the other half of the selected one. */
  readonly isOther: boolean
  /** Tab stops here. */
  readonly isStop: boolean
  readonly onSelect: (seq: number) => void
}

/** What stands out of the list keeps its ground under the pointer. */
function groundOf({ entry, isSelected, isOther }: RowProps): string {
  const state = entry.kind === 'error' ? 'tint is-error' : ''
  if (isSelected) return `${state} lit is-selected`
  if (isOther) return `${state} pressed`
  return state || 'lights'
}

/** One message in the list; what it is about opens it. */
export const MessageRow = memo(function MessageRow(props: RowProps): JSX.Element {
  const { entry, index, top, isSelected, isStop, onSelect } = props
  const { seq, at, kind, direction, id, bytes, durationMs, code } = entry
  return (
    <div
      className={clsx('traffic-row placed row gap-3', groundOf(props))}
      role="row"
      aria-rowindex={index + 2}
      style={{ top }}
    >
      <time role="cell" className="soft small nowrap" dateTime={new Date(at).toISOString()}>
        {formatStamp(at)}
      </time>
      <span
        role="cell"
        className={direction === 'sent' ? 'title accent' : 'title soft'}
        // A sign in place of a picture: thousands of them pass by.
        data-drawn={direction === 'sent' ? '→' : '←'}
        aria-label={DIRECTION_WORD[direction]}
      />
      <span role="cell" className={clsx('small', kind === 'error' ? 'tone' : 'soft')}>
        {KIND_WORD[kind]}
      </span>
      <span role="cell" className="slim">
        <button
          type="button"
          className={clsx('traffic-hit bare covers flex whole gap-2 slim', isAsked(kind) || 'soft')}
          data-index={index}
          tabIndex={isStop ? 0 : -1}
          aria-label={`${aboutWords(entry)}, ${kindWords(entry)}`}
          aria-current={isSelected ? 'true' : undefined}
          onClick={() => onSelect(seq)}
        >
          <About entry={entry} />
        </button>
      </span>
      <code role="cell" className="cut traffic-id soft">
        {id === undefined ? '' : visibleText(id)}
      </code>
      <span role="cell" className="right soft small num nowrap">
        {formatBytes(bytes)}
      </span>
      <span role="cell" className="right soft small num nowrap">
        {durationMs === undefined ? '' : formatDuration(durationMs)}
      </span>
      <span role="cell" className="right tone is-error small num nowrap">
        {code ?? ''}
      </span>
    </div>
  )
})

/** The line above the messages of a session. */
export function SessionLine({
  row,
  index,
  top,
  now,
}: Placed & {
  readonly row: Extract<ListRow, { kind: 'session' }>
  readonly now: number
}): JSX.Element {
  return (
    <div
      className="traffic-session placed row soft small num"
      role="row"
      aria-rowindex={index + 2}
      style={{ top }}
    >
      <span role="cell" className="between-rules row gap-3 grow nowrap" aria-colspan={8}>
        {sessionWords(row.session, row.at, now)}
      </span>
    </div>
  )
}
