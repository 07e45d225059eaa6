import { describe, expect, it } from 'vitest'

import type { LogEntry } from '../../../src-shared/domain/running/log-entry'
import { levelOf } from '../lines/line-level'
import { TimeSlicer } from '../lines/time-slicer'
import { createRedactor } from '../masking/redact'
import { LogBuffer } from './log-buffer'
import { LogEvents } from './log-buffer'
import { LogMemory } from './log-store'

const clock = { now: 0 }
const texts = (entries: LogEntry[]): string[] => entries.map((entry) => entry.text)

describe("B1: a server's log", () => {
  it('keeps the newest lines and the number of the first', () => {
    const log = new LogBuffer(() => undefined, { now: () => 5, limits: { lines: 3 } })
    for (const text of ['a', 'b', 'c', 'd']) log.append('stderr', 'info', text)
    expect(texts(log.newest(10))).toEqual(['b', 'c', 'd'])
    expect(log.newest(10).map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect(texts(log.newest(1))).toEqual(['d'])
    expect(log.store.first).toBe(1)
  })

  it('continues its numbers after a clear', () => {
    const log = new LogBuffer(() => undefined)
    log.append('stderr', 'info', 'a')
    log.clear()
    log.append('stderr', 'info', 'b')
    expect(log.newest(10)).toMatchObject([{ seq: 1, text: 'b' }])
  })

  it('strips terminal sequences and control characters but keeps tabs', () => {
    const log = new LogBuffer(() => undefined)
    log.append('stderr', 'info', '\u001b[31mred\u001b[0m\tx\u0007y')
    expect(texts(log.newest(1))).toEqual(['red\txy'])
  })

  it('masks secrets, even with a color inside', () => {
    const log = new LogBuffer(() => undefined)
    log.setRedactor(createRedactor(['s3cret-token']))
    log.append('stderr', 'info', 'using s3cret\u001b[1m-token now')
    expect(texts(log.newest(1))).toEqual(['using •••••••• now'])
  })

  it('takes the level from the line, not from its stream', () => {
    const lines = [
      'Server running on stdio',
      'ERROR no such file',
      '[warn] old flag',
      'DEBUG x',
      'no errors found',
    ]
    expect(lines.map(levelOf)).toEqual(['info', 'error', 'warn', 'debug', 'info'])
  })
})

describe('B1: the limits of a log', () => {
  it("include bytes, so that long lines don't pile up", () => {
    const log = new LogBuffer(() => undefined, { memory: new LogMemory(4_000_000) })
    for (let line = 0; line < 2_000; line += 1) log.append('stderr', 'info', 'x'.repeat(8_000))
    const held = log.newest(10_000)
    expect(held.length).toBeGreaterThan(400)
    expect(held.length).toBeLessThan(600)
    expect(held.at(-1)?.seq).toBe(1_999)
  })

  it('skip numbers in a flood, and continue after it', () => {
    const log = new LogBuffer(() => undefined, {
      pace: new TimeSlicer(() => (clock.now += 1_000)),
    })
    const intake = log.intake('stderr')
    for (let block = 0; block < 100; block += 1) {
      intake.push(Buffer.from(`${String(block).padStart(99, '.')}\n`.repeat(600)))
    }
    intake.end()
    log.append('patchbay', 'info', 'end')
    expect(log.nextSeq).toBe(60_001)
    const entries = log.newest(20_000)
    expect(entries.at(-1)).toMatchObject({ seq: 60_000, text: 'end' })
    expect(entries.at(-2)).toMatchObject({ seq: 59_999, text: '99'.padStart(99, '.') })
  })

  it('count every stderr line, including those of a flood, and a long one once', () => {
    const log = new LogBuffer(() => undefined, { limits: { lines: 50 } })
    const other = log.intake('stdout')
    other.push(Buffer.from('no message\n'))
    other.end()
    log.append('patchbay', 'info', 'begin')
    const intake = log.intake('stderr')
    intake.push(Buffer.from(`short\n${'long'.repeat(50_000)}\n`))
    intake.flush()
    expect(log.stderrLines).toBe(2)
    for (let block = 0; block < 100; block += 1)
      intake.push(Buffer.from(`${'.'.repeat(99)}\n`.repeat(600)))
    intake.end()
    log.clear()
    expect(log.stderrLines).toBe(60_002)
  })
})

describe('D4: log events', () => {
  it('report each log that grew once per interval, and the rest at the end', async () => {
    const reported: string[][] = []
    const events = new LogEvents((grown) => reported.push(grown), 10)
    for (const id of ['a', 'a', 'b']) events.add(id)
    expect(reported).toEqual([])
    await expect.poll(() => reported).toEqual([['a', 'b']])
    events.add('b')
    events[Symbol.dispose]()
    expect(reported).toEqual([['a', 'b'], ['b']])
  })
})

describe('A7: an endless text of a server', () => {
  it('is kept in part, without a part of a secret at its cut', () => {
    const log = new LogBuffer(() => undefined)
    log.setRedactor(createRedactor(['sk-secret-value']))
    log.append('patchbay', 'warn', `${'x'.repeat(8_393)}sk-secret-value${'y'.repeat(1_000_000)}`)
    const text = log.newest(1)[0]?.text ?? ''
    expect(text.length).toBeLessThan(9_000)
    expect(text).not.toContain('sk-')
  })
})
