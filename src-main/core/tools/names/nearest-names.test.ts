import { describe, expect, it } from 'vitest'

import { nearestHint } from '../directory/hidden-tool'

const NAMES = ['files__read', 'files__write', 'notes__read', 'weather__forecast']

describe('C8: the nearest names of an unknown tool', () => {
  it.each([
    ['without its alias', 'forecast', 'The closest names are weather__forecast.'],
    [
      'with the alias of another server',
      'web__read',
      'The closest names are files__read, notes__read.',
    ],
    ['a letter off', 'files__writ', 'The closest names are files__write.'],
    ['with nothing in common', 'database__query', undefined],
    ['longer than any name', `${'x'.repeat(1_000_000)}__read`, undefined],
  ])('are those that may be meant by one %s', (_, asked, near) => {
    expect(nearestHint(asked, NAMES)).toBe(near)
  })

  it('are three at most, nearest first', () => {
    const names = ['a__reader', 'b__reads', 'c__read', 'd__re', 'e__rea']
    expect(nearestHint('x__rea', names)).toMatch(/^The closest names are e__rea, \w+, \w+\.$/u)
  })
})
