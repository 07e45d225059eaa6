import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { HostServer } from '../../../src-shared/domain/agents/host'
import type { ConfiguredServer } from '../../../src-shared/domain/installation/configuration'
import type {
  CommandPreview,
  LaunchPreview,
} from '../../../src-shared/domain/installation/launch-plan'
import { UNDECIDED } from '../../components/configuration/server-choices'
import { formatList } from '../../ui/text/format'
import {
  BLANK_DRAFT,
  choicesOf,
  differences,
  entriesToSwitchOff,
  entryKey,
  filterRows,
  importRows,
  rowMarks,
  summaryText,
  tickedRows,
} from './import-rows'
import { decidedAlso } from './use-import'

const NONE = { unread: [] }

function keysOf(rows: readonly { readonly key: string }[]): string[] {
  return rows.map(({ key }) => key)
}

describe('D6: rows of the servers found in apps', () => {
  it('merge entries that run the same, and name rows with the same name that run differently', () => {
    const servers = [
      server('notes', 'A', { sameAs: 'n' }),
      server('files', 'A', { sameAs: 'f1' }),
      server('my-notes', 'B', { sameAs: 'n' }),
      server('Files', 'B', { sameAs: 'f2' }),
    ]
    const rows = importRows({ servers, ...NONE }, BLANK_DRAFT)
    expect(rows.map(({ key, entries, kin }) => [key, entries.length, kin])).toEqual([
      ['n', 2, []],
      ['f1', 1, ['f2']],
      ['f2', 1, ['f1']],
    ])
  })

  it('import the entry without missing values, preferably an enabled one, unless the user chooses another', () => {
    const asking = server('x', 'A', { sameAs: 'x' }, { toFill: ['TOKEN'] })
    const off = server('x', 'B', { sameAs: 'x', isOn: false })
    const on = server('x', 'C', { sameAs: 'x' })
    const broken = server('x', 'D', { sameAs: 'x' }, { preview: null })
    const found = { servers: [broken, asking, off, on], ...NONE }
    expect(importRows(found, BLANK_DRAFT)[0]?.entry).toBe(on)
    const counting = new Map([['x', entryKey(asking)]])
    expect(importRows(found, { ...BLANK_DRAFT, counting })[0]?.entry).toBe(asking)
  })

  it('select enabled, new and importable servers; of one name the most common one', () => {
    const servers = [
      server('one', 'A', { sameAs: '1' }),
      server('one', 'B', { sameAs: '2' }),
      server('one', 'C', { sameAs: '2' }),
      server('off', 'A', { sameAs: '3', isOn: false }),
      server('here', 'A', {
        sameAs: '4',
        alreadyInstalledAs: { installationId: 'i', name: 'Here' },
      }),
      server('bad', 'A', { sameAs: '5' }, { preview: null, obstacle: 'No command.' }),
      server('good', 'A', { sameAs: '6' }),
    ]
    const rows = importRows({ servers, ...NONE }, BLANK_DRAFT)
    expect(keysOf(tickedRows(rows, BLANK_DRAFT))).toEqual(['2', '6'])
    const ticks = new Map([
      ['2', false],
      ['3', true],
      ['5', true],
    ])
    expect(keysOf(tickedRows(rows, { ...BLANK_DRAFT, ticks }))).toEqual(['3', '6'])
  })

  it('turn off all enabled entries, but only the imported one in its own file', () => {
    const servers = [
      server('one', 'A', { sameAs: 'x' }),
      server('two', 'A', { sameAs: 'x' }),
      server('three', 'B', { sameAs: 'x' }),
      server('four', 'B', { sameAs: 'x' }),
      server('five', 'C', { sameAs: 'x', isOn: false }),
    ]
    const rows = importRows({ servers, ...NONE }, BLANK_DRAFT)
    const names = entriesToSwitchOff(rows).map(({ entryName }) => entryName)
    expect(names).toEqual(['one', 'three', 'four'])
  })

  it('send the selected entries first and then others with decisions', () => {
    const servers = [server('off', 'A', { isOn: false }), server('on', 'A')]
    const decision = { ...UNDECIDED, open: ['s'], envFile: true }
    const decided = new Map(servers.slice(0, 1).map((one) => [entryKey(one), decision]))
    const draft = { ...BLANK_DRAFT, decided }
    const { ticked, others } = choicesOf(importRows({ servers, ...NONE }, draft), draft)
    expect(ticked).toEqual([{ fileId: 'file:A', entryName: 'on', ...UNDECIDED }])
    expect(others).toEqual([{ fileId: 'file:A', entryName: 'off', ...decision }])
  })

  it('lose and duplicate no entry, whatever the apps contain', () => {
    const entry = fc.record({
      name: fc.constantFrom('a', 'A', 'b', '__proto__', ''),
      host: fc.constantFrom('X', 'Y', 'Z'),
      sameAs: fc.constantFrom('1', '2', '3', '__proto__'),
      isOn: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), (made) => {
        const servers = made.map(({ name, host, sameAs, isOn }) =>
          server(name, host, { sameAs, isOn }),
        )
        const rows = importRows({ servers, ...NONE }, BLANK_DRAFT)
        const entries = rows.flatMap((row) => row.entries)
        expect(new Set(entries)).toEqual(new Set(servers))
        expect(entries).toHaveLength(servers.length)
        expect(new Set(keysOf(rows)).size).toBe(rows.length)
        const names = tickedRows(rows, BLANK_DRAFT).map((row) => row.entry.entryName.toLowerCase())
        expect(new Set(names).size).toBe(names.length)
      }),
    )
  })
})

describe('D6: search in the found servers', () => {
  const servers = [
    server('notes', 'Claude', { sameAs: '1' }),
    server('notes', 'Zed', { sameAs: '1' }),
    server('files', 'Zed', { sameAs: '2' }),
  ]
  const rows = importRows({ servers, ...NONE }, BLANK_DRAFT)

  it('finds every term in name, app or command', () => {
    expect(keysOf(filterRows(rows, { host: '', query: 'zed NODE' }))).toEqual(['1', '2'])
    expect(keysOf(filterRows(rows, { host: '', query: 'zed notes' }))).toEqual(['1'])
    expect(filterRows(rows, { host: '', query: 'nothing' })).toEqual([])
  })

  it('lists the servers of one app, even if other apps have them too', () => {
    expect(keysOf(filterRows(rows, { host: 'Zed', query: '' }))).toEqual(['1', '2'])
    expect(keysOf(filterRows(rows, { host: 'Claude', query: '' }))).toEqual(['1'])
  })
})

const CONSENT = { planHash: 'hash', problems: [], warnings: [] }
const origin = { kind: 'fixed', label: '' } as const
const pair = (name: string, text: string): CommandPreview['env'][number] => ({
  name,
  text,
  secret: false,
  origin,
})

describe('D6: messages about found servers', () => {
  it('name the differences between two servers of the same name', () => {
    const one = command({ env: [pair('A', '1'), pair('B', '2')] })
    const other = command({ command: 'npx', cwd: '/x', env: [pair('A', '1'), pair('C', '2')] })
    expect(differences(one, other)).toEqual(['command', 'folder', 'B', 'C'])
    expect(differences(one, one)).toEqual([])
  })

  it('distinguish an address from a program, and two addresses', () => {
    const remote = (text: string): LaunchPreview => ({
      kind: 'remote',
      type: 'sse',
      url: { text, secret: false, origin },
      headers: [],
      ...CONSENT,
    })
    const [here, there] = [remote('https://a.example'), remote('https://b.example')]
    expect(differences(here, command())).toEqual(['connection type'])
    expect(differences(here, there)).toEqual(['address'])
  })

  it('join names as in a sentence', () => {
    expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(formatList)).toEqual([
      '',
      'a',
      'a and b',
      'a, b, and c',
    ])
  })

  it('show warnings on a row that needs work, and the current state after them', () => {
    const alreadyInstalledAs = { installationId: 'i', name: 'Here' }
    const marksOf = (...found: ReturnType<typeof server>[]) =>
      importRows({ servers: found, unread: [] }, BLANK_DRAFT).map((row) =>
        rowMarks(row).map(({ text }) => text),
      )
    expect(
      marksOf(
        server('a', 'A', { alreadyInstalledAs, isOn: false }, { toFill: ['X', 'Y'] }),
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

  it('count the secrets that move to the keychain, not those that stay open', () => {
    const secret = (id: string, isKept: boolean) => ({
      id,
      label: id,
      place: 'variable' as const,
      isKept,
    })
    const rows = importRows(
      {
        servers: [server('a', 'A', {}, { secrets: [secret('k', true), secret('o', false)] })],
        unread: [],
      },
      BLANK_DRAFT,
    )
    expect(summaryText(rows, 3, { isInMemory: false })).toBe(
      '1 of 3 servers, 1 secret to the keychain.',
    )
    expect(summaryText(rows, 1, { isInMemory: true })).toBe(
      '1 of 1 server, 1 secret kept in memory for this run.',
    )
    expect(summaryText([], 3, { isInMemory: false })).toBe('Select servers to import.')
  })
})

it('C7: both of two decisions stay, even if the first is answered after the second was made', () => {
  const first = decidedAlso(BLANK_DRAFT, 'one', 'withoutTerminal')
  const both = decidedAlso(first, 'two', 'withoutTerminal')
  expect([...both.decided].map(([key, { withoutTerminal }]) => [key, withoutTerminal])).toEqual([
    ['one', true],
    ['two', true],
  ])
  expect(decidedAlso(both, 'one', 'withoutTerminal').decided.size).toBe(2)
})

/** Returns the launch preview of a test server. */
function command(change: Partial<CommandPreview> = {}): CommandPreview {
  return {
    ...{ kind: 'command', command: 'node', args: [], env: [], packageName: 'node', ...CONSENT },
    ...change,
  }
}

/** Returns a test entry of an app; entries of the same name run the same. */
function server(
  entryName: string,
  hostName: string,
  change: Partial<HostServer> = {},
  configured: Partial<ConfiguredServer> = {},
): HostServer {
  return {
    fileId: `file:${hostName}`,
    entryName,
    hostName,
    hostPath: `/home/${hostName}.json`,
    isOn: true,
    sameAs: entryName,
    ...change,
    server: {
      index: 0,
      name: entryName,
      path: entryName,
      preview: command(),
      ...{ secrets: [], environment: [], toFill: [], adjustments: [], notices: [] },
      ...configured,
    },
  }
}
