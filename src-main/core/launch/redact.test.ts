import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { createRedactor } from './redact'

describe('A7 masking known secrets', () => {
  it('masks every occurrence, the longest secret first', () => {
    const redact = createRedactor(['abcd', 'abcdefgh'])
    expect(redact('x abcdefgh y abcd abcdefgh')).toBe('x •••••••• y •••••••• ••••••••')
  })

  it('leaves short values and all other text alone', () => {
    expect(createRedactor(['abc', '', '   \n  '])('abc and    \n  more')).toBe(
      'abc and    \n  more',
    )
  })

  it('masks each line of a secret of several lines', () => {
    expect(createRedactor(['first line\nsecond line'])('got: second line')).toBe('got: ••••••••')
  })

  it('leaves no secret in a text, whatever its characters', () => {
    const secret = fc
      .string({ minLength: 4, unit: 'grapheme-ascii' })
      .filter((text) => text.trim().length >= 4)
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        fc.pre(!before.includes(value) && !after.includes(value))
        expect(createRedactor([value])(`${before}|${value}|${after}`)).toContain('••••••••')
        expect(createRedactor([value])(value)).toBe('••••••••')
      }),
    )
  })
})
