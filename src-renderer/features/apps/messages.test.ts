import { describe, expect, it } from 'vitest'

import {
  chosenText,
  clientName,
  lastSeen,
  limitWarning,
  namingHint,
  overLimitWarning,
} from './messages'

const NOW = 1_790_000_000_000

describe('D6: texts of the Apps page', () => {
  it('say when an app was last seen, ignoring earlier sessions', () => {
    expect(lastSeen({ connections: 2, lastSeenAt: NOW - 90_000 }, NOW)).toBe('now')
    expect(lastSeen({ connections: 0, lastSeenAt: NOW - 150_000 }, NOW)).toBe('2 min ago')
    expect(lastSeen({ connections: 0 }, NOW)).toBeUndefined()
  })

  it('escape invisible characters in the name of a client', () => {
    expect(clientName({ app: { name: 'cursor\u202Evil', version: '1.2' } })).toBe(
      'cursor<U+202E>vil 1.2',
    )
    expect(clientName({ app: undefined })).toBeUndefined()
  })
})

describe('C3: warnings about tool limits', () => {
  it('appear only above the limit of the app', () => {
    expect(limitWarning('Cursor', 40, 52)).toBe('Cursor accepts up to 40 tools, but gets 52.')
    expect(limitWarning('Cursor', 40, 40)).toBeUndefined()
    expect(limitWarning('Zed', undefined, 4_000)).toBeUndefined()
  })

  it('count the tools that the tool limit omits', () => {
    expect(overLimitWarning(1_200, 128)).toBe('1,200 tools over the limit of 128.')
    expect(overLimitWarning(0, 128)).toBeUndefined()
  })
})

describe('C7: texts of a tool choice', () => {
  it('count listed tools and chosen names that are gone', () => {
    const listed = ['a', 'b', 'c']
    expect(chosenText({ kind: 'all' }, listed)).toBe('All 3 tools')
    expect(chosenText({ kind: 'none' }, listed)).toBe('0 of 3 tools')
    expect(chosenText({ kind: 'list', names: ['a', 'gone'] }, listed)).toBe(
      '1 of 3 tools, 1 missing',
    )
    expect(chosenText({ kind: 'all' }, [])).toBe('Tools not listed yet')
  })

  it("show the name of one of the app's tools as agents call it", () => {
    const example = { exposedName: 'git__log', name: 'log' }
    expect(namingHint('prefixed', example)).toContain('such as git__log.')
    expect(namingHint('plain', example)).toContain('such as log.')
    expect(namingHint('prefixed', undefined)).toBe('Names start with the server name.')
  })
})
