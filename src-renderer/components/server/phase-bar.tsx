import type { JSX } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { useNow } from '../../stores/now'
import { formatDuration } from '../../ui/text/format'
import { PHASE_WORD } from '../../ui/text/status-messages'
import type { PhaseLook } from './phase-times'
import { phaseViews, startSpan } from './phase-times'
import { phaseTick } from './tick'

const LOOK: Record<PhaseLook, string> = {
  quick: 'ph-quick',
  long: 'ph-long',
  live: 'is-starting',
  bad: 'is-error',
  rest: 'ph-rest',
}

type Phases = ServerView['phases']

function spokenStart(phases: Phases, now: number): string {
  const running = phases.find(({ outcome }) => outcome === 'running')
  if (running) return `Starting: ${PHASE_WORD[running.phase].toLowerCase()}`
  const failed = phases.find(({ outcome }) => outcome === 'failed')
  const span = formatDuration(startSpan(phases, now))
  if (failed) return `Last start failed in ${PHASE_WORD[failed.phase].toLowerCase()} after ${span}`
  return `Last start ${span}`
}

/** The newest start in one bar: width is time, the longest step is dark. */
export function PhaseBar({ phases }: { readonly phases: Phases }): JSX.Element {
  const now = useNow(phaseTick(phases))
  const views = phaseViews(phases, now)
  const total = Math.max(1, startSpan(phases, now))
  return (
    <span className="phases meter clip row" role="img" aria-label={spokenStart(phases, now)}>
      {views.map(({ phase, look, ms }) => (
        <span key={phase} className={LOOK[look]} style={{ flexGrow: Math.max(0.06, ms / total) }} />
      ))}
    </span>
  )
}

/** How long the newest start took, or has taken so far. */
export function StartSpan({ phases }: { readonly phases: Phases }): JSX.Element {
  const now = useNow(phaseTick(phases))
  return <>{formatDuration(startSpan(phases, now))}</>
}
