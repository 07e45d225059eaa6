import { describe, expect, it } from 'vitest'

import type { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import type { Package, ServerJson } from '../../../src-shared/domain/server-json'
import {
  asksOf,
  entryObstacle,
  entryTitle,
  filterEntries,
  preferredPackage,
  safeLink,
  secretTag,
} from './entry-facts'

function pack(changes: Partial<Package> = {}): Package {
  return {
    registryType: 'npm',
    identifier: '@example/notes',
    transport: { type: 'stdio' },
    runtimeArguments: [],
    packageArguments: [],
    environmentVariables: [],
    ...changes,
  }
}

function server(changes: Partial<ServerJson> = {}): ServerJson {
  return {
    name: 'io.github.example/notes',
    description: 'Searches notes.',
    version: '1.0.0',
    packages: [pack()],
    remotes: [],
    ...changes,
  }
}

function entry(changes: Partial<ServerJson>): CatalogEntry {
  const listed = server(changes)
  return { entryId: listed.name, source: 'starter', server: listed, status: 'active', notices: [] }
}

describe('D2 what the catalog says of an entry', () => {
  it('shows the title, or the last part of the name when the title is missing or blank', () => {
    expect(entryTitle(server({ title: 'Notes' }))).toBe('Notes')
    expect(entryTitle(server({ title: '  ' }))).toBe('notes')
  })

  it('proposes the first package that can be started', () => {
    const bundle = pack({ registryType: 'mcpb' })
    expect(preferredPackage(server({ packages: [bundle, pack()] }))).toEqual({
      kind: 'package',
      index: 1,
    })
    expect(preferredPackage(server({ packages: [bundle] }))).toEqual({ kind: 'package', index: 0 })
  })

  it('gives a sentence for remote-only, empty, HTTP and unknown kinds, and none for npm', () => {
    expect(entryObstacle(server())).toBeUndefined()
    const remote = { type: 'sse' as const, url: 'https://a.example', headers: [] }
    expect(entryObstacle(server({ packages: [], remotes: [remote] }))).toMatch(/remote servers/)
    expect(entryObstacle(server({ packages: [] }))).toMatch(/no package/)
    expect(entryObstacle(server({ packages: [pack({ registryType: 'mcpb' })] }))).toMatch(/Bundle/)
    expect(entryObstacle(server({ packages: [pack({ transport: { type: 'sse' } })] }))).toMatch(
      /HTTP/,
    )
  })

  it('says that a key is needed only when one is required', () => {
    const token = { name: 'TOKEN', isSecret: true }
    expect(secretTag(asksOf(pack({ environmentVariables: [token] })))).toBe('1 secret')
    expect(
      secretTag(asksOf(pack({ environmentVariables: [{ ...token, isRequired: true }] }))),
    ).toBe('Needs a key')
    expect(secretTag(asksOf(pack()))).toBeUndefined()
  })

  it('finds entries by every word of the query, wherever it stands', () => {
    const entries = [
      entry({ title: 'Notes Search' }),
      entry({ name: 'a/files', description: 'Files.' }),
    ]
    expect(filterEntries(entries, 'search notes').map(({ entryId }) => entryId)).toEqual([
      'io.github.example/notes',
    ])
    expect(filterEntries(entries, ' ')).toHaveLength(2)
  })

  it('opens https addresses and nothing else', () => {
    expect(safeLink('https://github.com/a/b')?.hostname).toBe('github.com')
    for (const bad of [
      'javascript:alert(1)',
      'http://a.example',
      'file:///etc/passwd',
      'x',
      undefined,
    ])
      expect(safeLink(bad)).toBeUndefined()
  })
})
