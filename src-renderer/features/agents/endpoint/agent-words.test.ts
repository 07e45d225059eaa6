import { describe, expect, it } from 'vitest'

import {
  appWords,
  limitWords,
  namingSentence,
  overCapWords,
  presenceWords,
  shownWords,
  takenWords,
} from './agent-words'

const NOW = 1_790_000_000_000

describe('D6: agents in words', () => {
  it('tells whether an agent is there, and claims nothing of before this run', () => {
    expect(presenceWords({ connections: 2, lastSeenAt: NOW - 90_000 }, NOW)).toBe('Connected')
    expect(presenceWords({ connections: 0, lastSeenAt: NOW - 150_000 }, NOW)).toBe(
      'Last seen 2 min ago',
    )
    expect(presenceWords({ connections: 0 }, NOW)).toBe('Not seen since Patchbay started')
  })

  it('shows what an app calls itself without what hides in it', () => {
    expect(appWords({ app: { name: 'cursor\u202Evil', version: '1.2' } })).toBe(
      'cursor<U+202E>vil 1.2',
    )
    expect(appWords({ app: undefined })).toBeUndefined()
  })
})

describe('C3: limits before they bite', () => {
  it('warns above what the app takes, the limit itself being enough', () => {
    expect(limitWords('Cursor', 40, 52)).toBe('Cursor takes 40 tools; 52 are shown.')
    expect(limitWords('Cursor', 40, 40)).toBeUndefined()
    expect(limitWords('Zed', undefined, 4_000)).toBeUndefined()
  })

  it('counts what the cap has no room for', () => {
    expect(overCapWords(1, 128)).toBe('1 tool more is over the cap of 128.')
    expect(overCapWords(1_200, 128)).toBe('1,200 tools more are over the cap of 128.')
    expect(overCapWords(0, 128)).toBeUndefined()
  })

  it('says how many tools are shown, two of them where the others are searched', () => {
    expect(shownWords(0, false)).toBe('No tool is shown')
    expect(shownWords(1, false)).toBe('1 tool is shown')
    expect(shownWords(1_052, false)).toBe('1,052 tools are shown')
    expect(shownWords(1_052, true)).toBe('Two tools are shown, and find 1,052 more')
    expect(shownWords(0, true)).toBe('Two tools are shown, and find nothing')
  })
})

describe('C7: what an agent takes of a server', () => {
  it('counts what is listed, and reports what a choice names beyond it', () => {
    const listed = ['a', 'b', 'c']
    expect(takenWords({ kind: 'all' }, listed)).toBe('All 3 tools')
    expect(takenWords({ kind: 'none' }, listed)).toBe('0 of 3 tools')
    expect(takenWords({ kind: 'list', names: ['a', 'gone'] }, listed)).toBe(
      '1 of 3 tools; 1 chosen is not listed',
    )
    expect(takenWords({ kind: 'all' }, [])).toBe('No tools listed yet')
  })

  it('names a tool of its own as it is called', () => {
    const example = { prefixed: 'git__log', own: 'log' }
    expect(namingSentence('prefixed', example)).toContain('such as git__log.')
    expect(namingSentence('plain', example)).toContain('such as log.')
    expect(namingSentence('prefixed', undefined)).toBe(
      'The short name of its server stands before each.',
    )
  })
})
