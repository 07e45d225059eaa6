import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createRedactor, NO_REDACTOR, type Redactor } from '../masking/redact'
import { PartReader, textPart } from './part-reader'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Opens a reader of texts that are ten times their key, with the list of created texts. */
function open(): {
  reader: PartReader
  made: string[]
  part: (key: string, from: number, by?: Redactor) => Promise<string>
} {
  const reader = new PartReader(1_000)
  const made: string[] = []
  return {
    ...{ reader, made },
    part: async (key, from, by = NO_REDACTOR) => {
      const read = (): Promise<string> => {
        made.push(key)
        return Promise.resolve(key.repeat(10))
      }
      return (await reader.part({ key, by, read }, { from, length: 4 })).text
    },
  }
}

describe('Long texts read in parts', () => {
  it('are created once, even if several are read concurrently', async () => {
    const { part, made } = open()
    for (let from = 0; from < 10; from += 4)
      expect(await Promise.all([part('a', from), part('b', from), part('a', from)])).toEqual([
        'a'.repeat(Math.min(4, 10 - from)),
        'b'.repeat(Math.min(4, 10 - from)),
        'a'.repeat(Math.min(4, 10 - from)),
      ])
    expect(made).toEqual(['a', 'b'])
  })

  it('are created again once more secrets are known', async () => {
    const { part, made } = open()
    await part('a', 0)
    await part('a', 4, createRedactor(['secret']))
    expect(made).toEqual(['a', 'a'])
  })

  it('are dropped after some idle time, and the oldest of more than four', async () => {
    const { part, made } = open()
    await part('a', 0)
    vi.advanceTimersByTime(900)
    await part('a', 4)
    vi.advanceTimersByTime(900)
    for (const key of ['b', 'c', 'd', 'a']) await part(key, 0)
    expect(made).toEqual(['a', 'b', 'c', 'd'])
    await part('e', 0)
    for (const key of ['a', 'b']) await part(key, 0)
    expect(made).toEqual(['a', 'b', 'c', 'd', 'e', 'b'])
    vi.advanceTimersByTime(1_000)
    await part('b', 0)
    expect(made.slice(6)).toEqual(['b'])
  })

  it('are requested again if they failed', async () => {
    const { reader, part } = open()
    const read = (): Promise<string> => Promise.reject(new Error('Not today'))
    const asked = reader.part({ key: 'a', by: NO_REDACTOR, read }, { from: 0, length: 4 })
    await expect(asked).rejects.toThrow('Not today')
    expect(await part('a', 0)).toBe('aaaa')
  })
})

const texts = fc.string({
  unit: fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00'),
  maxLength: 60,
})

describe('The parts of a long text', () => {
  it('add up to the whole for any length', () => {
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

  it('are empty beyond the end', () => {
    expect(textPart('abc', 3, 5)).toEqual({ text: '', length: 3 })
    expect(textPart('abc', 300, 5)).toEqual({ text: '', length: 3 })
    expect(textPart('', 0, 5)).toEqual({ text: '', length: 0 })
  })
})
