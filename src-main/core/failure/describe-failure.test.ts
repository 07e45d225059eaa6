import { describe, expect, it } from 'vitest'

import { messageOf } from './describe-failure'

describe('B10 the words of a failure', () => {
  it('are cleaned and cut, since a server may have made them up', () => {
    expect(messageOf(new Error('a\u202Eb\u0007c'))).toBe('abc')
    const long = messageOf(new Error('E'.repeat(50_000_000)))
    expect(long.length).toBeLessThan(1_100)
    expect(long).toMatch(/ … \(cut\)$/u)
  })
})
