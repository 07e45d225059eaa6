import { beforeEach, describe, expect, it } from 'vitest'

import { pause } from '../../../e2e/fixtures/pause'
import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import { OWN_PLACE } from '../../../src-shared/domain/installation/secret-place'
import { parseServerJson } from '../../../src-shared/domain/server-json/parse-server-json'
import type { SecretBackend } from '../ports'
import { secretName } from '../secrets/secret-keys'
import { memoryBackend } from '../secrets/secret-vault'
import { InstallationService } from './installation-service'
import { ProfileDocument } from './store/profile-document'

const { server } = parseServerJson({
  name: 'test/two-secrets',
  description: 'Two secrets',
  version: '1.0.0',
  packages: [
    {
      registryType: 'npm',
      identifier: 'two-secrets',
      version: '1.0.0',
      transport: { type: 'stdio' },
      environmentVariables: [
        { name: 'FIRST', isSecret: true },
        { name: 'SECOND', isSecret: true },
      ],
    },
  ],
})
const ENTRY: CatalogEntry = {
  entryId: 'two-secrets',
  source: 'pasted',
  server,
  status: 'active',
  notices: [],
}
const FIRST = { kind: 'package', index: 0 } as const
const OPTIONS = { asItIs: false, enabled: true }
const draft = (name: string, values: Record<string, string> = {}) => ({
  name,
  values,
  budgets: {},
})
const BOTH = { env_FIRST: 'one', env_SECOND: 'two' }

/** A keychain whose writing fails at a key that ends as `failsAt` does, and that takes `delayMs` for each. */
class Keychain implements SecretBackend {
  readonly held = new Map<string, string>()
  failsAt: string | undefined
  delayMs = 0
  readonly #kept = memoryBackend()

  get(key: string): Promise<string | null> {
    return this.#kept.get(key)
  }
  async set(key: string, value: string): Promise<void> {
    await this.#write(key)
    this.held.set(key, value)
    await this.#kept.set(key, value)
  }
  async delete(key: string): Promise<boolean> {
    await this.#write(key)
    this.held.delete(key)
    return this.#kept.delete(key)
  }
  async #write(key: string): Promise<void> {
    if (this.delayMs > 0) await pause(this.delayMs)
    if (this.failsAt !== undefined && key.endsWith(this.failsAt)) throw new Error('locked')
  }
}

let disk: { document: unknown; isFull: boolean }
let keychain: Keychain
let store: ProfileDocument
let service: InstallationService
beforeEach(() => {
  disk = { document: null, isFull: false }
  keychain = new Keychain()
  store = new ProfileDocument({
    file: '/profile/settings.json',
    read: () => disk.document,
    write: (document) => {
      if (disk.isFull) throw new Error('ENOSPC: no space left on device')
      disk.document = structuredClone(document)
    },
  })
  service = new InstallationService(store, keychain, '/home/mara')
})

const UNWRITABLE = {
  code: 'SETTINGS_UNWRITABLE',
  message:
    'Not saved: /profile/settings.json couldn’t be written (ENOSPC: no space left on device).',
}

describe('A2 saving that fails half-way', () => {
  it('leaves nothing of a new server: no secret, no entry, its name free', async () => {
    disk.isFull = true
    const create = () => service.create(ENTRY, FIRST, draft('One', BOTH), OPTIONS)
    await expect(create()).rejects.toMatchObject(UNWRITABLE)
    expect(keychain.held.size).toBe(0)
    expect(store.installations).toEqual([])
    disk.isFull = false
    keychain.failsAt = 'SECOND'
    await expect(create()).rejects.toThrow('locked')
    expect(keychain.held.size).toBe(0)
    expect(disk.document).toBeNull()
    keychain.failsAt = undefined
    await create()
    expect([...keychain.held.values()]).toEqual(['one', 'two'])
  })

  it('puts the secrets of a changed server back', async () => {
    const { installationId } = await service.create(ENTRY, FIRST, draft('One', BOTH), OPTIONS)
    const saved = structuredClone(disk.document)
    const change = () =>
      service.update(installationId, draft('Two', { env_FIRST: 'new', env_SECOND: 'newer' }))
    disk.isFull = true
    await expect(change()).rejects.toMatchObject(UNWRITABLE)
    expect([...keychain.held.values()]).toEqual(['one', 'two'])
    disk.isFull = false
    keychain.failsAt = 'SECOND'
    await expect(change()).rejects.toThrow('locked')
    expect(keychain.held.get(secretName(installationId, 'env_FIRST', OWN_PLACE))).toBe('one')
    expect(store.find(installationId)?.name).toBe('One')
    expect(disk.document).toEqual(saved)
  })

  it('keeps a server that can’t be taken from the settings file, and all of its secrets', async () => {
    const { installationId } = await service.create(ENTRY, FIRST, draft('One', BOTH), OPTIONS)
    disk.isFull = true
    await expect(service.removed.remove(installationId, true)).rejects.toMatchObject(UNWRITABLE)
    expect([...keychain.held.values()].toSorted()).toEqual(['one', 'two'])
    expect(store.installations).toHaveLength(1)
  })

  it('does not keep preferences that were not written', () => {
    disk.isFull = true
    const settings = { ...store.settings, installSlots: 7 }
    expect(() => store.saveSettings(settings)).toThrow('couldn’t be written')
    expect(store.settings.installSlots).not.toBe(7)
  })
})

describe('C4 a server without a name', () => {
  it.each(['', ' ', ' \t\n\u00a0 '])('is refused, new or renamed: %j', async (name) => {
    const refusal = { code: 'INVALID_VALUES', message: 'Enter a name for the server.' }
    await expect(service.create(ENTRY, FIRST, draft(name, BOTH), OPTIONS)).rejects.toMatchObject(
      refusal,
    )
    expect(store.installations).toEqual([])
    expect(keychain.held.size).toBe(0)
    const { installationId } = await service.create(ENTRY, FIRST, draft(' One ', BOTH), OPTIONS)
    expect(store.find(installationId)?.name).toBe('One')
    await expect(service.update(installationId, draft(name))).rejects.toMatchObject(refusal)
    expect(store.find(installationId)?.name).toBe('One')
  })
})

describe('C4 and A2 changes at the same time', () => {
  beforeEach(() => (keychain.delayMs = 20))

  it('never give one name to two servers', async () => {
    const outcomes = await Promise.allSettled(
      ['Same', 'same'].map((name) => service.create(ENTRY, FIRST, draft(name, BOTH), OPTIONS)),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(store.installations).toHaveLength(1)
    expect(keychain.held.size).toBe(2)
  })

  it('lose no switch that is turned while a change waits for the keychain', async () => {
    const { installationId } = await service.create(ENTRY, FIRST, draft('One', BOTH), OPTIONS)
    const updating = service.update(installationId, draft('Two', { env_FIRST: 'new' }))
    service.setEnabled(installationId, false)
    await updating
    expect(store.find(installationId)).toMatchObject({ name: 'Two', enabled: false })
  })

  it('do not bring back a server that is removed meanwhile', async () => {
    const { installationId } = await service.create(ENTRY, FIRST, draft('One', BOTH), OPTIONS)
    const outcomes = await Promise.allSettled([
      service.update(installationId, draft('Two', { env_FIRST: 'new' })),
      service.removed.remove(installationId, true),
      service.update(installationId, draft('Three', { env_FIRST: 'newer' })),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(store.installations).toEqual([])
    expect(keychain.held.size).toBe(0)
  })
})
