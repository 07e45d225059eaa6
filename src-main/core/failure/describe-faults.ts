import type { ProtocolFaults } from '../../../src-shared/domain/running/protocol-faults'

type Sentence = (count: number) => string

const plural = (count: number, one: string, many: string): string =>
  count === 1 ? `One ${one}` : `${count.toLocaleString('en')} ${many}`

/** Faults that cost the user something. Text on stdout, a late answer, a colored line or a batch is counted and listed only. */
const SENTENCES: Partial<Record<keyof ProtocolFaults, Sentence>> = {
  oversizedMessages: (count) =>
    `${plural(count, 'message was', 'messages were')} over the size limit and let go.`,
  malformedMessages: (count) =>
    `${plural(count, 'message', 'messages')} did not follow the protocol.`,
  malformedAnswers: (count) => `${plural(count, 'answer', 'answers')} did not follow the protocol.`,
  unknownAnswers: (count) =>
    `${plural(count, 'answer', 'answers')} came to a question that was never asked.`,
  duplicateAnswers: (count) =>
    `${plural(count, 'answer', 'answers')} came to a question that had its answer.`,
}

/** The warnings that a server's protocol faults deserve, one sentence each. */
export function faultWarnings(faults: ProtocolFaults): string[] {
  return (Object.keys(SENTENCES) as (keyof ProtocolFaults)[]).flatMap((fault) =>
    faults[fault] > 0 ? [SENTENCES[fault]?.(faults[fault]) ?? ''] : [],
  )
}
