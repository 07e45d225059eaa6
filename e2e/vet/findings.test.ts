import { existsSync } from 'node:fs'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { checkOf, outcomesOf, VetHarness } from '../fixtures/vetted-server'

const HAS_STRACE = existsSync('/usr/bin/strace')
let bench: VetHarness

beforeEach(() => {
  bench = new VetHarness()
})
afterEach(() => bench.close())

describe('E14: each finding', () => {
  it.each([
    ['noise', 'must start.stdout'],
    ['unnamed-value', 'should start.missing-values'],
    ['old-version', 'should protocol.version'],
    ['sessions-only', 'note protocol.stateless'],
    ['undeclared', 'must protocol.capabilities'],
    ['broken-list', 'must protocol.capabilities'],
    ['twice', 'must protocol.lists'],
    ['deaf-ping', 'must protocol.ping'],
    ['takes-any-method', 'should protocol.unknown-method'],
    ['wrong-code', 'note protocol.unknown-method'],
    ['silent', 'should protocol.unknown-method'],
    ['null-cursor', 'must protocol.messages'],
    ['one-at-a-time', 'must protocol.concurrent'],
    ['dies-on-text', 'should protocol.invalid-json'],
    ['wrong-schema', 'must tools.input-schema'],
    ['long-name', 'should tools.names'],
    ['union', 'should tools.model-schema'],
    ['bare-tool', 'should tools.descriptions'],
    ['bare-parameter', 'note tools.parameters'],
    ['unannotated', 'should tools.annotations'],
    ['many-tools', 'should tools.tokens'],
    ['hidden-text', 'must tools.hidden-text'],
    ['orders', 'note tools.instructions'],
    ['takes-any-tool', 'must errors.unknown-tool'],
    ['takes-no-argument', 'should errors.missing-argument'],
    ['unnamed-argument', 'should errors.missing-argument'],
    ['takes-any-type', 'should errors.wrong-type'],
    ['unnamed-type', 'should errors.wrong-type'],
    ['prints-secret', 'must secrets.output'],
    ['deaf-signal', 'should end.signal'],
    ['deaf-stdin', 'should end.stdin'],
    ['leaves-process', 'must end.processes'],
  ])('is reported alone for a server that is %s: %s', async (flag, expected) => {
    expect(outcomesOf(await bench.vet([flag]))).toEqual([expected])
  })

  it.each([
    [
      'a service that it needs can’t be reached',
      'needs-service',
      [
        ...['notChecked protocol.capabilities'],
        ...['notChecked errors.missing-argument', 'notChecked errors.wrong-type'],
      ],
    ],
    ['its error quotes the wrong value', 'quotes-value', []],
    ['it wraps results as the first version of the protocol did', 'wraps-results', []],
  ])('is absent if %s', async (_what, flag, expected) => {
    expect(outcomesOf(await bench.vet([flag]))).toEqual(expected)
  })

  it('is absent for a server that starts more slowly than a check may take', async () => {
    expect(outcomesOf(await bench.vet(['starts-slowly'], { checkMs: 2_000 }))).toEqual([])
  })

  it.runIf(HAS_STRACE).each([
    ['connects', 'note reach.network', '192.0.2.1:80'],
    ['writes', 'note reach.files', 'vet-fixture-'],
  ])('is seen from outside: a server %s: %s', async (flag, expected, evidence) => {
    const report = await bench.vet([flag])
    expect(outcomesOf(report)).toEqual([expected])
    const [finding] = checkOf(report, expected.split(' ')[1] ?? '').findings
    expect(finding?.received).toContain(evidence)
  })
})
