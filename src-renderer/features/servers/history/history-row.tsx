import './history-panel.css'

import type { JSX } from 'react'

import type { HistoryEvent } from '../../../../src-shared/domain/running/history'
import { StatusGlyph } from '../../../ui/marks/status-glyph'
import { formatFull, formatMoment } from '../../../ui/text/format'
import { factLook, factWords } from './history-messages'

/** One thing that happened to a server: what, what there is to know of it, and when. */
export function HistoryRow({
  event: { at, fact },
  now,
}: {
  readonly event: HistoryEvent
  readonly now: number
}): JSX.Element {
  const { title, text } = factWords(fact)
  const look = factLook(fact)
  return (
    <li className="stack gap-3 rows-0 at-base ruled">
      {look === 'plain' ? (
        <span className="dot is-stopped" aria-hidden />
      ) : (
        <StatusGlyph status={look} />
      )}
      <b>{title}</b>
      <span className="said soft break num">{text}</span>
      <time className="faint num" dateTime={new Date(at).toISOString()} title={formatFull(at)}>
        {formatMoment(at, now)}
      </time>
    </li>
  )
}
