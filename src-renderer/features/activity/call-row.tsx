import clsx from 'clsx'
import type { JSX } from 'react'

import type { Call } from '../../../src-shared/domain/agents/activity'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { formatBytes, formatDuration, formatFull, formatSeconds } from '../../ui/text/format'
import { visibleText } from '../../ui/text/visible-text'
import { otherMethod, OUTCOMES } from './messages'

/** How a call ended: shape, colour and word. */
export function OutcomeMark({ outcome }: Pick<Call, 'outcome'>): JSX.Element {
  const { word, glyph } = OUTCOMES[outcome]
  return (
    <span className={clsx('row gap-2 nowrap', `is-${glyph}`, outcome === 'ok' ? 'soft' : 'tone')}>
      <StatusGlyph status={glyph} />
      {word}
    </span>
  )
}

/** One call in the list; its name opens it. */
export function CallRow({
  call,
  index,
  top,
  now,
  isStop,
  onOpen,
}: {
  readonly call: Call
  readonly index: number
  /** In px from the first row. */
  readonly top: number
  readonly now: number
  /** Tab stops here. */
  readonly isStop: boolean
  readonly onOpen: (call: Call) => void
}): JSX.Element {
  const method = otherMethod(call)
  const when = new Date(call.at).toISOString()
  return (
    <div
      className="call-row lights placed stack level gap-2 pad-side ruled"
      role="row"
      aria-rowindex={index + 2}
      style={{ top }}
    >
      <time role="cell" className="faint nowrap" dateTime={when} title={formatFull(call.at)}>
        {formatSeconds(call.at, now)}
      </time>
      <span role="cell" className="cut hide-small">
        {call.agentName}
      </span>
      <span role="cell" className="cut hide-small">
        {call.serverName ?? <span className="faint">None</span>}
      </span>
      <span role="cell" className="row at-base gap-2 slim">
        <button
          type="button"
          className="call-hit bare covers flex slim"
          data-index={index}
          tabIndex={isStop ? 0 : -1}
          onClick={() => onOpen(call)}
        >
          <code className="cut medium">{visibleText(call.target)}</code>
        </button>
        {method !== undefined && <span className="fixed faint small hide-small">{method}</span>}
      </span>
      <span role="cell">
        <OutcomeMark outcome={call.outcome} />
      </span>
      <span role="cell" className="right faint num nowrap">
        {formatDuration(call.durationMs)}
      </span>
      <span role="cell" className="right faint num nowrap hide-small">
        {formatBytes(call.resultBytes)}
      </span>
    </div>
  )
}
