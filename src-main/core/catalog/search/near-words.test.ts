import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { slipsBetween } from './near-words'

/** The definition without shortcuts. */
function plainDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  const [shortA, shortB] = [a.slice(0, -1), b.slice(0, -1)]
  const last = a.at(-1) === b.at(-1) ? 0 : 1
  const ways = [
    plainDistance(shortA, b) + 1,
    plainDistance(a, shortB) + 1,
    plainDistance(shortA, shortB) + last,
  ]
  if (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)) {
    ways.push(plainDistance(a.slice(0, -2), b.slice(0, -2)) + 1)
  }
  return Math.min(...ways)
}

describe('D2: typos between two words', () => {
  it.each([
    ['postgres', 'postgres', 0],
    ['postgers', 'postgres', 1],
    ['githb', 'github', 1],
    ['githubb', 'github', 1],
    ['gothub', 'github', 1],
    ['stripe', 'slack', undefined],
  ])('%s and %s', (typed, meant, slips) => {
    expect(slipsBetween(typed, meant, 2)).toBe(slips)
  })

  it('match the definition, and are undefined beyond the limit', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 })
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 3 }), (a, b, most) => {
        const distance = plainDistance(a, b)
        expect(slipsBetween(a, b, most)).toBe(distance <= most ? distance : undefined)
      }),
    )
  })
})
