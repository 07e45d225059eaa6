import { describe, expect, it } from 'vitest'

import { exitError, failureText, messageOf } from './describe-failure'

describe('B10 the words of a failure', () => {
  it('are cleaned and cut, since a server may have made them up', () => {
    expect(messageOf(new Error('a\u202Eb\u0007c'))).toBe('abc')
    const long = messageOf(new Error('E'.repeat(50_000_000)))
    expect(long.length).toBeLessThan(1_100)
    expect(long).toMatch(/ … \(cut\)$/u)
  })
})

describe('E15 a server that exits without a word', () => {
  it('points to no last lines, also where the download of its package printed some', () => {
    const error = exitError({ code: 1, signal: null }, 'start')
    const { hint } = failureText(
      error,
      {
        ...{ stderrTail: [], saidLines: ['Downloaded 59 packages'] },
        ...{ phase: 'handshake', runner: 'npx', isRepaired: false },
      },
      (text) => text,
    )
    expect(hint).toMatch(/^The server printed nothing before it exited\. Check npm’s own logs/u)
  })
})
