import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { DiffLine } from '../../../src-shared/domain/agents/host'
import { diffRows, diffSummary, diffText } from './diff-view'

const DIFF: readonly DiffLine[] = [
  { kind: 'same', line: 4, text: '{' },
  { kind: 'removed', line: 5, text: '  "a": 1' },
  { kind: 'added', line: 5, text: '  "a": 1,' },
  { kind: 'added', line: 6, text: '  "b": 2' },
  { kind: 'same', line: 7, text: '}' },
]

describe('D6: the diff of a file', () => {
  it('shows how many lines are hidden before the first and between two', () => {
    const far: DiffLine = { kind: 'same', line: 20, text: 'far' }
    expect(diffRows([...DIFF, far]).filter(({ kind }) => kind === 'gap')).toEqual([
      { kind: 'gap', lines: 3 },
      { kind: 'gap', lines: 12 },
    ])
  })

  it('is copied with a sign before each line', () => {
    expect(diffText(DIFF)).toBe('…\n  {\n-   "a": 1\n+   "a": 1,\n+   "b": 2\n  }')
  })

  it('makes invisible characters visible', () => {
    expect(diffText([{ kind: 'added', line: 1, text: 'a\u202Eb' }])).toBe('+ a<U+202E>b')
  })

  it('counts added and removed lines', () => {
    expect(diffSummary(DIFF)).toBe('2 lines added, 1 removed')
    expect(diffSummary(DIFF.slice(3))).toBe('1 line added')
    expect(diffSummary(DIFF.slice(1, 2))).toBe('1 line removed')
    expect(diffSummary([])).toBe('No line changes')
  })

  it('keeps every line in order, whatever the numbers are', () => {
    const line = fc.record({
      kind: fc.constantFrom('same' as const, 'added' as const, 'removed' as const),
      line: fc.integer({ min: -5, max: 50 }),
      text: fc.string(),
    })
    fc.assert(
      fc.property(fc.array(line), (diff) => {
        const kept = diffRows(diff).filter(({ kind }) => kind !== 'gap')
        expect(kept).toEqual(diff)
      }),
    )
  })
})
