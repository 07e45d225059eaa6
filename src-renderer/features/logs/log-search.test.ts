import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { LogEntry } from '../../../src-shared/domain/log-entry'
import { filterLines, findMatches, splitAtMatches } from './log-search'

const entry = (seq: number, part: Partial<LogEntry>): LogEntry => ({
  seq,
  at: 0,
  source: 'stderr',
  level: 'info',
  text: '',
  ...part,
})

describe('D4 search and filters of a log', () => {
  const lines = [
    entry(0, { level: 'debug', text: 'Timeout after timeout' }),
    entry(1, { level: 'warn', source: 'stdout', text: 'a.b' }),
    entry(2, { level: 'error', text: 'axb TIMEOUT' }),
  ]

  it('lets through the level and what is above it, of one source', () => {
    const seqs = (level: 'all' | 'warn', source: 'all' | 'stderr'): number[] =>
      filterLines(lines, { level, source }).map(({ seq }) => seq)
    expect(seqs('all', 'all')).toEqual([0, 1, 2])
    expect(seqs('warn', 'all')).toEqual([1, 2])
    expect(seqs('warn', 'stderr')).toEqual([2])
  })

  it('finds every place, letter case aside, and takes no character for a pattern', () => {
    expect(findMatches(lines, 'timeout')).toEqual([
      { row: 0, start: 0 },
      { row: 0, start: 14 },
      { row: 2, start: 4 },
    ])
    expect(findMatches(lines, 'a.b')).toEqual([{ row: 1, start: 0 }])
    expect(findMatches(lines, '')).toEqual([])
  })

  it('cuts a line at its matches and loses nothing', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        (text, query) => {
          const pieces = splitAtMatches(text, query)
          expect(pieces.map((piece) => piece.text).join('')).toBe(text)
          const hits = pieces.filter(({ hit }) => hit).map(({ start }) => start)
          expect(hits).toEqual(findMatches([entry(0, { text })], query).map(({ start }) => start))
        },
      ),
    )
  })
})
