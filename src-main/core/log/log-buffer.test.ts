import { describe, expect, it } from 'vitest'

import type { LogEntry } from '../../../src-shared/domain/log-entry'
import { createRedactor } from '../launch/redact'
import { WorkPace } from '../process/work-pace'
import { EntryRing } from './entry-ring'
import { LogBatcher } from './log-batcher'
import { LogBuffer } from './log-buffer'
import { levelOf } from './log-level'

const clock = { now: 0 }
const texts = (entries: LogEntry[]): string[] => entries.map((entry) => entry.text)

describe('B1 the log of a server', () => {
  it('keeps the newest lines and says where they begin', () => {
    const log = new LogBuffer(
      () => undefined,
      () => 5,
      3,
    )
    for (const text of ['a', 'b', 'c', 'd']) log.append('stderr', 'info', text)
    const { entries, droppedBefore } = log.read(-1, 10)
    expect(texts(entries)).toEqual(['b', 'c', 'd'])
    expect({ droppedBefore, seqs: entries.map((entry) => entry.seq) }).toEqual({
      droppedBefore: 1,
      seqs: [1, 2, 3],
    })
  })

  it('reads on from a sequence, the newest first where there is a limit', () => {
    const log = new LogBuffer(() => undefined)
    for (const text of ['a', 'b', 'c', 'd']) log.append('stderr', 'info', text)
    expect(texts(log.read(1, 10).entries)).toEqual(['c', 'd'])
    expect(texts(log.read(-1, 1).entries)).toEqual(['d'])
  })

  it('goes on counting after it was cleared', () => {
    const log = new LogBuffer(() => undefined)
    log.append('stderr', 'info', 'a')
    log.clear()
    log.append('stderr', 'info', 'b')
    expect(log.read(-1, 10)).toMatchObject({ entries: [{ seq: 1, text: 'b' }], droppedBefore: 1 })
  })

  it('frees lines of terminal sequences and control characters, keeping tabs', () => {
    const log = new LogBuffer(() => undefined)
    log.append('stderr', 'info', '\u001b[31mred\u001b[0m\tx\u0007y')
    expect(texts(log.read(-1, 1).entries)).toEqual(['red\txy'])
  })

  it('masks secrets, also where a colour stands inside them', () => {
    const log = new LogBuffer(() => undefined)
    log.setRedactor(createRedactor(['s3cret-token']))
    log.append('stderr', 'info', 'using s3cret\u001b[1m-token now')
    expect(texts(log.read(-1, 1).entries)).toEqual(['using •••••••• now'])
  })

  it('takes the level that a line claims, not its stream', () => {
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

describe('B1 the bound of a log', () => {
  it('holds in characters too, so that long lines do not pile up', () => {
    const log = new LogBuffer(() => undefined)
    for (let line = 0; line < 2_000; line += 1) log.append('stderr', 'info', 'x'.repeat(8_000))
    const { entries, droppedBefore } = log.read(-1, 10_000)
    expect(entries).toHaveLength(500)
    expect(droppedBefore).toBe(1_500)
  })

  it('leaves numbers out where lines came too fast, and reads on behind them', () => {
    const log = new LogBuffer(
      () => undefined,
      Date.now,
      undefined,
      new WorkPace(() => (clock.now += 1_000)),
    )
    const intake = log.intake('stderr')
    for (let block = 0; block < 100; block += 1) {
      intake.push(Buffer.from(`${String(block).padStart(99, '.')}\n`.repeat(600)))
    }
    intake.end()
    log.append('patchbay', 'info', 'end')
    expect(log.nextSeq).toBe(60_001)
    const { entries } = log.read(-1, 20_000)
    expect(entries.at(-1)).toMatchObject({ seq: 60_000, text: 'end' })
    expect(entries.at(-2)).toMatchObject({ seq: 59_999, text: '99'.padStart(99, '.') })
    expect(log.read(59_998, 10).entries.map(({ seq }) => seq)).toEqual([59_999, 60_000])
  })

  it('finds its place among numbers with gaps', () => {
    const ring = new EntryRing(3)
    for (const seq of [0, 5, 6, 20]) {
      ring.push({ seq, at: 0, source: 'stderr', level: 'info', text: '' })
    }
    const after = (seq: number, limit = 10): number[] =>
      ring.after(seq, limit).map((entry) => entry.seq)
    expect([after(-1), after(5), after(7), after(20), after(-1, 1)]).toEqual([
      [5, 6, 20],
      [6, 20],
      [20],
      [],
      [20],
    ])
  })
})

describe('D4 batches', () => {
  const entry = (seq: number): LogEntry => ({
    seq,
    at: 0,
    source: 'stderr',
    level: 'info',
    text: '',
  })

  it('gather what comes within their time into one message for each server', async () => {
    const batches: [string, number][] = []
    const batcher = new LogBatcher((id, entries) => batches.push([id, entries.length]), 10)
    for (const seq of [0, 1, 2]) batcher.add('a', entry(seq))
    batcher.add('b', entry(0))
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(batches).toEqual([
      ['a', 3],
      ['b', 1],
    ])
  })

  it('carry only the newest lines of a flood', () => {
    const batches: LogEntry[][] = []
    const batcher = new LogBatcher((_id, entries) => batches.push(entries))
    for (let seq = 0; seq < 10_000; seq += 1) batcher.add('a', entry(seq))
    batcher.flush()
    expect(batches.map((entries) => [entries.length, entries.at(-1)?.seq])).toEqual([[200, 9_999]])
  })
})

describe('A7 a text that a server made endless', () => {
  it('is kept in part, and no part of a secret at its cut', () => {
    const log = new LogBuffer(() => undefined)
    log.setRedactor(createRedactor(['sk-secret-value']))
    log.append('patchbay', 'warn', `${'x'.repeat(8_393)}sk-secret-value${'y'.repeat(1_000_000)}`)
    const text = log.read(-1, 1).entries[0]?.text ?? ''
    expect(text.length).toBeLessThan(9_000)
    expect(text).not.toContain('sk-')
  })
})
