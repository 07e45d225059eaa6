import { beforeEach, describe, expect, it } from 'vitest'

import type { LogEntry } from '../../../src-shared/domain/running/log-entry'
import type { LogRow } from '../../../src-shared/domain/running/log-query'
import type { Bridge } from '../../../src-shared/ipc/contract'
import { setLine } from '../../ipc/call'
import { exportLines, linesAsJson, linesAsText } from './log-export'

const entry = (seq: number, text: string, part: Partial<LogEntry> = {}, server = 0): LogRow => ({
  row: seq,
  server,
  missing: 0,
  entry: { seq, at: 0, source: 'stderr', level: 'info', text, ...part },
})

describe('D4: exported log', () => {
  it('is plain text with one line for each log line', () => {
    const styles = [{ start: 0, end: 1, color: 'red' as const }]
    expect(linesAsText([entry(0, 'a', { styles }), entry(1, 'b', { level: 'warn' })])).toBe(
      '1970-01-01T00:00:00.000Z info stderr a\n1970-01-01T00:00:00.000Z warn stderr b\n',
    )
  })

  it('joins the pieces of a long line if all of them are present', () => {
    const goesOn = { continues: true as const }
    const head = '1970-01-01T00:00:00.000Z info stderr '
    expect(linesAsText([entry(0, 'a', goesOn), entry(1, 'b', goesOn), entry(2, 'c')])).toBe(
      `${head}abc\n`,
    )
    expect(linesAsText([entry(0, 'a', goesOn), entry(5, 'c')])).toBe(`${head}a\n${head}c\n`)
  })

  it("names each line's server if there are several, and joins no pieces of two servers", () => {
    const goesOn = { continues: true as const }
    expect(linesAsText([entry(0, 'a', goesOn), entry(1, 'b', {}, 1)], ['one', 'two'])).toBe(
      '1970-01-01T00:00:00.000Z [one] info stderr a\n1970-01-01T00:00:00.000Z [two] info stderr b\n',
    )
  })

  it('has one object for each line as JSON Lines', () => {
    expect(linesAsJson([entry(3, 'a "b"')], ['one'])).toBe(
      '{"time":"1970-01-01T00:00:00.000Z","server":"one","seq":3,"level":"info","source":"stderr","text":"a \\"b\\""}\n',
    )
  })
})

describe('D4: export of many lines', () => {
  const lines = Array.from({ length: 5_003 }, (_, seq) =>
    entry(seq, `line ${seq}`, seq % 1_999 === 0 ? { continues: true } : {}),
  )
  const request: number[] = []
  beforeEach(() => {
    request.length = 0
    const rows = ({ from, count }: { from: number; count: number }): Promise<unknown> => {
      if (count > 0) request.push(from)
      const value = { viewId: 1, first: 0, end: lines.length, place: 0 }
      return Promise.resolve({
        ok: true,
        value: { ...value, rows: lines.slice(from, from + count) },
      })
    }
    setLine({ requests: { 'log.rows': rows } } as unknown as Bridge)
  })
  const query = { servers: ['a'], level: 'debug' } as const

  it('reads parts that join seamlessly, and reports its progress', async () => {
    const reported: number[] = []
    const { signal } = new AbortController()
    const parts = await exportLines({ ...query, servers: ['a'] }, 'text', ['one'], {
      signal,
      onProgress: (done) => reported.push(done),
    })
    expect(parts.join('')).toBe(linesAsText(lines))
    expect(request).toEqual([0, 2_000, 4_000])
    expect(reported).toEqual([2_000, 4_000, 5_003])
  })

  it('stops reading when it is canceled', async () => {
    const control = new AbortController()
    const run = { signal: control.signal, onProgress: () => control.abort() }
    await exportLines({ ...query, servers: ['a'] }, 'jsonl', ['one'], run)
    expect(request).toEqual([0])
  })
})
