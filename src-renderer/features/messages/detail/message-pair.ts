import type { MessageEntry } from '../../../../src-shared/domain/agents/message-log'

/** A message with its other half: what was asked, and what was answered; one that is neither stands alone. */
export type MessagePair = {
  readonly request: MessageEntry | undefined
  readonly answer: MessageEntry | undefined
  readonly alone: MessageEntry | undefined
}

/** Whether a message is an answer to a request. */
function isAnswer({ kind }: MessageEntry): boolean {
  return kind === 'result' || kind === 'error'
}

/** The pair that a message belongs to, as far as it is held; undefined where it is gone. */
export function pairOf(entries: readonly MessageEntry[], seq: number): MessagePair | undefined {
  const entry = atSeq(entries, seq)
  if (!entry) return undefined
  if (isAnswer(entry)) {
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

/** The other half of a pair; undefined where there is none. */
export function otherHalf(pair: MessagePair, seq: number): number | undefined {
  const { request, answer } = pair
  return [request, answer].find((half) => half !== undefined && half.seq !== seq)?.seq
}

/** The message of this number; they rise. */
function atSeq(entries: readonly MessageEntry[], seq: number): MessageEntry | undefined {
  const low = indexAt(entries, seq)
  const entry = entries[low]
  return entry?.seq === seq ? entry : undefined
}

/** Where the first of those stands whose `seq` is not below; their length where there is none. */
export function indexAt(entries: readonly { readonly seq: number }[], seq: number): number {
  const span = { low: 0, high: entries.length }
  while (span.low < span.high) {
    const middle = (span.low + span.high) >>> 1
    if ((entries[middle]?.seq ?? Infinity) < seq) span.low = middle + 1
    else span.high = middle
  }
  return span.low
}
