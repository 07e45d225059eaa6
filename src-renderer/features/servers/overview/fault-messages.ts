import type { ProtocolFaults } from '../../../../src-shared/domain/running/protocol-faults'
import { formatCount } from '../../../ui/text/format'

const WORDS: Readonly<Record<keyof ProtocolFaults, readonly [one: string, many: string]>> = {
  noiseLines: ['invalid line', 'invalid lines'],
  decoratedLines: [
    'message with colors or a byte order mark',
    'messages with colors or a byte order mark',
  ],
  batches: ['batch', 'batches'],
  oversizedMessages: ['message over the size limit', 'messages over the size limit'],
  malformedMessages: ['malformed message', 'malformed messages'],
  malformedAnswers: ['malformed answer', 'malformed answers'],
  unknownAnswers: ['unexpected answer', 'unexpected answers'],
  duplicateAnswers: ['duplicate answer', 'duplicate answers'],
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
