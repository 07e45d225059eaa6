import { describe, expect, it } from 'vitest'

import { exitError, failureText, messageOf } from './describe-failure'
import { HttpStatusError, remoteFailure } from './remote-failure'

describe('B10: failure texts', () => {
  it('are cleaned and cut, because a server may have written them', () => {
    expect(messageOf(new Error('a\u202Eb\u0007c'))).toBe('abc')
    const long = messageOf(new Error('E'.repeat(50_000_000)))
    expect(long.length).toBeLessThan(1_100)
    expect(long).toMatch(/ … \(cut\)$/u)
  })
})

describe('E15: a server that exits silently', () => {
  it('has no hint at its last lines, even if its download printed some', () => {
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

describe('F8: a server that redirects', () => {
  const clues = { stderrTail: [], saidLines: [], phase: 'handshake', isRepaired: false } as const
  const causeAt = (location: string): unknown => {
    const error = new HttpStatusError(307, '', { location: new URL(location) })
    const failure = remoteFailure(error, new URL('https://acme.example/mcp'))
    return failureText(failure, { ...clues, runner: undefined }, (text) => text).cause
  }

  it('offers the target address without its query', () => {
    expect(causeAt('https://mcp.acme.example/v2?key=1')).toMatchObject({
      step: { kind: 'useAddress', address: 'https://mcp.acme.example/v2' },
      isPermanent: true,
    })
  })

  it('offers no address if the target is a sign-in page', () => {
    expect(causeAt('https://login.acme.example/')).toBeUndefined()
  })
})
