import { describe, expect, it } from 'vitest'

import type { LogEntry } from '../../../src-shared/domain/log-entry'
import { countAfter, missingBefore } from './log-lines'

const lines = [3, 4, 9].map((seq): LogEntry => ({
  seq,
  at: 0,
  source: 'stderr',
  level: 'info',
  text: '',
}))

describe('D4 the lines of a log', () => {
  it('counts the lines that are gone before each one, and those that came after one', () => {
    expect(lines.map((_, index) => missingBefore(lines, index))).toEqual([3, 0, 4])
    expect(missingBefore(lines, 3)).toBe(0)
    expect(countAfter(lines, 3)).toBe(2)
    expect(countAfter(lines, 9)).toBe(0)
  })
})
