import { describe, expect, it } from 'vitest'

import type { CatalogState, SourceView } from '../../../src-shared/domain/catalog/catalog-state'
import type { RegistryFault } from '../../../src-shared/domain/catalog/catalog-sync'
import { catalogNotice, correctionText, freshnessText, progressText } from './catalog-messages'

const NOW = Date.parse('2026-06-01T12:00:00Z')
const OFF: RegistryFault = { code: 'unreachable', message: 'It could not be reached.' }

function source(change: Partial<SourceView> = {}): SourceView {
  return {
    sourceId: 'official',
    baseUrl: 'https://registry.example',
    enabled: true,
    servers: 0,
    waitingPages: 0,
    leftOut: 0,
    hasToken: false,
    ...change,
  }
}

function state(sources: SourceView[], change: Partial<CatalogState> = {}): CatalogState {
  return { sources, servers: 14, starters: 14, edition: 1, favorites: [], viewed: [], ...change }
}

describe('D2: status messages of the catalog', () => {
  it('are empty before it opens and while there is no problem', () => {
    expect(catalogNotice(state([source()], { servers: undefined }), NOW)).toBeUndefined()
    expect(catalogNotice(state([source({ completedAt: NOW })]), NOW)).toBeUndefined()
  })

  it('say at the first start without network that the starter servers are shown', () => {
    const line = catalogNotice(state([source({ fault: OFF })]), NOW)
    expect(line).toMatchObject({
      severity: 'warn',
      title: 'Offline: showing 14 starter servers.',
      text: 'It could not be reached.',
      action: 'sync',
    })
  })

  it('show the age of the catalog after a later failure', () => {
    const completedAt = NOW - 5 * 60_000
    const line = catalogNotice(state([source({ completedAt, fault: OFF })]), NOW)
    expect(line?.title).toBe('Showing the catalog synced 5 min ago.')
  })

  it('name all failed registries, even if only one of several failed', () => {
    const own = source({ sourceId: 'own', baseUrl: 'https://acme.example', fault: OFF })
    const fresh = source({ completedAt: NOW })
    const faulty = source({ fault: OFF, servers: 3, completedAt: NOW })
    expect(catalogNotice(state([fresh, own]), NOW)).toEqual({
      severity: 'warn',
      title: 'Can’t sync 1 of 2 registries.',
      text: 'No results from acme.example yet.',
      action: 'details',
    })
    expect(catalogNotice(state([faulty, own]), NOW)).toMatchObject({
      title: 'Can’t sync any of 2 registries.',
      text: 'Showing the last results from registry.example and acme.example.',
    })
    const stopped = source({ fault: { code: 'cancelled', message: '' }, completedAt: NOW })
    expect(catalogNotice(state([fresh, stopped]), NOW)).toBeUndefined()
  })

  it('say that a similar term is included, or that no server has the typed one', () => {
    const word = { typed: 'postgers', taken: ['postgres', 'posters'] }
    expect(correctionText({ ...word, has: 0 })).toBe(
      'No results for “postgers”. Showing “postgres”, “posters”.',
    )
    expect(correctionText({ ...word, taken: [], has: 0 })).toBe('No server has “postgers”.')
    expect(correctionText({ ...word, has: 1 })).toBe(
      'Also showing “postgres”, “posters” for “postgers”.',
    )
  })

  it('announce the first sync once; the bar shows progress and later syncs', () => {
    const of = { sourceId: 'official', kind: 'full', pages: 37, entries: 3_700 } as const
    const progress = { ...of, leftOut: 0, elapsedMs: 12_000 }
    const first = catalogNotice(state([source()], { progress }), NOW)
    expect(first).toMatchObject({
      title: 'Syncing registry.example.',
      action: 'cancel',
    })
    expect(progressText(progress)).toBe('37 pages, 3,700 entries, 12 s')
    const later = { ...progress, pages: 38, entries: 3_800, elapsedMs: 13_000 }
    expect(catalogNotice(state([source()], { progress: later }), NOW)).toEqual(first)
    expect(catalogNotice(state([source({ completedAt: NOW })], { progress }), NOW)).toBeUndefined()
  })

  it('do not call a sync that the user canceled a failure', () => {
    const fault: RegistryFault = { code: 'cancelled', message: 'It was canceled.' }
    const line = catalogNotice(state([source({ fault, waitingPages: 3 })]), NOW)
    expect(line).toMatchObject({ severity: 'info', title: 'Sync incomplete.' })
  })

  it('lead to the settings if no registry is enabled', () => {
    expect(catalogNotice(state([source({ enabled: false })]), NOW)?.action).toBe('settings')
  })

  it('show the age of the oldest enabled registry', () => {
    const sources = [
      source({ completedAt: NOW }),
      source({ sourceId: 'b', completedAt: NOW - 12 * 60_000 }),
      source({ sourceId: 'c', enabled: false }),
    ]
    expect(freshnessText(state(sources, { servers: 20_236 }), NOW)).toBe(
      '20,236 servers, updated 12 min ago',
    )
    expect(freshnessText(state([source()]), NOW)).toBe('14 servers')
  })
})
