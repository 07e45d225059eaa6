import { describe, expect, it } from 'vitest'

import { listedWords, unlistedWords } from './messages'

const MINUTE = 60_000

describe('C8: messages on the list of a stopped server', () => {
  it('show age and version of the list, and nothing during a session', () => {
    const listed = { listedAt: 0, packageVersion: '1.2.0', isLive: false }
    expect(listedWords(listed, 3 * MINUTE)).toBe(
      'Listed 3 min ago by version 1.2.0. The server is not running.',
    )
    expect(listedWords({ listedAt: 0, isLive: false }, 10)).toBe(
      'Listed just now. The server is not running.',
    )
    expect(listedWords(listed, 400 * 24 * 60 * MINUTE)).toMatch(/^Listed on .*1970 by /u)
    expect(listedWords({ ...listed, isLive: true }, MINUTE)).toBe('')
    expect(listedWords({ isLive: false }, MINUTE)).toBe('')
  })

  it('say how to load the list of a server that was never listed', () => {
    const stopped = { name: 'Notes', status: { kind: 'stopped' as const }, enabled: true }
    expect(unlistedWords(stopped, 'onFirstUse', 'tools')).toContain('starts on demand')
    expect(unlistedWords(stopped, 'byHand', 'prompts')).toContain('Start Notes once')
    expect(unlistedWords({ ...stopped, enabled: false }, 'onFirstUse', 'tools')).toContain(
      'Start Notes once',
    )
    const starting = { ...stopped, status: { kind: 'starting' as const, phase: 'spawn' as const } }
    expect(unlistedWords(starting, 'withApp', 'tools')).toBe(
      'The tools of Notes appear here when the server is ready.',
    )
  })
})
