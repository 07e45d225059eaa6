import clsx from 'clsx'
import type { CSSProperties, JSX } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import type { PhaseLook } from '../../components/server/phase-times'
import { phaseViews, startSpan } from '../../components/server/phase-times'
import { phaseTick } from '../../components/server/tick'
import { useNow } from '../../stores/now'
import { formatDuration } from '../../ui/text/format'
import { PHASE_WORD } from '../../ui/text/status-messages'

/** How a step and its time look. */
const LOOK: Record<PhaseLook, readonly [step: string, time: string]> = {
  quick: ['soft ph-quick', 'faint'],
  long: ['soft ph-long', 'medium ink'],
  live: ['tone is-starting', ''],
  bad: ['tone is-error', ''],
  rest: ['faint ph-rest', ''],
}

type Columns = CSSProperties & { readonly '--cols': string }

/** The five steps of a start that is under way or failed: width is time. */
export function PhaseTimeline({
  phases,
}: {
  readonly phases: ServerView['phases']
}): JSX.Element | null {
  const now = useNow(phaseTick(phases))
  if (phases.length === 0) return null
  const views = phaseViews(phases, now)
  const total = Math.max(1, startSpan(phases, now))
  const columns: Columns = {
    '--cols': views
      .map(({ ms }) => `minmax(4.125rem, ${(10 * Math.max(0.08, ms / total)).toFixed(2)}fr)`)
      .join(' '),
  }
  const span = formatDuration(startSpan(phases, now))
  return (
    <ol
      className="timeline stack"
      aria-label={`Phases of the newest start, ${span} in all`}
      style={columns}
    >
      {views.map(({ phase, look, text }) => (
        <li key={phase} className={clsx('stack small', LOOK[look][0])}>
          {PHASE_WORD[phase]}
          <span className={clsx('num', LOOK[look][1])}>{text}</span>
        </li>
      ))}
    </ol>
  )
}
