import type { ProtocolFaults } from '../../../src-shared/domain/running/protocol-faults'

type Sentence = (count: number) => string

const plural = (count: number, one: string, many: string): string =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`

/** Faults that cost the user something. Text on stdout, a late answer, a colored line or a batch is counted and listed only. */
const SENTENCES: Partial<Record<keyof ProtocolFaults, Sentence>> = {
  oversizedMessages: (count) =>
    `${plural(count, 'message was', 'messages were')} larger than the size limit and dropped.`,
  malformedMessages: (count) =>
    `${plural(count, 'message', 'messages')} did not follow the protocol.`,
  malformedAnswers: (count) =>
    `${plural(count, 'response', 'responses')} did not follow the protocol.`,
  unknownAnswers: (count) => `${plural(count, 'response', 'responses')} had an unknown request ID.`,
  duplicateAnswers: (count) =>
    `${plural(count, 'response', 'responses')} repeated an answered request.`,
}

/** The warnings that a server's protocol faults deserve, one sentence each. */
export function faultWarnings(faults: ProtocolFaults): string[] {
  return (Object.keys(SENTENCES) as (keyof ProtocolFaults)[]).flatMap((fault) =>
    faults[fault] > 0 ? [SENTENCES[fault]?.(faults[fault]) ?? ''] : [],
  )
}
