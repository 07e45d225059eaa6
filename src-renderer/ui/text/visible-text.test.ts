import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { escapeInvisible, shortText, visibleText } from './untrusted-text'

describe('untrusted texts', () => {
  it('show the code of characters that would reverse or hide other text', () => {
    expect(visibleText('a\u202Egnp.exe\u0007')).toBe('a<U+202E>gnp.exe<U+0007>')
    expect(visibleText('a\u{E0041}\u3164b')).toBe('a<U+E0041><U+3164>b')
    expect(visibleText('tab\tand\nline, é, 👩‍👧')).toBe('tab\tand\nline, é, 👩‍👧')
  })

  it('contain no such character, whatever the input is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visibleText(text)).not.toMatch(/[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/u)
      }),
    )
  })

  it('hide nothing if the user decides on them', () => {
    const hidden = 'a\u{E0041}\u00AD\u3164\u200D\uFE0Fb'
    expect(escapeInvisible(hidden)).toBe('a<U+E0041><U+00AD><U+3164><U+200D><U+FE0F>b')
    expect(escapeInvisible('tab\tand\nline, é')).toBe('tab\tand\nline, é')
  })
})

describe('untrusted labels', () => {
  it('have a line or two, with invisible characters made visible', () => {
    expect(shortText('a\u202eb')).toBe('a<U+202E>b')
    expect(shortText('a'.repeat(5_000_000))).toBe(`${'a'.repeat(200)}…`)
    // No half of a surrogate pair stays.
    expect(shortText(`${'a'.repeat(199)}😀 and more`)).toBe(`${'a'.repeat(199)}\ufffd…`)
  })
})
