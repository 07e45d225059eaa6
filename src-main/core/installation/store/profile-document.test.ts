import { describe, expect, it } from 'vitest'

import type { Installation } from '../../../../src-shared/domain/installation/installation'
import { parseServerJson } from '../../../../src-shared/domain/server-json/parse-server-json'
import { ProfileDocument } from './profile-document'
import { keptNamesOf } from './read-entries'

const installation: Installation = {
  installationId: 'a',
  name: 'Files',
  source: 'starter',
  server: parseServerJson({
    name: 'x/y',
    description: 'd',
    version: '1',
    packages: [{ registryType: 'npm', identifier: 'y', transport: { type: 'stdio' } }],
  }).server,
  offer: { kind: 'package', index: 0 },
  enabled: true,
  alias: 'Files',
  starts: 'withApp',
  toolChoice: { kind: 'all' },
  values: { arg_dir: ['/a'] },
  secrets: {},
  budgets: {},
  roots: [],
  createdAt: 1,
}

function storeOver(document: unknown): { store: ProfileDocument; written: () => unknown } {
  let written: unknown = document
  const store = new ProfileDocument({
    file: '/profile/settings.json',
    read: () => document,
    write: (next) => (written = next),
  })
  return { store, written: () => written }
}

describe('A2: the settings file', () => {
  it('starts empty with the defaults', () => {
    const { store } = storeOver(null)
    expect([store.installations, store.settings.theme, store.notices]).toEqual([[], 'system', []])
  })

  it('keeps an unreadable entry in place with a notice, and reads the others', () => {
    const odd = { name: 'Odd', future: true }
    const { store, written } = storeOver({ installations: [odd, installation] })
    expect(store.installations).toEqual([installation])
    expect(store.notices).toMatchObject([
      { title: 'Odd couldn’t be read from the settings file', severity: 'error' },
    ])
    store.save({ ...installation, name: 'Renamed' })
    expect(written()).toMatchObject({ installations: [{ name: 'Renamed' }, odd] })
  })

  it('keeps unknown parts', () => {
    const { store, written } = storeOver({ ofLater: [1], installations: [installation] })
    store.saveSettings(store.settings)
    expect(written()).toMatchObject({ ofLater: [1], installations: [installation] })
  })

  it('keeps an entry without its package in place, with a notice', () => {
    const odd = { ...installation, name: 'Odd', offer: { kind: 'package', index: 3 } }
    const { store, written } = storeOver({ installations: [odd, installation] })
    expect(store.installations).toEqual([installation])
    expect(store.notices[0]?.message).toContain('offer: The package or remote does not exist')
    store.saveSettings(store.settings)
    expect(written()).toMatchObject({ installations: [installation, odd] })
  })

  it("finds an entry's secrets, even if the rest is unreadable", () => {
    const kept = { kind: 'kept', versionKey: 'v' }
    const later = { installationId: 'a', secrets: { one: kept, two: { kind: 'later' }, three: 3 } }
    expect(keptNamesOf(later)).toEqual(['a/kept/v/one'])
    expect(keptNamesOf({ secrets: { one: kept } })).toEqual([])
  })

  it('reads an older file without earlier versions, and adds none', () => {
    const before = { version: 1, settings: {}, installations: [installation], secrets: [] }
    const { store, written } = storeOver(before)
    expect([store.installations, store.earlier, store.notices]).toEqual([[installation], [], []])
    expect(store.settings.versionsKept).toBe(3)
    store.saveSettings(store.settings)
    expect(written()).toMatchObject({ version: 1, installations: [installation], earlier: [] })
  })

  it("loses no installation if another part of the file isn't a list", () => {
    const { store, written } = storeOver({ installations: [installation], removed: 7, secrets: {} })
    expect(store.installations).toEqual([installation])
    store.saveSettings(store.settings)
    expect(written()).toMatchObject({ removed: [7], secrets: [{}] })
  })

  it('writes back unknown members of entries, whatever changes', () => {
    const later = { sandbox: { kind: 'later' } }
    const before = { ...installation, versionKey: 'v', replacedAt: 1, ...later }
    const other = { ...installation, installationId: 'b', name: 'Other', alias: 'Other' }
    const removed = {
      installation: { ...other, installationId: 'c', ...later },
      place: 0,
      until: 2,
    }
    const { store, written } = storeOver({
      installations: [{ ...installation, ...later }, other],
      removed: [removed],
      earlier: [before],
      secrets: [{ secretId: 'team', name: 'Team', createdAt: 1, changedAt: 1, ...later }],
    })
    expect(store.notices).toEqual([])
    const renamed = { ...store.read('a'), name: 'Renamed' }
    store.save(renamed)
    expect(written()).toMatchObject({
      installations: [{ name: 'Renamed', ...later }, { name: 'Other' }],
      ...{ removed: [removed], earlier: [later], secrets: [later] },
    })
    store.markRemoved(renamed)
    expect(written()).toMatchObject({
      installations: [{ name: 'Other' }],
      removed: [removed, { installation: { name: 'Renamed', ...later } }],
    })
    const { installations } = written() as { installations: unknown }
    expect(JSON.stringify(installations)).not.toContain('sandbox')
  })

  const ODD = {
    theme: 'plaid',
    gatewayPort: 8_123,
    proxyUrl: 7,
    certificateFiles: ['/a.pem', 3, '/b.pem'],
    runnerPaths: { npx: '/bin/npx', later: '/bin/later', uvx: 4 },
    ofLater: { any: 1 },
  }

  it('uses the default for each unreadable preference only, and names its position', () => {
    const { store } = storeOver({ settings: ODD })
    expect(store.settings).toMatchObject({
      theme: 'system',
      gatewayPort: 8_123,
      proxyUrl: '',
      certificateFiles: ['/a.pem', '/b.pem'],
      runnerPaths: { npx: '/bin/npx' },
    })
    expect(store.settings).not.toHaveProperty('ofLater')
    expect(store.notices).toHaveLength(1)
    for (const key of ['theme', 'proxyUrl', 'certificateFiles.1', 'runnerPaths'])
      expect(store.notices[0]?.message).toContain(key)
    expect(store.notices[0]?.message).not.toContain('gatewayPort')
  })

  it('writes back unreadable and unknown preferences unchanged', () => {
    const { store, written } = storeOver({ settings: ODD })
    store.save(installation)
    store.saveSettings({ toolCap: 64 })
    const elements = { certificateFiles: ['/a.pem', '/b.pem', 3] }
    expect(written()).toMatchObject({ settings: { ...ODD, ...elements, toolCap: 64 } })
  })

  it('replaces such a preference when the user chooses one, even the default', () => {
    const { store, written } = storeOver({ settings: ODD })
    store.saveSettings({ theme: 'system', certificateFiles: ['/c.pem'] })
    const { settings } = written() as { settings: Record<string, unknown> }
    expect(settings).toMatchObject({ theme: 'system', proxyUrl: 7, ofLater: { any: 1 } })
    expect(settings.certificateFiles).toEqual(['/c.pem', 3])
  })

  it("keeps an unreadable preference if the chosen one couldn't be written", () => {
    let fails = true
    let written: unknown
    const store = new ProfileDocument({
      file: '/profile/settings.json',
      read: () => ({ settings: ODD }),
      write: (next) => {
        if (fails) throw new Error('ENOSPC')
        written = next
      },
    })
    expect(() => store.saveSettings({ theme: 'dark' })).toThrow('couldn’t be written')
    fails = false
    store.saveSettings({ toolCap: 64 })
    expect(written).toMatchObject({ settings: { theme: 'plaid', toolCap: 64 } })
  })

  it.each([[['dark']], 'dark', 7, null])("keeps preferences that aren't a table: %j", (raw) => {
    const { store, written } = storeOver({ settings: raw, installations: [installation] })
    expect(store.settings.theme).toBe('system')
    expect(store.notices).toHaveLength(1)
    store.saveSettings({ theme: 'dark' })
    expect(written()).toMatchObject({ settings: { theme: 'dark', unread: raw } })
  })

  it('loses no secret to delete if another one in the list is unreadable', () => {
    const { store, written } = storeOver({ unwantedSecrets: ['a/one', 3] })
    const [one] = store.unwantedSecrets
    expect(one).toEqual({ key: 'a/one', label: 'one' })
    store.saveSettings({})
    expect(written()).toMatchObject({ unwantedSecrets: [one, 3] })
  })
})
