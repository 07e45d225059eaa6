import { beforeEach, describe, expect, it } from 'vitest'

import { pause } from '../../../e2e/fixtures/pause'
import { type CustomServer, openText } from '../../../src-shared/domain/installation/custom-server'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import { parseServerJson } from '../../../src-shared/domain/server-json/parse-server-json'
import { segmentsOf } from '../../../src-shared/form/custom-server-parts'
import type { SecretBackend } from '../ports'
import { memoryBackend } from '../secrets/secret-vault'
import { saveCustomServerDraft } from './custom-server'
import { revisionOf } from './draft'
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
const ENTRY = { server, source: 'pasted' } as const
const OFFER = { kind: 'package', index: 0 } as const
const OPTIONS = { asItIs: false, enabled: true }
const STALE = { code: 'CHANGED_MEANWHILE' }
const draft = (values: Record<string, string> = {}) => ({ name: 'Two', values, budgets: {} })

/** A keychain of two slots: what is written to the second waits until it is opened. */
class SlowKeychain implements SecretBackend {
  readonly #kept = memoryBackend()
  /** Set while writes of `env_SECOND` wait. */
  gate: Promise<void> | undefined
  onFirstWrite = (): void => undefined

  get(key: string): Promise<string | null> {
    return this.#kept.get(key)
  }
  async set(key: string, value: string): Promise<void> {
    if (key.endsWith('env_SECOND')) await this.gate
    await this.#kept.set(key, value)
    if (key.endsWith('env_FIRST')) this.onFirstWrite()
  }
  delete(key: string): Promise<boolean> {
    return this.#kept.delete(key)
  }
}

let keychain: SlowKeychain
let service: InstallationService
beforeEach(() => {
  keychain = new SlowKeychain()
  let document: unknown = null
  const store = new ProfileDocument({
    file: '/profile/settings.json',
    read: () => document,
    write: (next) => {
      document = structuredClone(next)
    },
  })
  service = new InstallationService(store, keychain, '/home/mara')
})

describe('a save of a custom server', () => {
  it('notes that two secrets changed places, which the settings file does not tell', async () => {
    const args = ['secret-a', 'secret-b'].map((secret) => [{ kind: 'secret', secret } as const])
    const made: CustomServer = { kind: 'command', command: 'node', args, env: [] }
    const save = { name: 'Mine', budgets: {}, enabled: false, asItIs: false }
    const { installationId } = await saveCustomServerDraft(service, { ...save, made }, undefined)
    const before = service.read(installationId)
    const seen = segmentsOf(before.server, before.offer, before.secrets)
    if (seen?.kind !== 'command') throw new Error('a URL')
    service.changes.applied(installationId)
    await saveCustomServerDraft(service, { ...save, made: seen }, before)
    expect(service.changes.of(installationId)).toEqual([])
    await saveCustomServerDraft(
      service,
      { ...save, made: { ...seen, args: seen.args.toReversed() } },
      before,
    )
    expect(service.changes.of(installationId)).toEqual(['The configuration was changed.'])
    const { secrets } = await service.readForStart(installationId)
    expect([...secrets.values()]).toEqual(['secret-b', 'secret-a'])
  })
})

describe('a start during a save', () => {
  it('waits for the save and gets all of its secrets', async () => {
    const old = { env_FIRST: 'one', env_SECOND: 'two' }
    const { installationId } = await service.create(ENTRY, OFFER, draft(old), OPTIONS)
    const gate = Promise.withResolvers<undefined>()
    keychain.gate = gate.promise
    const isHalf = new Promise<void>((resolve) => (keychain.onFirstWrite = resolve))
    const saving = service.update(
      installationId,
      draft({ env_FIRST: 'new one', env_SECOND: 'new two' }),
    )
    await isHalf
    const reading = service.readForStart(installationId)
    // As many turns as reading takes where nothing is waited for.
    await pause(20)
    gate.resolve(undefined)
    const { secrets } = await reading
    expect(Object.fromEntries(secrets)).toEqual({ env_FIRST: 'new one', env_SECOND: 'new two' })
    await saving
  })
})

describe('a page that is out of date', () => {
  it('does not drop the reference to a secret that was stored for others meanwhile', async () => {
    const { installationId } = await service.create(
      ENTRY,
      OFFER,
      draft({ env_FIRST: 'one' }),
      OPTIONS,
    )
    const seen = revisionOf(service.read(installationId))
    await service.stored.share(installationId, 'env_FIRST', 'Team key')
    const { secrets } = service.read(installationId)
    expect(Object.keys(secrets)).toEqual(['env_FIRST'])
    const stale = { ...draft(), secrets: {}, revision: seen }
    await expect(service.update(installationId, stale)).rejects.toMatchObject(STALE)
    await expect(service.upgrade(installationId, ENTRY, OFFER, stale)).rejects.toMatchObject(STALE)
    expect(service.read(installationId).secrets).toEqual(secrets)
  })

  it('saves when nothing of it has changed, though the server was switched off meanwhile', async () => {
    const { installationId } = await service.create(ENTRY, OFFER, draft(), OPTIONS)
    const revision = revisionOf(service.read(installationId))
    service.setEnabled(installationId, false)
    const saved = await service.update(installationId, { ...draft(), name: 'Renamed', revision })
    expect(saved.name).toBe('Renamed')
    expect(revisionOf(saved)).not.toBe(revision)
  })

  it('moves no secret of a custom server to another argument', async () => {
    const args = ['secret-a', 'secret-b'].map((secret) => [{ kind: 'secret', secret } as const])
    const made: CustomServer = { kind: 'command', command: 'node', args, env: [] }
    const save = { name: 'Mine', budgets: {}, enabled: false, asItIs: false }
    const first = await saveCustomServerDraft(service, { ...save, made }, undefined)
    const read = (): Installation => service.read(first.installationId)
    const stale = read()
    const seen = segmentsOf(stale.server, stale.offer, stale.secrets)
    if (seen?.kind !== 'command') throw new Error('a URL')
    const [, second = []] = seen.args
    await saveCustomServerDraft(service, { ...save, made: { ...made, args: [second] } }, read())
    const { secrets } = await service.readForStart(first.installationId)
    const late = { ...seen, args: [...seen.args, openText('--verbose')] }
    const revision = revisionOf(stale)
    await expect(
      saveCustomServerDraft(service, { ...save, made: late, revision }, read()),
    ).rejects.toMatchObject(STALE)
    expect((await service.readForStart(first.installationId)).secrets).toEqual(secrets)
    expect([...secrets.values()]).toEqual(['secret-b'])
  })
})
