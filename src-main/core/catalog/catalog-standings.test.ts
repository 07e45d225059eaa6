import { describe, expect, it } from 'vitest'

import type { ListedStanding } from '../../../src-shared/domain/catalog/catalog-query'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import { CatalogStandings } from './catalog-standings'

function standing(change: Partial<ListedStanding> = {}): ListedStanding {
  return { sourceId: 'official', name: 'a/b', status: 'active', version: '1.0.0', ...change }
}

function installed(change: Partial<Installation> = {}) {
  const server = { name: 'a/b', description: '', version: '1.0.0', packages: [], remotes: [] }
  return { source: 'registry', sourceId: undefined, server, ...change } as const
}

describe('D2 what a registry says of what is installed', () => {
  it('warns of what was taken down or is no longer maintained, with its own words', () => {
    const standings = new CatalogStandings()
    for (const status of ['deleted', 'deprecated'] as const) {
      standings.replace([standing({ status, statusMessage: 'Why.' })])
      expect(standings.warningOf(installed())).toEqual({ status, statusMessage: 'Why.' })
    }
    standings.replace([standing({ status: 'active' })])
    expect(standings.warningOf(installed())).toBeUndefined()
  })

  it('warns of what came from a registry that does not list it, and of nothing that others gave', () => {
    const standings = new CatalogStandings()
    standings.replace([standing({ status: 'unlisted' })])
    expect(standings.warningOf(installed())).toEqual({ status: 'unlisted' })
    for (const source of ['starter', 'pasted', 'bundle', 'hand'] as const)
      expect(standings.warningOf(installed({ source }))).toBeUndefined()
  })

  it('offers a newer version, and none of what was taken down', () => {
    const standings = new CatalogStandings()
    const version = '1.1.0'
    standings.replace([standing({ version })])
    expect(standings.updateOf(installed())).toEqual({
      entryId: 'registry:official:a%2Fb:1.1.0',
      version,
    })
    standings.replace([standing({ version: '1.0.0' })])
    expect(standings.updateOf(installed())).toBeUndefined()
    standings.replace([standing({ version, status: 'deleted' })])
    expect(standings.updateOf(installed())).toBeUndefined()
  })

  it('concerns only the registry that a server came from, and nothing that is in none', () => {
    const standings = new CatalogStandings()
    standings.replace([standing({ sourceId: 'acme', status: 'deleted' })])
    expect(standings.warningOf(installed())).toBeUndefined()
    expect(standings.warningOf(installed({ sourceId: 'acme' }))).toBeDefined()
    for (const source of ['hand', 'bundle'] as const)
      expect(standings.warningOf(installed({ sourceId: 'acme', source }))).toBeUndefined()
  })

  it('names those that stand otherwise than before', () => {
    const standings = new CatalogStandings()
    const other = standing({ name: 'c/d' })
    expect(standings.replace([standing(), other])).toEqual(new Set(['a/b', 'c/d']))
    expect(standings.replace([standing({ status: 'deprecated' }), other])).toEqual(new Set(['a/b']))
    expect(standings.replace([standing({ status: 'deprecated' })])).toEqual(new Set(['c/d']))
  })
})
