import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { visibleText } from './visible-text'

describe('texts from outside', () => {
  it('shows the code of what would turn or hide other text', () => {
    expect(visibleText('a\u202Egnp.exe\u0007')).toBe('a<U+202E>gnp.exe<U+0007>')
    expect(visibleText('tab\tand\nline, é, 👩‍👧')).toBe('tab\tand\nline, é, 👩‍👧')
  })

  it('leaves no such character, whatever comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visibleText(text)).not.toMatch(/[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/u)
      }),
    )
  })
})
