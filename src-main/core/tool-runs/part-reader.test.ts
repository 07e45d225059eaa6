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

/** A reader of texts that are ten times their key, and which of them were made. */
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

describe('Long texts in parts', () => {
  it('are made once, though several are read at a time', async () => {
    const { part, made } = open()
    for (let from = 0; from < 10; from += 4)
      expect(await Promise.all([part('a', from), part('b', from), part('a', from)])).toEqual([
        'a'.repeat(Math.min(4, 10 - from)),
        'b'.repeat(Math.min(4, 10 - from)),
        'a'.repeat(Math.min(4, 10 - from)),
      ])
    expect(made).toEqual(['a', 'b'])
  })

  it('are built again once more is a secret', async () => {
    const { part, made } = open()
    await part('a', 0)
    await part('a', 4, createRedactor(['secret']))
    expect(made).toEqual(['a', 'a'])
  })

  it('are let go of when nobody reads on, and the first of more than four', async () => {
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

  it('that cannot be made are asked for again', async () => {
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
