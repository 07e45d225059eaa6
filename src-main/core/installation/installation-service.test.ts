import { beforeEach, describe, expect, it } from 'vitest'

import { KeyedServers } from '../../../e2e/fixtures/keyed-servers'
import { pause } from '../../../e2e/fixtures/pause'
import { OWN_PLACE } from '../../../src-shared/domain/installation/secret-place'
import { secretName } from '../secrets/secret-keys'

const BOTH = { values: { env_API_KEY: 'one', env_OTHER_KEY: 'two' } }

let servers: KeyedServers
beforeEach(() => (servers = new KeyedServers()))

const UNWRITABLE = {
  code: 'SETTINGS_UNWRITABLE',
  message:
    'Not saved: /profile/settings.json couldn’t be written (ENOSPC: no space left on device).',
}

describe('A2: a failed save', () => {
  it('leaves nothing of a new server: no secret, no entry, and its name is free', async () => {
    servers.disk.isFull = true
    const create = () => servers.install('One', BOTH)
    await expect(create()).rejects.toMatchObject(UNWRITABLE)
    expect(servers.keychain.held.size).toBe(0)
    expect(servers.store.installations).toEqual([])
    servers.disk.isFull = false
    servers.keychain.failsAt = 'OTHER_KEY'
    await expect(create()).rejects.toThrow('locked')
    expect(servers.keychain.held.size).toBe(0)
    expect(servers.disk.document).toBeNull()
    servers.keychain.failsAt = undefined
    await create()
    expect([...servers.keychain.held.values()]).toEqual(['one', 'two'])
  })

  it('restores the secrets of a changed server', async () => {
    const installationId = await servers.install('One', BOTH)
    const saved = structuredClone(servers.disk.document)
    const change = () =>
      servers.update(installationId, 'Two', {
        values: { env_API_KEY: 'new', env_OTHER_KEY: 'newer' },
      })
    servers.disk.isFull = true
    await expect(change()).rejects.toMatchObject(UNWRITABLE)
    expect([...servers.keychain.held.values()]).toEqual(['one', 'two'])
    servers.disk.isFull = false
    servers.keychain.failsAt = 'OTHER_KEY'
    await expect(change()).rejects.toThrow('locked')
    expect(servers.keychain.held.get(secretName(installationId, 'env_API_KEY', OWN_PLACE))).toBe(
      'one',
    )
    expect(servers.store.find(installationId)?.name).toBe('One')
    expect(servers.disk.document).toEqual(saved)
  })

  it('keeps a server that can’t be removed from the settings file, with all its secrets', async () => {
    const installationId = await servers.install('One', BOTH)
    servers.disk.isFull = true
    await expect(servers.service.removed.remove(installationId, true)).rejects.toMatchObject(
      UNWRITABLE,
    )
    expect(servers.keychain.values).toEqual(['one', 'two'])
    expect(servers.store.installations).toHaveLength(1)
  })

  it("doesn't apply preferences that weren't written", () => {
    servers.disk.isFull = true
    const settings = { ...servers.store.settings, installSlots: 7 }
    expect(() => servers.store.saveSettings(settings)).toThrow('couldn’t be written')
    expect(servers.store.settings.installSlots).not.toBe(7)
  })
})

describe('C4: a server without a name', () => {
  it.each(['', ' ', ' \t\n\u00a0 '])('is rejected, new or renamed: %j', async (name) => {
    const refusal = { code: 'INVALID_VALUES', message: 'Enter a name for the server.' }
    await expect(servers.install(name, BOTH)).rejects.toMatchObject(refusal)
    expect(servers.store.installations).toEqual([])
    expect(servers.keychain.held.size).toBe(0)
    const installationId = await servers.install(' One ', BOTH)
    expect(servers.store.find(installationId)?.name).toBe('One')
    await expect(servers.update(installationId, name)).rejects.toMatchObject(refusal)
    expect(servers.store.find(installationId)?.name).toBe('One')
  })
})

describe('C4 and A2: concurrent changes', () => {
  beforeEach(() => (servers.keychain.beforeWrite = () => pause(20)))

  it('never give one name to two servers', async () => {
    const outcomes = await Promise.allSettled(
      ['Same', 'same'].map((name) => servers.install(name, BOTH)),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(servers.store.installations).toHaveLength(1)
    expect(servers.keychain.held.size).toBe(2)
  })

  it('keep a switch that changes while another change waits for the keychain', async () => {
    const installationId = await servers.install('One', BOTH)
    const updating = servers.update(installationId, 'Two', { values: { env_API_KEY: 'new' } })
    servers.service.set(installationId, { enabled: true })
    await updating
    expect(servers.store.find(installationId)).toMatchObject({ name: 'Two', enabled: true })
  })

  it("don't bring back a server that is removed meanwhile", async () => {
    const installationId = await servers.install('One', BOTH)
    const outcomes = await Promise.allSettled([
      servers.update(installationId, 'Two', { values: { env_API_KEY: 'new' } }),
      servers.service.removed.remove(installationId, true),
      servers.update(installationId, 'Three', { values: { env_API_KEY: 'newer' } }),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(servers.store.installations).toEqual([])
    expect(servers.keychain.held.size).toBe(0)
  })
})
