import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { textPart } from './part-reader'

const texts = fc.string({
  unit: fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00'),
  maxLength: 60,
})

describe('The parts of a long text', () => {
  it('are the whole when they are joined, however long each may be', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 9 }), (text, length) => {
        const parts: string[] = []
        for (let from = 0; from < text.length; from += parts.at(-1)?.length ?? 0) {
          const part = textPart(text, from, length)
          expect(part.length).toBe(text.length)
          expect(part.text.length).toBeGreaterThan(0)
          expect(part.text.length).toBeLessThanOrEqual(Math.max(length, 2))
          parts.push(part.text)
        }
        expect(parts.join('')).toBe(text)
      }),
    )
  })

  it('never end within a surrogate pair', () => {
    fc.assert(
      fc.property(texts, fc.nat(60), fc.integer({ min: 1, max: 9 }), (text, from, length) => {
        const { text: part } = textPart(text, from, length)
        const end = from + part.length
        expect(/[\ud800-\udbff]$/.test(part) && /^[\udc00-\udfff]/.test(text.slice(end))).toBe(
          false,
        )
      }),
    )
  })

  it('are empty behind the end', () => {
    expect(textPart('abc', 3, 5)).toEqual({ text: '', length: 3 })
    expect(textPart('abc', 300, 5)).toEqual({ text: '', length: 3 })
    expect(textPart('', 0, 5)).toEqual({ text: '', length: 0 })
  })
})
