import { describe, expect, it } from 'vitest'

import type { LogEntry } from '../../../src-shared/domain/log-entry'
import { linesAsText } from './log-export'

const entry = (seq: number, text: string, part: Partial<LogEntry> = {}): LogEntry => ({
  seq,
  at: 0,
  source: 'stderr',
  level: 'info',
  text,
  ...part,
})

describe('D4 an exported log', () => {
  it('is plain text, a line for each line', () => {
    const styles = [{ start: 0, end: 1, color: 'red' as const }]
    expect(linesAsText([entry(0, 'a', { styles }), entry(1, 'b', { level: 'warn' })])).toBe(
      '1970-01-01T00:00:00.000Z info stderr a\n1970-01-01T00:00:00.000Z warn stderr b\n',
    )
  })

  it('has the pieces of a long line in one again, where all of them are there', () => {
    const goesOn = { continues: true as const }
    const head = '1970-01-01T00:00:00.000Z info stderr '
    expect(linesAsText([entry(0, 'a', goesOn), entry(1, 'b', goesOn), entry(2, 'c')])).toBe(
      `${head}abc\n`,
    )
    expect(linesAsText([entry(0, 'a', goesOn), entry(5, 'c')])).toBe(`${head}a\n${head}c\n`)
  })
})
