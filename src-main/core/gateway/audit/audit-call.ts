import { join } from 'node:path'

import type { ActivityCounts, Call } from '../../../../src-shared/domain/agents/activity'

/** A call before it is stored, which gives it its number. */
export type NewCall = Omit<Call, 'callId'>

/** Why calls of before are no longer shown. */
export type AuditLoss = 'corrupt' | 'newer'

/** Masks the secrets of a call's server in a text; of an unknown server those of all. */
export type CallMask = (text: string, installationId: string | undefined) => string

/** The longest of each text that is stored, in UTF-16 units. */
const LONGEST = { name: 200, target: 1_000, message: 2_000, arguments: 8_000 } as const
const CUT = '…'
/** Text beyond this is not searched for secrets; the cut lies far before it. */
const LONGEST_MASKED = 65_536
const STEP_MS = 1_800_000
const STEPS = 48

/** Where the calls of a folder are stored. */
export function auditPath(folder: string): string {
  return join(folder, 'activity.db')
}

/** The memory that a call takes while it waits, in bytes, roughly. */
export function sizeOf({ target, message = '', arguments: args = '' }: NewCall): number {
  return 400 + 2 * Math.min(target.length + message.length + args.length, LONGEST_MASKED)
}

/** A call as it is stored: secrets masked first, then cut. */
export function storedCall(call: NewCall, mask: CallMask): NewCall {
  const masked = (text: string, longest: number): string =>
    cut(mask(text.slice(0, LONGEST_MASKED), call.installationId), longest)
  return {
    ...call,
    agentName: cut(call.agentName, LONGEST.name),
    serverName: call.serverName && cut(call.serverName, LONGEST.name),
    method: cut(call.method, LONGEST.name),
    target: masked(call.target, LONGEST.target),
    message: call.message && masked(call.message, LONGEST.message),
    arguments: call.arguments && masked(call.arguments, LONGEST.arguments),
  }
}

/** A call as it is shown: secrets that became known since it was stored are masked too. */
export function shownCall(call: Call, mask: CallMask): Call {
  const shown = (text: string): string => {
    // A mask recognizes a secret that was cut only at the end of a text.
    const isCut = text.endsWith(CUT)
    const whole = isCut ? text.slice(0, -CUT.length) : text
    return mask(whole, call.installationId) + (isCut ? CUT : '')
  }
  return {
    ...call,
    target: shown(call.target),
    message: call.message && shown(call.message),
    arguments: call.arguments && shown(call.arguments),
  }
}

/** Zero counts for the 24 h that end with the half hour of `now` (epoch ms); steps begin at whole half hours. */
export function emptyDay(now: number): ActivityCounts {
  const from = now - (now % STEP_MS) - (STEPS - 1) * STEP_MS
  const steps = Array.from({ length: STEPS }, () => ({ calls: 0, failed: 0 }))
  return { from, stepMs: STEP_MS, steps }
}

function cut(text: string, longest: number): string {
  return text.length > longest ? text.slice(0, longest) + CUT : text
}
