import { describe, expect, it } from 'vitest'

import { limitWarnings } from './few-warnings'

describe('F9: warnings of one kind', () => {
  it('are passed on twenty times, with a last line that more are not shown', () => {
    const shown: string[] = []
    const warn = limitWarnings((message) => shown.push(message))
    for (let count = 1; count <= 100; count += 1) warn(`Duplicate key ${count}\u202e`)
    expect(shown).toHaveLength(21)
    expect(shown.slice(-2)).toEqual([
      'Duplicate key 20',
      'More warnings of this kind are not shown.',
    ])
  })
})
