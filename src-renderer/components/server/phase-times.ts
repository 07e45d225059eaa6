import type { PhaseRecord, StartPhase } from '../../../src-shared/domain/running/run-status'
import { StartPhase as StartPhases } from '../../../src-shared/domain/running/run-status'
import { formatDuration, formatWhole } from '../../ui/text/format'

/** Appearance of a start step; `long` is the longest step of a successful start. */
export type PhaseAppearance = 'quick' | 'long' | 'live' | 'bad' | 'rest'

/** One step of the newest start; `ms` is 0 if it never ran. */
export type PhaseView = {
  readonly phase: StartPhase
  readonly look: PhaseAppearance
  readonly ms: number
  readonly text: string
}

function durationOf(record: PhaseRecord, now: number): number {
  return Math.max(0, (record.endedAt ?? now) - record.startedAt)
}

function textOf(record: PhaseRecord, ms: number): string {
  switch (record.outcome) {
    case 'running':
      if (record.isWaiting === true) return record.note ?? 'waiting for its turn'
      return `${formatWhole(ms)} of ${formatWhole(record.budgetMs)}`
    case 'failed':
      return ms >= record.budgetMs ? `${formatWhole(record.budgetMs)}, limit` : formatDuration(ms)
    case 'skipped':
      return record.note ?? 'not needed'
    case 'cancelled':
      return 'cancelled'
    case 'done':
      return formatDuration(ms)
  }
}

const APPEARANCES: Readonly<Record<PhaseRecord['outcome'], PhaseAppearance>> = {
  ...{ running: 'live', failed: 'bad' },
  ...{ skipped: 'rest', cancelled: 'rest', done: 'quick' },
}

/** Returns the steps of the newest start in order; `now` is epoch ms. */
export function phaseViews(phases: readonly PhaseRecord[], now: number): readonly PhaseView[] {
  const longest = phases
    .filter(({ outcome }) => outcome === 'done')
    .reduce<PhaseRecord | undefined>(
      (most, record) => (most && durationOf(most, now) >= durationOf(record, now) ? most : record),
      undefined,
    )
  const isRunning = phases.some(({ outcome }) => outcome === 'running')
  // An ordinary start has no runner setup and no repair.
  const steps = StartPhases.options.filter(
    (phase) =>
      (phase !== 'setUp' && phase !== 'repair') || phases.some((record) => record.phase === phase),
  )
  return steps.map((phase) => {
    const record = phases.find((candidate) => candidate.phase === phase)
    if (!record) return { phase, look: 'rest', ms: 0, text: isRunning ? 'to come' : 'not reached' }
    const ms = durationOf(record, now)
    const text = textOf(record, ms)
    const { note } = record
    return {
      phase,
      look: record === longest ? 'long' : APPEARANCES[record.outcome],
      ms,
      text: note === undefined ? text : `${text}, ${note}`,
    }
  })
}

/** Returns the duration of the newest start so far, in ms. */
export function startDuration(phases: readonly PhaseRecord[], now: number): number {
  return phases.reduce((sum, record) => sum + durationOf(record, now), 0)
}
