import { beforeEach, describe, expect, it } from 'vitest'

import { KeyedServers } from '../../../../e2e/fixtures/keyed-servers'
import {
  OWN_PLACE,
  type SecretPlaces,
} from '../../../../src-shared/domain/installation/secret-place'
import { secretDirectory } from '../../secrets/secret-directory'
import { secretName, storedName } from '../../secrets/secret-keys'
import type { StoredSecrets } from './stored-secrets'

let harness: KeyedServers
let stored: StoredSecrets
beforeEach(() => {
  harness = new KeyedServers()
  stored = harness.service.stored
})

/** A server whose key is a shared secret. */
function keyedBy(secretId: string): { readonly secrets: SecretPlaces } {
  return { secrets: { env_API_KEY: { kind: 'stored', secretId } } }
}

describe('A2: a shared secret', () => {
  it('is one value for every field that uses it, and in no file', async () => {
    const { secretId } = await stored.create('Team key', 'value-of-team')
    const one = await harness.install('One', keyedBy(secretId))
    const two = await harness.install('Two', {
      secrets: {
        env_API_KEY: { kind: 'stored', secretId },
        env_OTHER_KEY: { kind: 'stored', secretId },
      },
    })
    expect(await harness.secretsOf(one)).toEqual({ env_API_KEY: 'value-of-team' })
    expect(await harness.secretsOf(two)).toEqual({
      env_API_KEY: 'value-of-team',
      env_OTHER_KEY: 'value-of-team',
    })
    expect([...harness.keychain.held]).toEqual([[storedName(secretId), 'value-of-team']])
    expect(JSON.stringify(harness.disk.document)).not.toContain('value-of-team')
  })

  it('is listed with every use by name, and without its value', async () => {
    const { secretId } = await stored.create('Team key', 'value-of-team')
    const one = await harness.install('One', keyedBy(secretId))
    const two = await harness.install('Two', { values: { env_API_KEY: 'its-own' } })
    expect(secretDirectory(harness.store)).toMatchObject({
      stored: [{ secretId, name: 'Team key', uses: [{ installationId: one, label: 'API key' }] }],
      own: [{ installationId: two, serverName: 'Two', fieldKey: 'env_API_KEY' }],
    })
    expect(JSON.stringify(secretDirectory(harness.store))).not.toMatch(/value-of-team|its-own/)
  })

  it('changes in one place, and its servers need a restart', async () => {
    const { secretId } = await stored.create('Team key', 'old')
    const one = await harness.install('One', keyedBy(secretId))
    const two = await harness.install('Two', keyedBy(secretId))
    const three = await harness.install('Three', { values: { env_API_KEY: 'its-own' } })
    expect(await stored.rotate(secretId, 'new')).toEqual([one, two])
    for (const id of [one, two]) expect(await harness.secretsOf(id)).toEqual({ env_API_KEY: 'new' })
    expect(harness.service.changes.of(one)).toEqual([
      'The shared secret “Team key” has a new value.',
    ])
    expect(harness.service.changes.of(three)).toEqual([])
    harness.service.changes.applied(one)
    expect(harness.service.changes.of(one)).toEqual([])
    expect(harness.service.changes.of(two)).toHaveLength(1)
  })

  it('has a unique name, ignoring case', async () => {
    const { secretId } = await stored.create('Team key', 'a')
    await stored.create('Other', 'b')
    await expect(stored.create('team KEY', 'c')).rejects.toMatchObject({
      code: 'NAME_TAKEN',
    })
    await expect(stored.rename(secretId, 'other')).rejects.toMatchObject({
      code: 'NAME_TAKEN',
    })
    await stored.rename(secretId, 'TEAM key')
    expect(harness.store.secrets.map(({ name }) => name)).toEqual(['TEAM key', 'Other'])
    expect(harness.keychain.held.size).toBe(2)
  })

  it('in use is removed only on request; its fields then report it, required or not', async () => {
    const { secretId } = await stored.create('Team key', 'a')
    const id = await harness.install('One', {
      secrets: {
        env_API_KEY: { kind: 'stored', secretId },
        env_OTHER_KEY: { kind: 'stored', secretId },
      },
    })
    await expect(stored.remove(secretId, false)).rejects.toMatchObject({
      code: 'SECRET_IN_USE',
      message: 'Not removed: “Team key” is used by One.',
    })
    expect(await harness.problemsOf(id)).toEqual([])
    await stored.remove(secretId, true)
    expect(harness.keychain.held.size).toBe(0)
    expect(await harness.problemsOf(id)).toMatchObject([
      { fieldKey: 'env_API_KEY', code: 'missing-required' },
      { fieldKey: 'env_OTHER_KEY', code: 'missing-required' },
    ])
    await expect(harness.update(id, 'One')).rejects.toMatchObject({
      code: 'INVALID_VALUES',
      message: expect.stringContaining('The shared secret no longer exists.') as string,
    })
    await harness.update(id, 'One', { values: { env_API_KEY: 'typed', env_OTHER_KEY: '' } })
    expect(harness.service.read(id)).toMatchObject({ secrets: { env_API_KEY: OWN_PLACE } })
  })

  it('lost with its keychain is reported at the field, and listed as empty', async () => {
    const { secretId } = await stored.create('Team key', 'a')
    await stored.create('Kept', 'b')
    const id = await harness.install('One', keyedBy(secretId))
    await harness.keychain.delete(storedName(secretId))
    expect(await stored.findEmpty()).toEqual([secretId])
    expect(await harness.problemsOf(id)).toMatchObject([
      {
        fieldKey: 'env_API_KEY',
        message: 'The shared secret “Team key” has no value. Enter it again in Settings.',
      },
    ])
    await stored.rotate(secretId, 'again')
    expect(await harness.problemsOf(id)).toEqual([])
  })
})

describe("A2: a server's own secret", () => {
  it('becomes a shared one without typing it again', async () => {
    const id = await harness.install('One', { values: { env_API_KEY: 'own' } })
    const { secretId } = await stored.share(id, 'env_API_KEY', 'Team key')
    expect(harness.service.read(id)).toMatchObject(keyedBy(secretId))
    expect([...harness.keychain.held]).toEqual([[storedName(secretId), 'own']])
    expect(await harness.secretsOf(id)).toEqual({ env_API_KEY: 'own' })
    const again = stored.share(id, 'env_API_KEY', 'Twice')
    await expect(again).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it("can't be shared if it is no longer in the keychain, which changes nothing", async () => {
    const id = await harness.install('One', { values: { env_API_KEY: 'own' } })
    const before = structuredClone(harness.disk.document)
    await harness.keychain.delete(secretName(id, 'env_API_KEY', OWN_PLACE))
    await expect(stored.share(id, 'env_API_KEY', 'Team key')).rejects.toMatchObject({
      code: 'SECRET_MISSING',
      hint: 'Enter it again in the server’s form.',
    })
    expect(harness.disk.document).toEqual(before)
    expect([...harness.keychain.held]).toEqual([])
  })

  it('stays unchanged if sharing fails', async () => {
    const id = await harness.install('One', { values: { env_API_KEY: 'own' } })
    const before = structuredClone(harness.disk.document)
    harness.keychain.failsAt = ''
    await expect(stored.share(id, 'env_API_KEY', 'Team key')).rejects.toThrow('locked')
    harness.keychain.failsAt = undefined
    harness.disk.isFull = true
    await expect(stored.share(id, 'env_API_KEY', 'Team key')).rejects.toMatchObject({
      code: 'SETTINGS_UNWRITABLE',
    })
    expect(harness.disk.document).toEqual(before)
    expect([...harness.keychain.held]).toEqual([[secretName(id, 'env_API_KEY', OWN_PLACE), 'own']])
  })

  it('becomes a shared one if kept when the server is removed', async () => {
    await stored.create('One: API key', 'in the way')
    const id = await harness.install('One', { values: { env_API_KEY: 'own' } })
    await harness.service.removed.remove(id, false)
    expect(harness.store.installations).toEqual([])
    expect(harness.store.secrets.map(({ name }) => name)).toEqual([
      'One: API key',
      'One: API key 2',
    ])
    expect([...harness.keychain.held.values()]).toEqual(['in the way', 'own'])
    expect([...harness.keychain.held.keys()].every((key) => key.startsWith('shared/'))).toBe(true)
    expect(secretDirectory(harness.store).stored.map(({ uses }) => uses)).toEqual([[], []])
  })

  it('that is no longer in the keychain becomes no shared one when the server is removed', async () => {
    const id = await harness.install('One', {
      values: { env_API_KEY: 'own', env_OTHER_KEY: 'lost' },
    })
    await harness.keychain.delete(secretName(id, 'env_OTHER_KEY', OWN_PLACE))
    await harness.service.removed.remove(id, false)
    expect(harness.store.secrets.map(({ name }) => name)).toEqual(['One: API key'])
    expect([...harness.keychain.held.values()]).toEqual(['own'])
  })

  it('is deleted with the server on request, unlike a shared one', async () => {
    const { secretId } = await stored.create('Team key', 'shared')
    const id = await harness.install('One', {
      values: { env_OTHER_KEY: 'own' },
      secrets: { env_API_KEY: { kind: 'stored', secretId } },
    })
    await harness.service.removed.remove(id, true)
    expect([...harness.keychain.held]).toEqual([[storedName(secretId), 'shared']])
    expect(harness.store.secrets).toHaveLength(1)
  })
})

describe('A2: a failed change of shared secrets', () => {
  it('leaves nothing of a new one, and the old value of a changed one', async () => {
    harness.disk.isFull = true
    await expect(stored.create('Team key', 'a')).rejects.toMatchObject({
      code: 'SETTINGS_UNWRITABLE',
    })
    expect(harness.keychain.held.size).toBe(0)
    expect(harness.store.secrets).toEqual([])
    harness.disk.isFull = false
    const { secretId } = await stored.create('Team key', 'a')
    harness.disk.isFull = true
    await expect(stored.rotate(secretId, 'b')).rejects.toThrow('couldn’t be written')
    await expect(stored.remove(secretId, false)).rejects.toThrow('couldn’t be written')
    expect([...harness.keychain.held.values()]).toEqual(['a'])
    expect(harness.store.secrets).toHaveLength(1)
  })

  it("keeps a server whose secrets can't be kept", async () => {
    const id = await harness.install('One', { values: { env_API_KEY: 'own' } })
    harness.keychain.failsAt = ''
    await expect(harness.service.removed.remove(id, false)).rejects.toThrow('locked')
    expect(harness.store.find(id)).toBeDefined()
    expect([...harness.keychain.held.values()]).toEqual(['own'])
    expect(harness.store.secrets).toEqual([])
  })
})
