import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'

import { estimateTokens } from './estimate-tokens'

const exact = (text: string): number => countTokens(text, { disallowedSpecial: new Set() })

describe('C3: the tokens of a text', () => {
  it('equal those of the encoding for a short text', () => {
    expect(estimateTokens('')).toBe(0)
    expect(estimateTokens('hello world')).toBe(2)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        expect(estimateTokens(text)).toBe(exact(text))
      }),
    )
  })

  it('nearly equal those of the encoding for a sliced text', () => {
    const word = fc.constantFrom('file', 'the', '{"type":', 'object', '\n  ', 'Größe', '読む', '.')
    const long = fc.array(word, { minLength: 300, maxLength: 2_000 })
    fc.assert(
      fc.property(long, fc.constantFrom(' ', ''), (words, between) => {
        const text = words.join(between)
        const slices = Math.ceil(text.length / 500)
        expect(Math.abs(estimateTokens(text) - exact(text))).toBeLessThanOrEqual(2 * slices)
      }),
      { numRuns: 30 },
    )
  })

  it.each([
    ['the same letter', 'a'.repeat(20_000)],
    ['spaces', ' '.repeat(20_000)],
    ['characters without a space', '漢字仮名交'.repeat(4_000)],
    ['lone surrogates', '\uD83D'.repeat(20_000)],
    ['line endings', '\r\n'.repeat(10_000)],
  ])('are at least one and at most one per byte with only %s', (_, text) => {
    const tokens = estimateTokens(text)
    expect(tokens).toBeGreaterThan(0)
    expect(tokens).toBeLessThanOrEqual(Buffer.byteLength(text))
  })

  it('include the spelling of a control token as text', () => {
    expect(estimateTokens('a <|endoftext|> b <|im_start|>')).toBeGreaterThan(6)
  })
})
