import { describe, expect, it } from 'vitest'

import type { CatalogState, SourceView } from '../../../src-shared/domain/catalog/catalog-state'
import type { RegistryFault } from '../../../src-shared/domain/catalog/catalog-sync'
import { catalogLine, correctionText, freshText, progressText } from './catalog-messages'

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
  return { sources, servers: 14, starters: 14, edition: 1, favourites: [], viewed: [], ...change }
}

describe('D2 what the catalog says of itself', () => {
  it('says nothing before it was opened, and nothing while all is well', () => {
    expect(catalogLine(state([source()], { servers: undefined }), NOW)).toBeUndefined()
    expect(catalogLine(state([source({ completedAt: NOW })]), NOW)).toBeUndefined()
  })

  it('says at the first start, offline, that the starter servers are shown', () => {
    const line = catalogLine(state([source({ fault: OFF })]), NOW)
    expect(line).toMatchObject({
      severity: 'warn',
      title: 'Offline: showing 14 starter servers.',
      text: 'It could not be reached.',
      action: 'sync',
    })
  })

  it('says of a later failure from when it is what is shown', () => {
    const completedAt = NOW - 5 * 60_000
    const line = catalogLine(state([source({ completedAt, fault: OFF })]), NOW)
    expect(line?.title).toBe('Showing the catalog synced 5 min ago.')
  })

  it('names all of several registries that failed, and says so of one of several too', () => {
    const own = source({ sourceId: 'own', baseUrl: 'https://acme.example', fault: OFF })
    const fresh = source({ completedAt: NOW })
    const faulty = source({ fault: OFF, servers: 3, completedAt: NOW })
    expect(catalogLine(state([fresh, own]), NOW)).toEqual({
      severity: 'warn',
      title: 'Can’t sync 1 of 2 registries.',
      text: 'No results from acme.example yet.',
      action: 'details',
    })
    expect(catalogLine(state([faulty, own]), NOW)).toMatchObject({
      title: 'Can’t sync any of 2 registries.',
      text: 'Showing the last results from registry.example and acme.example.',
    })
    const stopped = source({ fault: { code: 'cancelled', message: '' }, completedAt: NOW })
    expect(catalogLine(state([fresh, stopped]), NOW)).toBeUndefined()
  })

  it('says that another word is shown too, or that no server has the one that was typed', () => {
    const word = { typed: 'postgers', taken: ['postgres', 'posters'] }
    expect(correctionText({ ...word, has: 0 })).toBe(
      'No results for “postgers”. Showing “postgres”, “posters”.',
    )
    expect(correctionText({ ...word, taken: [], has: 0 })).toBe('No server has “postgers”.')
    expect(correctionText({ ...word, has: 1 })).toBe(
      'Also showing “postgres”, “posters” for “postgers”.',
    )
  })

  it('tells the first sync once, and keeps its progress and a later one to the bar', () => {
    const of = { sourceId: 'official', kind: 'full', pages: 37, entries: 3_700 } as const
    const progress = { ...of, leftOut: 0, elapsedMs: 12_000 }
    const first = catalogLine(state([source()], { progress }), NOW)
    expect(first).toMatchObject({
      title: 'Syncing registry.example.',
      action: 'cancel',
    })
    expect(progressText(progress)).toBe('37 pages, 3,700 entries, 12 s')
    const later = { ...progress, pages: 38, entries: 3_800, elapsedMs: 13_000 }
    expect(catalogLine(state([source()], { progress: later }), NOW)).toEqual(first)
    expect(catalogLine(state([source({ completedAt: NOW })], { progress }), NOW)).toBeUndefined()
  })

  it('calls one that a user stopped no failure', () => {
    const fault: RegistryFault = { code: 'cancelled', message: 'It was canceled.' }
    const line = catalogLine(state([source({ fault, waitingPages: 3 })]), NOW)
    expect(line).toMatchObject({ severity: 'info', title: 'Sync incomplete.' })
  })

  it('leads to the settings where no registry is followed', () => {
    expect(catalogLine(state([source({ enabled: false })]), NOW)?.action).toBe('settings')
  })

  it('is as fresh as the oldest of the registries that are followed', () => {
    const sources = [
      source({ completedAt: NOW }),
      source({ sourceId: 'b', completedAt: NOW - 12 * 60_000 }),
      source({ sourceId: 'c', enabled: false }),
    ]
    expect(freshText(state(sources, { servers: 20_236 }), NOW)).toBe(
      '20,236 servers, updated 12 min ago',
    )
    expect(freshText(state([source()]), NOW)).toBe('14 servers')
  })
})
