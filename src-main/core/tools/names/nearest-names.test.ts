import { describe, expect, it } from 'vitest'

import { nearestNames } from '../directory/hidden-tool'

const NAMES = ['files__read', 'files__write', 'notes__read', 'weather__forecast']

describe('C8 the nearest names of a tool that no server has', () => {
  it.each([
    ['without its alias', 'forecast', ['weather__forecast']],
    ['with the alias of another server', 'web__read', ['files__read', 'notes__read']],
    ['a letter off', 'files__writ', ['files__write']],
    ['with nothing in common', 'database__query', []],
    ['longer than any name', `${'x'.repeat(1_000_000)}__read`, []],
  ])('are those that may be meant by one %s', (_, asked, near) => {
    expect(nearestNames(asked, NAMES, 3)).toEqual(near)
  })

  it('are no more than asked for, the nearest first', () => {
    expect(nearestNames('files__rea', NAMES, 1)).toEqual(['files__read'])
  })
})
