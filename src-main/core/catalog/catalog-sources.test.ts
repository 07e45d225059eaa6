import { describe, expect, it } from 'vitest'

import { ProfileDocument } from '../installation/store/profile-document'
import type { SecretBackend } from '../ports'
import { memoryBackend } from '../secrets/secret-vault'
import { CatalogSources } from './catalog-sources'

const ACME = 'https://registry.acme.example'

function open() {
  const held: { document: unknown; isFull?: boolean } = { document: null }
  const store = new ProfileDocument({
    file: 'settings.json',
    read: () => held.document,
    write: (next) => {
      if (held.isFull === true) throw new Error('no room')
      held.document = structuredClone(next)
    },
  })
  const memory = memoryBackend()
  /** Keys that were set. */
  const kept: string[] = []
  const secrets: SecretBackend = {
    get: (key) => memory.get(key),
    delete: (key) => memory.delete(key),
    set: async (key, value) => {
      kept.push(key)
      await memory.set(key, value)
    },
  }
  return { sources: new CatalogSources(store, secrets), store, secrets, held, kept }
}

describe('D2: the registries of the catalog', () => {
  it('begin with the one in the settings', () => {
    const { sources } = open()
    expect(sources.list).toEqual([
      {
        sourceId: 'official',
        baseUrl: 'https://registry.modelcontextprotocol.io',
        enabled: true,
      },
    ])
  })

  it('keep their tokens only in the secret store, and lose them when removed', async () => {
    const { sources, secrets, held } = open()
    const sourceId = await sources.add(`${ACME}/`, 'token-of-acme')
    expect(sources.list[1]).toEqual({ sourceId, baseUrl: ACME, enabled: true })
    expect(JSON.stringify(held.document)).not.toContain('token-of-acme')
    expect(await sources.tokenOf(sourceId)).toBe('token-of-acme')
    await sources.change(sourceId, { token: 'another' })
    expect(await sources.tokenOf(sourceId)).toBe('another')
    await sources.remove(sourceId)
    expect(await secrets.get(`registry/${sourceId}`)).toBeNull()
    expect(sources.list).toHaveLength(1)
  })

  it('can be turned off and on, including the first one', async () => {
    const { sources } = open()
    const sourceId = await sources.add(ACME, undefined)
    await sources.change(sourceId, { enabled: false })
    await sources.change('official', { enabled: false })
    expect(sources.list.map(({ enabled }) => enabled)).toEqual([false, false])
    await sources.change(sourceId, { enabled: true })
    expect(sources.list.map(({ enabled }) => enabled)).toEqual([false, true])
  })

  it.each([
    ['the same one twice', ACME, undefined, 'NAME_TAKEN'],
    ['an address with a password', 'https://ann:pass@b.example', undefined, 'INVALID_REQUEST'],
    ['a token over http', 'http://b.example', 'token', 'INVALID_REQUEST'],
  ])('reject %s', async (_, address, token, code) => {
    const { sources, held } = open()
    await sources.add(ACME, undefined)
    const before = JSON.stringify(held.document)
    await expect(sources.add(address, token)).rejects.toMatchObject({ code })
    expect(JSON.stringify(held.document)).toBe(before)
  })

  it('accept no token for an address that a setting can change', async () => {
    const { sources } = open()
    await expect(sources.change('official', { token: 'token' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    })
    expect(await sources.tokenOf('official')).toBeUndefined()
  })

  it.each([
    ['another address', 'https://elsewhere.example'],
    ['another port', `${ACME}:8443`],
    ['an address that others can read', 'http://registry.acme.example'],
  ])('send no token to %s that was edited into the settings file', async (_, baseUrl) => {
    const { sources, store } = open()
    const sourceId = await sources.add(ACME, 'token')
    const lead = (address: string): void => {
      const registries = [{ sourceId, baseUrl: address, enabled: true, hasToken: true }]
      store.saveSettings({ ...store.settings, registries })
    }
    lead(baseUrl)
    expect(await sources.tokenOf(sourceId)).toBeUndefined()
    lead(`${ACME}/v2`)
    expect(await sources.tokenOf(sourceId)).toBe('token')
  })

  it("stay as they are if the settings can't be written", async () => {
    const { sources, secrets, held, kept } = open()
    held.isFull = true
    await expect(sources.add(ACME, 'token')).rejects.toMatchObject({ code: 'SETTINGS_UNWRITABLE' })
    expect(sources.list).toHaveLength(1)
    expect(kept).toHaveLength(1)
    expect(await secrets.get(kept[0] ?? '')).toBeNull()
  })
})
