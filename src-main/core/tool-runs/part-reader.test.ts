import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createRedactor, NO_REDACTOR, type Redactor } from '../masking/redact'
import { PartReader } from './part-reader'

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
