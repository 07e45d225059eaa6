import type { NewCall } from './audit-row'

/** The longest of each text that is kept, in UTF-16 units. */
const LONGEST = { name: 200, target: 1_000, message: 2_000, arguments: 8_000 } as const
/** At the end of what was cut. */
const CUT = '…'
/** Beyond this a text is not even looked through for secrets; the cut lies far behind what is kept. */
const LOOKED_THROUGH = 65_536

/** About how much memory a call takes while it waits, in bytes. */
export function roomOf(call: NewCall): number {
  const texts = [call.target, call.message ?? '', call.arguments ?? '']
  return 400 + 2 * texts.reduce((sum, text) => sum + Math.min(text.length, LOOKED_THROUGH), 0)
}

/** Masks secrets in a text of a call, where the call was of a server its own. */
export type CallMask = (text: string, installationId: string | undefined) => string

/** A call as it is kept: secrets masked first, then cut. */
export function keptCall(call: NewCall, mask: CallMask): NewCall {
  const kept = (text: string, longest: number): string =>
    cut(mask(text.slice(0, LOOKED_THROUGH), call.installationId), longest)
  return {
    ...call,
    agentName: cut(call.agentName, LONGEST.name),
    serverName: call.serverName && cut(call.serverName, LONGEST.name),
    method: cut(call.method, LONGEST.name),
    requestBytes: Math.round(call.requestBytes),
    resultBytes: Math.round(call.resultBytes),
    target: kept(call.target, LONGEST.target),
    message: call.message && kept(call.message, LONGEST.message),
    arguments: call.arguments && kept(call.arguments, LONGEST.arguments),
  }
}

/** A call as it is shown: what became known as a secret since it was kept is masked too. */
export function shownCall<T extends NewCall>(call: T, mask: CallMask): T {
  const shown = (text: string): string => {
    // A mask sees a secret that was cut only where the text ends with it.
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

function cut(text: string, longest: number): string {
  return text.length > longest ? text.slice(0, longest) + CUT : text
}
