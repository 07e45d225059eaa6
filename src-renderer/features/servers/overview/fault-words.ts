import type { ProtocolFaults } from '../../../../src-shared/domain/running/protocol-faults'
import { formatCount } from '../../../ui/text/elapsed'

const WORDS: Readonly<Record<keyof ProtocolFaults, readonly [one: string, many: string]>> = {
  noiseLines: ['line set aside', 'lines set aside'],
  decoratedLines: [
    'message with colours or a byte order mark',
    'messages with colours or a byte order mark',
  ],
  batches: ['array of messages', 'arrays of messages'],
  oversizedMessages: ['message over the size limit', 'messages over the size limit'],
  malformedMessages: ['malformed message', 'malformed messages'],
  malformedAnswers: ['malformed answer', 'malformed answers'],
  unknownAnswers: ['answer to nothing asked', 'answers to nothing asked'],
  duplicateAnswers: ['doubled answer', 'doubled answers'],
  lateAnswers: ['late answer', 'late answers'],
  repairs: ['repair', 'repairs'],
}

/** The faults that a server has shown since its start, as one line: "2 lines set aside, 1 late answer"; empty for none. */
export function faultWords(faults: ProtocolFaults): string {
  return (Object.keys(WORDS) as (keyof ProtocolFaults)[])
    .filter((fault) => faults[fault] > 0)
    .map((fault) => `${formatCount(faults[fault])} ${WORDS[fault][faults[fault] === 1 ? 0 : 1]}`)
    .join(', ')
}
