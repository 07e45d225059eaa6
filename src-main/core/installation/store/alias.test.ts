import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { parseServerJson } from '../../../../src-shared/domain/server-json/parse-server-json'
import { aliasFor } from './alias'
import { ProfileDocument } from './profile-document'

const { server } = parseServerJson({
  name: 'io.github.mara/files-mcp',
  description: 'Files',
  version: '1',
  packages: [{ registryType: 'npm', identifier: 'y', transport: { type: 'stdio' } }],
})
const RULE = /^(?!.*__)[A-Za-z0-9-]([A-Za-z0-9_-]{0,22}[A-Za-z0-9-])?$/

/** The alias of a server with this name, next to servers with these aliases. */
function aliasOf(name: string, others: readonly string[] = [], entry = server.name): string {
  return aliasFor(
    { name, server: { name: entry } },
    others.map((alias) => ({ alias })),
  )
}

/** An installation as a file stores it. */
function entry(name: string, alias?: unknown): Record<string, unknown> {
  const offer = { kind: 'package', index: 0 }
  const kept = { installationId: name, name, source: 'starter', server, offer, enabled: true }
  return { ...kept, alias, values: {}, secrets: {}, budgets: {}, createdAt: 1 }
}

/** A store over a file with these installations; `again` reopens what it wrote last. */
function open(...installations: unknown[]): { store: ProfileDocument; again: () => unknown[] } {
  let document: unknown = structuredClone({ installations })
  const openStore = (): ProfileDocument =>
    new ProfileDocument({
      file: '/profile/settings.json',
      read: () => document,
      write: (next) => (document = structuredClone(next)),
    })
  return { store: openStore(), again: () => aliasesIn(openStore()) }
}

function aliasesIn({ installations }: ProfileDocument): string[] {
  return installations.map(({ alias }) => alias)
}

describe('C4: the alias of a new server', () => {
  it("is its name, with hyphens for characters that an exposed name can't have", () => {
    expect(aliasOf('Files')).toBe('Files')
    expect(aliasOf('my_files-2')).toBe('my_files-2')
    expect(aliasOf('My files (work)')).toBe('My-files-work')
    expect(aliasOf('Café de l’Été')).toBe('Cafe-de-l-Ete')
  })

  it('has no double underscores and none at its ends, because they separate it from the tool', () => {
    expect(aliasOf('__a__b__')).toBe('a_b')
    expect(aliasOf('a_ _b')).toBe('a-b')
    expect(aliasOf('abcdefghijklmnopqrstuvw_x')).toBe('abcdefghijklmnopqrstuvw')
  })

  it('for a name in another script is the last part of the entry\'s name, or "server"', () => {
    expect(aliasOf('日本語')).toBe('files-mcp')
    expect(aliasOf('日本語 notes')).toBe('notes')
    expect(aliasOf('日本語', [], 'jp.example/日本語')).toBe('server')
    expect(aliasOf(' ', [], '')).toBe('server')
  })

  it('is numbered if another server has it, ignoring case', () => {
    expect(aliasOf('Files', ['files'])).toBe('Files-2')
    expect(aliasOf('Files', ['files', 'FILES-2'])).toBe('Files-3')
    expect(aliasOf('a'.repeat(30), ['A'.repeat(24)])).toBe(`${'a'.repeat(22)}-2`)
  })

  it('is free again when its server is gone', () => {
    const alias = aliasOf('Files', ['Notes'])
    expect(aliasOf('Files', ['Notes', alias])).not.toBe(alias)
    expect(aliasOf('Files', ['Notes'])).toBe(alias)
  })

  it('follows its rule and differs from all others, for any names', () => {
    const name = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string())
    fc.assert(
      fc.property(fc.array(name, { maxLength: 10 }), name, (names, last) => {
        const given: string[] = []
        for (const one of names) given.push(aliasOf(one, given, last))
        for (const alias of given) expect(alias).toMatch(RULE)
        expect(new Set(given.map((alias) => alias.toLowerCase())).size).toBe(given.length)
      }),
    )
  })
})

describe('C4: the aliases in a settings file', () => {
  it('are given to older installations, the same at each start, and written with the next change', () => {
    const { store, again } = open(entry('Files'), entry('files!'), entry('日本語'))
    expect(aliasesIn(store)).toEqual(['Files', 'files-2', 'files-mcp'])
    expect(again()).toEqual(['Files', 'files-2', 'files-mcp'])
    expect(store.notices).toEqual([])
    store.remove('Files')
    expect(again()).toEqual(['files-2', 'files-mcp'])
  })

  it('stay when the server is renamed', () => {
    const { store, again } = open(entry('Files'))
    for (const one of store.installations) store.save({ ...one, name: 'Papers' })
    expect(again()).toEqual(['Files'])
  })

  it("aren't given to a server if a later one has them", () => {
    const { store } = open(entry('Files'), entry('Other', 'Files'))
    expect(aliasesIn(store)).toEqual(['Files-2', 'Files'])
    expect(store.notices).toEqual([])
  })

  it.each([['a__b'], ['_a'], ['a_'], [''.padEnd(25, 'a')], ['a.b'], ['日本'], [7], [null]])(
    'are repaired with a notice if invalid: %j',
    (alias) => {
      const { store, again } = open(entry('Files', alias))
      expect(aliasesIn(store)).toEqual(['Files'])
      expect(again()).toEqual(['Files'])
      expect(store.notices).toMatchObject([
        { noticeId: 'alias-repaired-Files', title: expect.stringContaining('Files') as string },
      ])
    },
  )

  it('are repaired with a notice if two are equal ignoring case: the first keeps it', () => {
    const { store } = open(entry('One', 'Same'), entry('Two', 'same'), entry('Three'))
    expect(aliasesIn(store)).toEqual(['Same', 'Two', 'Three'])
    expect(store.notices).toMatchObject([
      {
        noticeId: 'alias-repaired-Two',
        message: expect.stringMatching(/^The names now begin with "Two__"/) as string,
      },
    ])
  })

  it('are valid and distinct for any file, and stay once written', () => {
    const alias = fc.oneof(
      // The Kelvin sign is a k in lower case.
      fc.constantFrom(undefined, 'Same', 'same', 'Same-2', 'a__b', '\u212A', '', 7),
      fc.string({ maxLength: 30 }),
    )
    const name = fc.constantFrom('Same', 'same!', '日本語', 'Other')
    fc.assert(
      fc.property(fc.array(fc.tuple(name, alias), { maxLength: 8 }), (file) => {
        const entries = file.map(([named, given], index) => ({
          ...entry(named, given),
          installationId: String(index),
        }))
        const { store, again } = open(...entries)
        const aliases = aliasesIn(store)
        for (const one of aliases) expect(one).toMatch(RULE)
        expect(new Set(aliases.map((one) => one.toLowerCase())).size).toBe(file.length)
        expect(again()).toEqual(aliases)
        store.saveSettings(store.settings)
        expect(again()).toEqual(aliases)
      }),
    )
  })
})
