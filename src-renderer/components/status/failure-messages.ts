import type { FailedStatus, RunStatus } from '../../../src-shared/domain/running/run-status'
import { counted, formatWhole } from '../../ui/text/format'

type BackingOff = Extract<RunStatus, { kind: 'backingOff' }>
type Paused = Extract<RunStatus, { kind: 'paused' }>

/** The known cause and what happened, or else the message and what to do; where fields are named, the way to them says what to do. */
export function errorSentence({ cause, message, hint, fields }: FailedStatus): string {
  if (cause !== undefined) return `${cause.sentence} ${message}`
  return hint === undefined || fields.length > 0 ? message : `${message} ${hint}`
}

/** When something comes, in whole seconds: `in 12 s`, and `now` once its time has come. */
export function untilWords(until: number, now: number): string {
  const seconds = Math.ceil((until - now) / 1_000)
  return seconds <= 0 ? 'now' : `in ${formatWhole(seconds * 1_000)}`
}

function tryWords({ attempt, of, until, because }: BackingOff, now: number): string {
  const when = untilWords(until, now)
  const many = of === undefined ? '' : ` of ${of}`
  if (because !== 'rest') return `next try ${when}, attempt ${attempt}${many}`
  return attempt === 1 ? `test start ${when}` : `test start ${when}, attempt ${attempt}${many}`
}

function restWords({ attempt, losses, withinMs }: BackingOff): string {
  if (attempt > 1) return 'Cooling down again after a failed test start.'
  if (losses === undefined || withinMs === undefined)
    return 'Cooling down after repeated disconnects.'
  return `Cooling down after ${counted(losses, 'disconnect')} within ${formatWhole(withinMs)}.`
}

/** What comes next for a server that is tried again: "Next try in 12 s, attempt 3 of 5." */
export function nextTrySentence(status: BackingOff, now: number): string {
  const words = tryWords(status, now)
  const sentence = `${words.charAt(0).toUpperCase()}${words.slice(1)}`
  if (status.isOffline === true)
    return `This computer is offline. ${sentence}, or as soon as you’re back online.`
  return status.because === 'rest' ? `${restWords(status)} ${sentence}.` : `${sentence}.`
}

/** The same for a row, without full stop: "next try in 12 s, attempt 3 of 5". */
export function nextTryBrief(status: BackingOff, now: number): string {
  const words = tryWords(status, now)
  if (status.isOffline === true) return `offline, ${words}`
  return status.because === 'rest' ? `cooling down, ${words}` : words
}

/** Why a paused server waits, what failed last, and for whom it waits. */
export function pausedSentence(status: Paused): string {
  return `${status.reason} ${errorSentence(status)}`
}
