import { describe, expect, it } from 'vitest'

import { listedText, unlistedText } from './messages'

const MINUTE = 60_000

describe('C8: messages on the list of a stopped server', () => {
  it('show age and version of the list, and nothing during a session', () => {
    const listed = { listedAt: 0, packageVersion: '1.2.0', isLive: false }
    expect(listedText(listed, 3 * MINUTE)).toBe(
      'Listed 3 min ago by version 1.2.0. The server is not running.',
    )
    expect(listedText({ listedAt: 0, isLive: false }, 10)).toBe(
      'Listed just now. The server is not running.',
    )
    expect(listedText(listed, 400 * 24 * 60 * MINUTE)).toMatch(/^Listed on .*1970 by /u)
    expect(listedText({ ...listed, isLive: true }, MINUTE)).toBe('')
    expect(listedText({ isLive: false }, MINUTE)).toBe('')
  })

  it('say how to load the list of a server that was never listed', () => {
    const stopped = { name: 'Notes', status: { kind: 'stopped' as const }, enabled: true }
    expect(unlistedText(stopped, 'onFirstUse', 'tools')).toContain('starts on demand')
    expect(unlistedText(stopped, 'byHand', 'prompts')).toContain('Start Notes once')
    expect(unlistedText({ ...stopped, enabled: false }, 'onFirstUse', 'tools')).toContain(
      'Start Notes once',
    )
    const starting = { ...stopped, status: { kind: 'starting' as const, phase: 'spawn' as const } }
    expect(unlistedText(starting, 'withApp', 'tools')).toBe(
      'The tools of Notes appear here when the server is ready.',
    )
  })
})
