import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { ManualClock } from '../../../e2e/fixtures/manual-clock'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { ToolUses } from './tool-uses'

const DAY_MS = 86_400_000
const SOON_MS = 5_000

type Bench = {
  readonly uses: ToolUses
  readonly time: ManualClock
  readonly file: string
  readonly troubles: (string | undefined)[]
}

function open({
  time = new ManualClock(),
  file = join(tempFolder('uses'), 'tools', 'uses.json'),
}: Partial<Pick<Bench, 'time' | 'file'>> = {}): Bench {
  const troubles: (string | undefined)[] = []
  const uses = new ToolUses({ file, time, onProblem: (message) => troubles.push(message) })
  return { uses, time, file, troubles }
}

describe('C3: the calls of tools', () => {
  it('are counted for each tool of each server', () => {
    const { uses, time } = open()
    uses.record('one', 'read')
    time.pass(1_000)
    uses.record('one', 'read')
    uses.record('two', 'read')
    expect(uses.of('one', 'read')).toEqual({ uses: 2, lastUsedAt: time.now() })
    expect(uses.of('two', 'read').uses).toBe(1)
    expect(uses.of('one', 'write')).toEqual({ uses: 0, lastUsedAt: undefined })
  })

  it('include exactly the last 30 days', () => {
    const ago = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 })
    fc.assert(
      fc.property(ago, (days) => {
        const { uses, time } = open()
        for (let day = 40; day >= 0; day -= 1) {
          for (const one of days) if (one === day) uses.record('one', 'read')
          if (day > 0) time.pass(DAY_MS)
        }
        expect(uses.of('one', 'read').uses).toBe(days.filter((day) => day < 30).length)
      }),
      { numRuns: 30 },
    )
  })

  it('are neither counted twice nor below zero if the clock jumps', () => {
    const { uses, time } = open()
    uses.record('one', 'read')
    time.set(-3 * DAY_MS)
    expect(uses.of('one', 'read').uses).toBe(0)
    uses.record('one', 'read')
    expect(uses.of('one', 'read')).toEqual({ uses: 1, lastUsedAt: time.now() })
    time.set(3 * DAY_MS)
    expect(uses.of('one', 'read').uses).toBe(1)
  })

  it('are known to the next run, after a kill up to the last write', () => {
    const { uses, time, file } = open()
    uses.record('one', 'read')
    time.pass(SOON_MS)
    uses.record('one', 'read')
    // Killed here: it wasn't closed.
    const next = open({ time, file })
    expect(next.uses.of('one', 'read')).toEqual({ uses: 1, lastUsedAt: time.now() - SOON_MS })
  })

  it('are written once per 5 s, and at the end', () => {
    const { uses, time, file } = open()
    for (let call = 0; call < 1_000; call += 1) uses.record('one', `tool ${String(call % 50)}`)
    expect([time.waiting, existsSync(file)]).toEqual([1, false])
    time.pass(SOON_MS)
    expect([time.waiting, existsSync(file)]).toEqual([0, true])
    uses.record('one', 'tool 7')
    uses[Symbol.dispose]()
    expect(time.waiting).toBe(0)
    expect(open({ time, file }).uses.of('one', 'tool 7').uses).toBe(21)
  })

  it('are removed permanently with their server', () => {
    const { uses, time, file } = open()
    uses.record('one', 'read')
    uses.record('two', 'read')
    uses.remove('one')
    uses[Symbol.dispose]()
    const next = open({ time, file })
    expect([next.uses.of('one', 'read').uses, next.uses.of('two', 'read').uses]).toEqual([0, 1])
  })

  it('are remembered for at most 10,000 tools, and for no invalid name', () => {
    const { uses, time, file } = open()
    for (let tool = 0; tool < 10_000; tool += 1) uses.record('one', `tool ${String(tool)}`)
    uses.record('one', 'tool 0')
    uses.record('one', 'a'.repeat(1_001))
    uses.record('two', 'read')
    uses[Symbol.dispose]()
    for (const { of } of [uses, open({ time, file }).uses].map((one) => ({
      of: one.of.bind(one),
    }))) {
      expect(of('one', 'tool 0').uses).toBe(2)
      expect(of('one', 'tool 1').uses).toBe(0)
      expect(of('one', 'tool 2').uses).toBe(1)
      expect(of('two', 'read').uses).toBe(1)
      expect(of('one', 'a'.repeat(1_001)).uses).toBe(0)
    }
  })

  it("restart from zero if the file isn't their own", () => {
    const file = join(tempFolder('uses'), 'uses.json')
    for (const content of [
      '',
      '[]',
      '{"version":2,"uses":[]}',
      '{"version":1,"uses":[{"name":7}]}',
    ]) {
      writeFileSync(file, content)
      const { uses } = open({ file })
      uses.record('one', 'read')
      expect(uses.of('one', 'read').uses).toBe(1)
    }
  })

  it("are reported once if they can't be written, and once more when they can", () => {
    const { uses, time, file, troubles } = open()
    mkdirSync(file, { recursive: true })
    for (let call = 0; call < 3; call += 1) {
      uses.record('one', 'read')
      time.pass(SOON_MS)
    }
    expect(troubles).toEqual([
      expect.stringMatching(/^Tool calls can’t be written to disk \(.+\)\.$/u),
    ])
    rmSync(file, { recursive: true })
    uses.record('one', 'read')
    time.pass(SOON_MS)
    expect(troubles.slice(1)).toEqual([undefined])
    expect(open({ time, file }).uses.of('one', 'read').uses).toBe(4)
  })
})
