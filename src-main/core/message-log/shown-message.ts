import type { MessageEntry, MessageFilter } from '../../../src-shared/domain/agents/message-log'
import { maskJson, maskJsonInTurns } from '../masking/mask-json'
import type { Redactor } from '../masking/redact'
import type { MessagePairs, RequestMessage } from './message-pairs'
import type { HeldMessage, MessageRing } from './message-ring'

/** The messages of one server, and which of them belong together. */
export type ServerMessages = { readonly ring: MessageRing; readonly pairs: MessagePairs }

/** A longer text is masked in turns, in UTF-16 units. */
const LONGEST_AT_ONCE = 64 * 1024
/** Parts of a millisecond that are shown. */
const A_MS = 1_000

/** A message as a row shows it; undefined where it is not held. */
export function shownEntry(
  { ring, pairs }: ServerMessages,
  seq: number,
  redactor: Redactor,
): MessageEntry | undefined {
  const held = ring.get(seq)
  if (!held) return undefined
  const { session, at, time, direction, kind, id, code, bytes } = held
  const asked = pairs.of(seq)
  const { method = asked?.method, target = asked?.target } = held
  return {
    ...{ seq, session, at, direction, kind, bytes, hasText: held.hasText },
    ...(method !== undefined && { method: redactor(method) }),
    ...(id !== undefined && { id: shownId(id, redactor) }),
    ...(target !== undefined && { target: redactor(target) }),
    ...(code !== undefined && { code }),
    ...(asked && pairOf(asked, time, ring.firstSeq)),
  }
}

/** The text of a message as it is shown; undefined where it is not held. */
export async function shownText(
  held: HeldMessage | undefined,
  redactor: Redactor,
): Promise<string | undefined> {
  const text = held?.text
  if (text === undefined) return undefined
  return text.length > LONGEST_AT_ONCE ? maskJsonInTurns(text, redactor) : maskJson(text, redactor)
}

/** Whether a message passes all of a filter but its text. */
export function fits(entry: MessageEntry, filter: MessageFilter): boolean {
  const { method, id, direction, isError } = filter
  return (
    (method === undefined || entry.method === method) &&
    (id === undefined || entry.id === id) &&
    (direction === undefined || entry.direction === direction) &&
    (isError === undefined || (entry.kind === 'error') === isError)
  )
}

/** Tells whether what is looked for stands in a text that is shown, as it is written there or as it is meant; any case. */
export function finderOf(wanted: string): (shown: string) => boolean {
  const forms = new Set(
    [wanted, JSON.stringify(wanted).slice(1, -1)].map((one) => one.toLowerCase()),
  )
  return (shown) => {
    const text = shown.toLowerCase()
    for (const form of forms) if (text.includes(form)) return true
    return false
  }
}

function pairOf(
  asked: RequestMessage,
  time: number,
  firstSeq: number,
): Pick<MessageEntry, 'durationMs' | 'requestSeq'> {
  const durationMs = Math.round((time - asked.time) * A_MS) / A_MS
  return asked.seq >= firstSeq ? { durationMs, requestSeq: asked.seq } : { durationMs }
}

function shownId(id: unknown, redactor: Redactor): string {
  if (typeof id === 'string') return JSON.stringify(redactor(id))
  const text = JSON.stringify(id)
  return redactor(text) === text ? text : JSON.stringify(redactor(text))
}
