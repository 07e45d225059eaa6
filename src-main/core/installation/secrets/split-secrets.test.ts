import { beforeEach, describe, expect, it } from 'vitest'

import { KeyedServers } from '../../../../e2e/fixtures/keyed-servers'
import { OWN_PLACE } from '../../../../src-shared/domain/installation/secret-place'
import { Package } from '../../../../src-shared/domain/server-json/server-json'
import { toFormFields } from '../../../../src-shared/form/to-form-fields'
import { buildCommandPlan } from '../../launch/building/build-launch-plan'
import { secretName, storedName } from '../../secrets/secret-keys'
import { splitSecrets } from './move-secrets'

let harness: KeyedServers
beforeEach(() => (harness = new KeyedServers()))

describe('A2: a secret field that the user emptied', () => {
  const pkg = Package.parse({
    registryType: 'npm',
    identifier: 'x',
    transport: { type: 'stdio' },
    runtimeArguments: [],
    packageArguments: [],
    environmentVariables: [
      { name: 'KEY', isSecret: true, default: 'guest' },
      { name: 'TOKEN', isSecret: true },
    ],
  })

  it('stays empty if it has a default', () => {
    const { plain, cleared } = splitSecrets(toFormFields(pkg), { env_KEY: '', env_TOKEN: '' })
    expect([plain, cleared]).toEqual([{ env_KEY: '' }, ['env_KEY', 'env_TOKEN']])
    expect(buildCommandPlan(pkg, plain, new Map()).env).toEqual([])
    expect(buildCommandPlan(pkg, {}, new Map()).env).toMatchObject([{ value: 'guest' }])
    expect(splitSecrets(toFormFields(pkg), { env_KEY: 'own' }).plain).toEqual({})
  })
})

describe('A2: a field with a new source', () => {
  it('uses a shared secret instead of its own, which is deleted only afterwards', async () => {
    const { secretId } = await harness.service.stored.create('Team key', 'shared')
    const id = await harness.install('One', { values: { env_API_KEY: 'own' } })
    const own = secretName(id, 'env_API_KEY', OWN_PLACE)
    harness.disk.isFull = true
    const choose = () =>
      harness.update(id, 'One', { secrets: { env_API_KEY: { kind: 'stored', secretId } } })
    await expect(choose()).rejects.toMatchObject({ code: 'SETTINGS_UNWRITABLE' })
    expect(harness.keychain.held.get(own)).toBe('own')
    harness.disk.isFull = false
    await choose()
    expect(harness.keychain.held.has(own)).toBe(false)
    expect(await harness.secretsOf(id)).toEqual({ env_API_KEY: 'shared' })
  })

  it('uses a typed value instead of a shared one, which stays for others', async () => {
    const { secretId } = await harness.service.stored.create('Team key', 'shared')
    const id = await harness.install('One', {
      secrets: { env_API_KEY: { kind: 'stored', secretId } },
    })
    const place = { kind: 'stored', secretId } as const
    const both = { values: { env_API_KEY: 'own' }, secrets: { env_API_KEY: place } }
    await harness.update(id, 'One', both)
    expect(await harness.secretsOf(id)).toEqual({ env_API_KEY: 'own' })
    expect(harness.keychain.held.get(storedName(secretId))).toBe('shared')
  })

  it("stays the same if the draft doesn't mention it", async () => {
    const { secretId } = await harness.service.stored.create('Team key', 'shared')
    const id = await harness.install('One', {
      secrets: { env_API_KEY: { kind: 'stored', secretId } },
    })
    await harness.update(id, 'Renamed')
    expect(harness.service.read(id).secrets).toEqual({ env_API_KEY: { kind: 'stored', secretId } })
    expect(harness.service.changes.of(id)).toEqual([])
    await harness.update(id, 'Renamed', { values: { env_MODE: 'x' } })
    expect(harness.service.changes.of(id)).toHaveLength(1)
  })

  it("can't be a plain or unknown field", async () => {
    const { secretId } = await harness.service.stored.create('Team key', 'shared')
    const place = { kind: 'stored', secretId } as const
    const secrets = { env_API_KEY: place, env_MODE: place, constructor: place }
    const id = await harness.install('One', { secrets })
    expect(harness.service.read(id).secrets).toEqual({ env_API_KEY: place })
  })

  it('is rejected with an unknown shared secret', async () => {
    const installing = harness.install('One', {
      secrets: { env_API_KEY: { kind: 'stored', secretId: 'nowhere' } },
    })
    await expect(installing).rejects.toMatchObject({ code: 'INVALID_VALUES' })
    expect(harness.store.installations).toEqual([])
  })
})

describe('A2: a manually edited settings file', () => {
  it('can reference an unknown shared secret, which the field reports', async () => {
    const id = await harness.install('One', { values: { env_API_KEY: 'own' } })
    const document = structuredClone(harness.disk.document) as { installations: object[] }
    Object.assign(document.installations[0] ?? {}, {
      secrets: {
        env_API_KEY: { kind: 'stored', secretId: 'nowhere' },
        no_field: { kind: 'stored', secretId: 'nowhere' },
      },
    })
    harness.disk.document = document
    harness.reopen()
    expect(await harness.problemsOf(id)).toMatchObject([{ fieldKey: 'env_API_KEY' }])
  })

  it('keeps an unreadable shared secret, with a notice', async () => {
    const odd = { secretId: 5, name: 'Odd' }
    harness.disk.document = {
      secrets: [odd, { secretId: 'a', name: 'A', createdAt: 1, changedAt: 1 }],
    }
    harness.reopen()
    expect(harness.store.secrets.map(({ name }) => name)).toEqual(['A'])
    expect(harness.store.notices).toMatchObject([
      { title: 'A shared secret couldn’t be read from the settings file' },
    ])
    await harness.service.stored.create('B', 'b')
    expect(harness.disk.document).toMatchObject({ secrets: [{ name: 'A' }, { name: 'B' }, odd] })
  })
})
