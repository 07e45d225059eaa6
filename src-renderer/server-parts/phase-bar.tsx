import type { JSX } from 'react'

import type { ServerView } from '../../src-shared/domain/app-state'
import { formatDuration } from '../ui/elapsed'
import { PHASE_WORD } from '../ui/status-words'
import { phaseViews, startSpan } from './phase-times'

function spokenStart(phases: ServerView['phases'], now: number): string {
  const running = phases.find(({ outcome }) => outcome === 'running')
  if (running) return `Now in ${PHASE_WORD[running.phase].toLowerCase()}`
  const failed = phases.find(({ outcome }) => outcome === 'failed')
  const span = formatDuration(startSpan(phases, now))
  if (failed) return `Last start failed in ${PHASE_WORD[failed.phase].toLowerCase()} after ${span}`
  return `Last start ${span}`
}

/** The newest start in one bar: width is time, the longest step is dark. */
export function PhaseBar({
  phases,
  now,
}: {
  readonly phases: ServerView['phases']
  readonly now: number
}): JSX.Element {
  const views = phaseViews(phases, now)
  const total = Math.max(1, startSpan(phases, now))
  return (
    <span className="phases" role="img" aria-label={spokenStart(phases, now)}>
      {views.map(({ phase, look, ms }) => (
        <span
          key={phase}
          className={`ph-${look}`}
          style={{ flexGrow: Math.max(0.06, ms / total) }}
        />
      ))}
    </span>
  )
}
