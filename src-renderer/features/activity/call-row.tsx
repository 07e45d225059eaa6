import clsx from 'clsx'
import { Check } from 'lucide-react'
import type { JSX } from 'react'

import type { Call } from '../../../src-shared/domain/agents/activity'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { formatDuration, formatFull, formatSeconds } from '../../ui/text/format'
import { visibleText } from '../../ui/text/visible-text'
import { otherMethod, OUTCOMES } from './messages'

/** How a call ended: shape, color and word. */
export function OutcomeMark({ outcome }: Pick<Call, 'outcome'>): JSX.Element {
  const { word, glyph } = OUTCOMES[outcome]
  return (
    <span className={clsx('row gap-2 nowrap', `is-${glyph}`, outcome === 'ok' ? 'soft' : 'tone')}>
      <StatusGlyph status={glyph} />
      {word}
    </span>
  )
}

/** One call in the list, on two lines: what was called and when, by whom and how it ended. */
export function CallRow({
  call,
  index,
  top,
  now,
  isStop,
  isSelected,
  onOpen,
}: {
  readonly call: Call
  readonly index: number
  /** In px from the first row. */
  readonly top: number
  readonly now: number
  /** Tab stops here. */
  readonly isStop: boolean
  readonly isSelected: boolean
  readonly onOpen: (call: Call) => void
}): JSX.Element {
  const method = otherMethod(call)
  const { word, glyph } = OUTCOMES[call.outcome]
  const isOk = call.outcome === 'ok'
  return (
    <div
      className={clsx('call-row placed stack gap-2 rows-0', isSelected ? 'lit' : 'lights')}
      role="row"
      aria-rowindex={index + 1}
      style={{ top }}
    >
      <span className={`call-mark is-${glyph}`} aria-hidden>
        {isOk ? <Check className="icon icon-s faint" /> : <StatusGlyph status={glyph} />}
      </span>
      <span role="cell" className="row at-base gap-2 slim">
        <button
          type="button"
          className="call-hit bare covers flex slim"
          data-index={index}
          tabIndex={isStop ? 0 : -1}
          aria-current={isSelected ? 'true' : undefined}
          onClick={() => onOpen(call)}
        >
          <code className="cut medium">{visibleText(call.target)}</code>
        </button>
        {method !== undefined && <span className="fixed faint small">{method}</span>}
      </span>
      <time
        role="cell"
        className="right faint small num nowrap"
        dateTime={new Date(call.at).toISOString()}
        title={formatFull(call.at)}
      >
        {formatSeconds(call.at, now)}
      </time>
      <span role="cell" className="call-by soft small cut">
        {call.serverName === undefined
          ? call.agentName
          : `${call.serverName} for ${call.agentName}`}
      </span>
      <span role="cell" className="right small nowrap">
        <span className={isOk ? 'sr' : `tone is-${glyph} medium`}>{word}</span>{' '}
        <span className="faint num">{formatDuration(call.durationMs)}</span>
      </span>
    </div>
  )
}
