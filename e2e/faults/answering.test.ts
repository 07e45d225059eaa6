import { expect } from 'vitest'

import type { AppErrorCode } from '../../src-shared/domain/app-error'
import type { ProtocolFaults } from '../../src-shared/domain/running/protocol-faults'
import type { FaultRow } from './fault-row'
import { testRows } from './test-rows'

const LIMIT_MS = 700

type Faults = Partial<ProtocolFaults>

/** The call is answered anyway, the fault is counted, and the connection continues. */
function isUnderstood(fault: string, tool: string, faults: Faults): FaultRow {
  return {
    fault,
    script: 'answers.mjs',
    play: async (run) => {
      await run.startsWorking()
      const { text, ms } = await run.calls(tool)
      expect(text).toBe('as it should be')
      return { seen: `Call: answered; then ${await run.goesOn(faults)}`, ms }
    },
  }
}

/** The call fails with a reason, the fault is counted, and the connection continues. */
function failsOneCall(
  fault: string,
  tool: string,
  code: AppErrorCode,
  message: RegExp,
  faults: Faults,
): FaultRow {
  return {
    fault,
    script: 'answers.mjs',
    play: async (run) => {
      await run.startsWorking()
      const options = code === 'REQUEST_TIMEOUT' ? { timeoutMs: LIMIT_MS } : {}
      const { seen, ms } = await run.callFails(tool, { code, message }, {}, options)
      return { seen: `${seen}; then ${await run.goesOn(faults)}`, ms }
    },
  }
}

testRows('servers that answer wrongly', [
  failsOneCall('refuses a call', 'refused', 'REQUEST_REFUSED', /The cupboard is bare/u, {}),
  failsOneCall('answers with a wrong id', 'wrong_id', 'INVALID_ANSWER', /ID/u, {
    unknownAnswers: 1,
  }),
  isUnderstood('answers a wrong id first, then the right one', 'wrong_id_first', {
    unknownAnswers: 1,
  }),
  isUnderstood('answers with its id as text', 'text_id', { malformedAnswers: 1 }),
  failsOneCall('refuses a call with null as id', 'null_id', 'REQUEST_REFUSED', /The cupboard/u, {}),
  isUnderstood('answers three times', 'twice', { duplicateAnswers: 2 }),
  failsOneCall('answers with both result and error', 'both', 'INVALID_ANSWER', /both/u, {
    malformedAnswers: 1,
  }),
  failsOneCall('answers with neither result nor error', 'neither', 'INVALID_ANSWER', /./u, {
    malformedAnswers: 1,
  }),
  failsOneCall('answers with a word as result', 'wrong_type', 'INVALID_ANSWER', /not an object/u, {
    malformedAnswers: 1,
  }),
  failsOneCall('answers with a word as error', 'bad_error', 'REQUEST_REFUSED', /a bare word/u, {
    malformedAnswers: 1,
  }),
  failsOneCall('answers after the deadline', 'late', 'REQUEST_TIMEOUT', /0\.7 s/u, {
    lateAnswers: 1,
  }),
  {
    fault: 'answers a notification',
    script: 'answers.mjs',
    args: ['notifications'],
    play: async (run) => {
      const { ms } = await run.startsWorking()
      return { seen: await run.goesOn({ unknownAnswers: 2 }), ms }
    },
  },
  isUnderstood('answers in a batch', 'batch', { batches: 1 }),
  isUnderstood('prints its JSON on several lines', 'pretty', { noiseLines: 12, repairs: 1 }),
  isUnderstood('wraps its JSON in ANSI colors', 'colours', { decoratedLines: 1 }),
  isUnderstood('puts a byte order mark before its JSON', 'byte_order_mark', { decoratedLines: 1 }),
  isUnderstood('ends its lines with CRLF, some of them empty', 'crlf', {}),
  failsOneCall('nests its answer 200,000 deep', 'deep', 'INVALID_ANSWER', /512 levels/u, {
    malformedMessages: 1,
  }),
  isUnderstood('writes JSON that is no JSON-RPC, then answers', 'not_rpc', {
    noiseLines: 4,
    malformedMessages: 1,
  }),
  {
    fault: 'writes invalid UTF-8, as a line and in an answer',
    script: 'answers.mjs',
    play: async (run) => {
      await run.startsWorking()
      const { text, ms } = await run.calls('bad_utf8')
      expect(text).toBe('\uFFFD(\uFFFD\uFFFD')
      const seen = await run.goesOn({ noiseLines: 1 })
      return { seen: `Call: answered with U+FFFD; then ${seen}`, ms }
    },
  },
])
