import { describe, expect, it } from 'vitest'

import type {
  CommandPreview,
  LaunchPreview,
} from '../../../src-shared/domain/installation/launch-plan'
import { formatList } from '../../ui/text/format'
import { BLANK_DRAFT, foundRows } from './found-rows'
import { differences, rowMarks, sumWords } from './messages'
import { command, server } from './test-servers'

const origin = { kind: 'fixed', label: '' } as const
const pair = (name: string, text: string): CommandPreview['env'][number] => ({
  name,
  text,
  secret: false,
  origin,
})

describe('what is said of servers found in other apps (D6)', () => {
  it('names what differs between two of the same name', () => {
    const one = command({ env: [pair('A', '1'), pair('B', '2')] })
    const other = command({ command: 'npx', cwd: '/x', env: [pair('A', '1'), pair('C', '2')] })
    expect(differences(one, other)).toEqual(['command', 'folder', 'B', 'C'])
    expect(differences(one, one)).toEqual([])
  })

  it('tells an address from a program, and one address from another', () => {
    const remote = (text: string): LaunchPreview => ({
      kind: 'remote',
      type: 'sse',
      url: { text, secret: false, origin },
      headers: [],
      planHash: 'hash',
      problems: [],
      warnings: [],
    })
    const [here, there] = [remote('https://a.example'), remote('https://b.example')]
    expect(differences(here, command())).toEqual(['connection type'])
    expect(differences(here, there)).toEqual(['address'])
  })

  it('lists names as a sentence does', () => {
    expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(formatList)).toEqual([
      '',
      'a',
      'a and b',
      'a, b, and c',
    ])
  })

  it('marks first what hinders, then what is already so', () => {
    const isHereAs = { installationId: 'i', name: 'Here' }
    const marksOf = (...found: ReturnType<typeof server>[]) =>
      foundRows({ servers: found, unread: [] }, BLANK_DRAFT).map((row) =>
        rowMarks(row).map(({ text }) => text),
      )
    expect(
      marksOf(
        server('a', 'A', { isHereAs, isOn: false }, { toFill: ['X', 'Y'] }),
        server('b', 'A', {}, { preview: null }),
        server('c', 'A', { sameAs: 'c1' }),
        server('c', 'B', { sameAs: 'c2' }),
      ),
    ).toEqual([
      ['Already added', '2 missing values', 'Off'],
      ['Can’t import'],
      ['Differs'],
      ['Differs'],
    ])
  })

  it('counts the secrets that go to the keychain, not those that stay open', () => {
    const secret = (id: string, isKept: boolean) => ({
      id,
      label: id,
      place: 'variable' as const,
      isKept,
    })
    const rows = foundRows(
      {
        servers: [server('a', 'A', {}, { secrets: [secret('k', true), secret('o', false)] })],
        unread: [],
      },
      BLANK_DRAFT,
    )
    expect(sumWords(rows, 3, { isInMemory: false })).toBe(
      '1 of 3 servers, 1 secret to the keychain.',
    )
    expect(sumWords(rows, 1, { isInMemory: true })).toBe(
      '1 of 1 server, 1 secret kept in memory for this run.',
    )
    expect(sumWords([], 3, { isInMemory: false })).toBe('Select servers to import.')
  })
})
