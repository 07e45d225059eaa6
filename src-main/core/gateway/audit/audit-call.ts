import { join } from 'node:path'

import type { ActivityCounts, Call } from '../../../../src-shared/domain/agents/activity'

/** A call before it is stored; storing assigns its number. */
export type NewCall = Omit<Call, 'callId'>

/** Why earlier calls are no longer shown. */
export type AuditLoss = 'corrupt' | 'newer'

const STEP_MS = 1_800_000
const STEPS = 48

export function auditPath(folder: string): string {
  return join(folder, 'activity.db')
}

/** Returns zero counts for the 24 h that end with the half hour of `now` (epoch ms); steps begin at whole half hours. */
export function emptyDay(now: number): ActivityCounts {
  const from = now - (now % STEP_MS) - (STEPS - 1) * STEP_MS
  const steps = Array.from({ length: STEPS }, () => ({ calls: 0, failed: 0 }))
  return { from, stepMs: STEP_MS, steps }
}
