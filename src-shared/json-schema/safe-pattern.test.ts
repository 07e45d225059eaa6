import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cpuMsOf } from '../../e2e/fixtures/cpu-time'
import { safePattern } from './safe-pattern'

describe('patterns of a server', () => {
  it.each([
    '^[a-z]+$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^#?[0-9a-fA-F]{6}$',
    '^(red|green|blue)$',
    '^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+$',
    '\\p{L}+',
    '^(?:a|b)?c$',
    '[\\](a+)+]',
    'a+?b',
    '',
  ])('include %s', (pattern) => {
    expect(safePattern(pattern)?.maxTextLength).toBeGreaterThan(30)
  })

  it.each([
    '^(a+)+$',
    '^(a|aa)+$',
    '^([a-z]*)*$',
    '(x+x+)+y',
    '^(a?){30}a{30}$',
    'a?'.repeat(30) + 'a'.repeat(30),
    '(a|a)'.repeat(30) + 'b',
    'a*a*a*a*a*a*b',
    'a{0,20}'.repeat(20) + 'b',
    '(?=a)a',
    '(a)\\1',
    '(?<x>a)\\k<x>',
    '^(a+){2,}?$',
    '[unclosed',
    '(unclosed',
    'a'.repeat(501),
    7,
  ])('exclude %s', (pattern) => {
    expect(safePattern(pattern)).toBeUndefined()
  })

  it('finish fast with any text', () => {
    const part = fc.constantFrom(
      'a',
      'a*',
      'a+',
      'a?',
      '(a',
      ')',
      ')*',
      '|',
      '[ab]',
      '.',
      'b',
      '{2}',
      '{0,9}',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const pattern = parts.join('')
        const safe = safePattern(pattern)
        if (safe === undefined) return
        const text = `${'a'.repeat(Math.min(safe.maxTextLength, 100_000) - 1)}c`
        expect(cpuMsOf(() => safe.expression.test(text))).toBeLessThan(1_000)
      }),
      { numRuns: 300 },
    )
  })
})
