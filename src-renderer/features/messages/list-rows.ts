import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'

/** A row of the list: a message, or the start of a session. */
export type ListRow =
  | { readonly kind: 'message'; readonly seq: number; readonly entry: MessageEntry }
  /** `seq` is that of the message below. */
  | {
      readonly kind: 'session'
      readonly seq: number
      readonly session: number
      readonly at: number
    }

/**
 * Returns the rows of the shown messages, with a row above each session; `entries` are all messages, which determine the session starts.
 */
export function rowsOf(
  shown: readonly MessageEntry[],
  entries: readonly MessageEntry[],
): readonly ListRow[] {
  const begins = sessionStarts(entries)
  const rows: ListRow[] = []
  for (const [index, entry] of shown.entries()) {
    const { seq, session, at } = entry
    if (session !== shown[index - 1]?.session)
      rows.push({ kind: 'session', seq, session, at: begins.get(session) ?? at })
    rows.push({ kind: 'message', seq, entry })
  }
  return rows
}

function sessionStarts(entries: readonly MessageEntry[]): ReadonlyMap<number, number> {
  const starts = new Map<number, number>()
  for (const [index, { session, at }] of entries.entries())
    if (session !== entries[index - 1]?.session && !starts.has(session)) starts.set(session, at)
  return starts
}

/** Returns the index of a message's row; undefined if it is not shown. */
export function rowAt(rows: readonly ListRow[], seq: number): number | undefined {
  const first = indexAt(rows, seq)
  const index = rows[first]?.kind === 'session' ? first + 1 : first
  return rows[index]?.seq === seq ? index : undefined
}

/** Counts the messages after `seq`. */
export function countAfter(shown: readonly MessageEntry[], seq: number): number {
  return shown.length - indexAt(shown, seq + 1)
}

/** A request and its response. Any other message is `alone`. */
export type MessagePair = {
  readonly request: MessageEntry | undefined
  readonly answer: MessageEntry | undefined
  readonly alone: MessageEntry | undefined
}

function isResponse({ kind }: MessageEntry): boolean {
  return kind === 'result' || kind === 'error'
}

/** Returns the stored pair of a message; undefined if the message is no longer stored. */
export function pairOf(entries: readonly MessageEntry[], seq: number): MessagePair | undefined {
  const entry = atSeq(entries, seq)
  if (!entry) return undefined
  if (isResponse(entry)) {
    const { requestSeq } = entry
    const request = requestSeq === undefined ? undefined : atSeq(entries, requestSeq)
    return { request, answer: entry, alone: undefined }
  }
  if (entry.kind === 'notification') return { request: undefined, answer: undefined, alone: entry }
  return {
    request: entry,
    answer: entries.find(({ requestSeq }) => requestSeq === seq),
    alone: undefined,
  }
}

/** Returns the number of the other message of a pair; undefined if there is none. */
export function counterpartOf(pair: MessagePair, seq: number): number | undefined {
  const { request, answer: response } = pair
  return [request, response].find((half) => half !== undefined && half.seq !== seq)?.seq
}

/** Returns the message with this number by binary search. */
function atSeq(entries: readonly MessageEntry[], seq: number): MessageEntry | undefined {
  const low = indexAt(entries, seq)
  const entry = entries[low]
  return entry?.seq === seq ? entry : undefined
}

/** Returns the index of the first entry with at least this `seq`; the length if there is none. */
export function indexAt(entries: readonly { readonly seq: number }[], seq: number): number {
  const span = { low: 0, high: entries.length }
  while (span.low < span.high) {
    const middle = (span.low + span.high) >>> 1
    if ((entries[middle]?.seq ?? Infinity) < seq) span.low = middle + 1
    else span.high = middle
  }
  return span.low
}
