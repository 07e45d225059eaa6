import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { StartPhase } from '../../../src-shared/domain/running/run-status'
import { addError, addPhase, emptyMinute, lineOf, Minute, readMinute } from './minute'

const count = fc.nat({ max: 1e12 })
const counts = (key: fc.Arbitrary<string>): fc.Arbitrary<Record<string, number>> =>
  fc.dictionary(key, fc.integer({ min: 1, max: 1e9 }), { minKeys: 1 })
const minute: fc.Arbitrary<Minute> = fc
  .record({
    minute: count,
    upMs: fc.nat({ max: 60_000 }),
    requests: count,
    errors: fc.option(counts(fc.constantFrom('REQUEST_TIMEOUT', '-32603', 'other')), {
      nil: undefined,
    }),
    latency: fc.option(counts(fc.nat({ max: 182 }).map(String)), { nil: undefined }),
    bytesIn: count,
    bytesOut: count,
    stderrLines: count,
    noiseLines: count,
    starts: count,
    restarts: count,
    losses: count,
    rssBytes: fc.option(fc.integer({ min: 1, max: 1e12 }), { nil: undefined }),
    cpuMs: count,
    cpuOfMs: count,
    phases: fc.option(
      fc.array(fc.tuple(fc.constantFrom(...StartPhase.options), count), { minLength: 1 }),
      { nil: undefined },
    ),
  })
  .map((one) => ({ ...one }))

describe('B11: a minute of metrics', () => {
  it('is restored from its line, unless nothing happened', () => {
    fc.assert(
      fc.property(minute, (one) => {
        const line = lineOf(one)
        const isEmpty = JSON.stringify(one) === JSON.stringify(emptyMinute(one.minute))
        expect(line === undefined).toBe(isEmpty)
        if (line !== undefined) expect(readMinute(line)).toEqual(one)
      }),
    )
  })

  it('has no line if nothing happened', () => {
    expect(lineOf(emptyMinute(29_000_000))).toBeUndefined()
    expect(lineOf({ ...emptyMinute(29_000_000), upMs: 0.3 })).toBeUndefined()
  })

  it('is not read from a torn line', () => {
    const line = lineOf({ ...emptyMinute(29_000_000), upMs: 60_000, errors: { INTERNAL: 2 } }) ?? ''
    for (let length = 0; length < line.length; length += 1)
      expect(readMinute(line.slice(0, length))).toBeUndefined()
    expect(readMinute(line)).toBeDefined()
  })

  it.each([
    ['more time than there is', '{"minute":1,"upMs":60001}'],
    ['less than nothing', '{"minute":1,"requests":-1}'],
    ['a bin that there is not', '{"minute":1,"latency":{"x":1}}'],
    ['a step that there is not', '{"minute":1,"phases":[["fly",1]]}'],
    ['no minute', '{"upMs":1}'],
    ['something else', '[]'],
  ])('is not read from a line with %s', (_what, line) => {
    expect(readMinute(line)).toBeUndefined()
  })

  it('keeps a bounded number of codes and phases, and counts all failures', () => {
    const full = emptyMinute(1)
    for (let code = 0; code < 500; code += 1) addError(full, String(code))
    for (let start = 0; start < 500; start += 1) addPhase(full, 'spawn', 1)
    const { errors = {}, phases = [] } = full
    expect([Object.keys(errors).length, errors.other, phases.length]).toEqual([51, 450, 100])
    expect(Minute.safeParse(full).success).toBe(true)
  })
})
