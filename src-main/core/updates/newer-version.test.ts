import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import { isNewer, knownUpdate, newestUpdate } from './newer-version'

const at = (version: string, publishedAt?: string) => ({ version, publishedAt })

describe('the newer version', () => {
  it.each([
    ['1.10.0', '1.9.0'],
    ['1.0.0', '1.0.0-beta.2'],
    ['1.0.0-beta.10', '1.0.0-beta.2'],
    ['v2.0.0', '1.9.9'],
    ['0.0.1', '2026.6.9.4'],
    ['0.0.1', 'mcp'],
  ])('is %s rather than %s, in both directions', (newer, older) => {
    expect([isNewer(at(newer), at(older)), isNewer(at(older), at(newer))]).toEqual([true, false])
  })

  it('is decided by date if neither is a semantic version', () => {
    const [may, june] = [at('0.2', '2026-05-01T00:00:00Z'), at('0.10', '2026-06-01T00:00:00Z')]
    expect([isNewer(june, may), isNewer(may, june)]).toEqual([true, false])
    expect(isNewer(at('b'), at('a'))).toBe(false)
  })

  it('is never decided both ways, or for equal texts', () => {
    const version = fc.oneof(
      fc.string(),
      fc.tuple(fc.nat(), fc.nat(), fc.nat()).map((numbers) => numbers.join('.')),
    )
    const day = fc.constantFrom(undefined, 'never', '2026-05-01T00:00:00Z', '2026-06-01T00:00:00Z')
    const published = fc.record({ version, publishedAt: day })
    fc.assert(
      fc.property(published, published, (a, b) => {
        expect(isNewer(a, b) && isNewer(b, a)).toBe(false)
        expect(isNewer(a, { ...b, version: a.version })).toBe(false)
      }),
    )
  })
})

describe('the update of a server', () => {
  const entry = (
    name: string,
    version: string,
    rest: Partial<CatalogEntry> = {},
  ): CatalogEntry => ({
    entryId: `${name}@${version}`,
    source: 'registry',
    server: { name, description: '', version, packages: [], remotes: [] },
    status: 'active',
    notices: [],
    ...rest,
  })

  it('is the newest of its own entries, ignoring other servers and deleted versions', () => {
    const entries = [
      entry('a/b', '1.2.0'),
      entry('a/b', '1.4.0'),
      entry('a/b', '9.0.0', { status: 'deleted' }),
      entry('a/bb', '7.0.0'),
      entry('A/b', '8.0.0'),
    ]
    expect(newestUpdate('a/b', at('1.2.0'), entries)?.server.version).toBe('1.4.0')
    expect(newestUpdate('a/b', at('1.4.0'), entries)).toBeUndefined()
  })

  it("doesn't exist for custom servers and local bundles, whatever their name", () => {
    const catalog = { versionsOf: () => [entry('a/b', '2.0.0')] }
    const { server } = entry('a/b', '1.0.0')
    const found = (['registry', 'pasted', 'hand', 'bundle'] as const).map(
      (source) => knownUpdate(catalog, { source, server })?.server.version,
    )
    expect(found).toEqual(['2.0.0', '2.0.0', undefined, undefined])
  })

  it('comes only from the registry that the server came from', () => {
    const catalog = { versionsOf: () => [entry('a/b', '2.0.0', { sourceId: 'other' })] }
    const { server } = entry('a/b', '1.0.0')
    const found = [undefined, 'official', 'other'].map(
      (sourceId) => knownUpdate(catalog, { source: 'registry', sourceId, server })?.server.version,
    )
    expect(found).toEqual([undefined, undefined, '2.0.0'])
  })
})
