import { beforeEach, describe, expect, it } from 'vitest'

import { NotedKeychain, V2, VersionsHarness } from '../../../../e2e/fixtures/versions-harness'
import { CatalogSources } from '../../catalog/catalog-sources'
import { withEnvironmentSecrets } from '../../secrets/environment-secrets'
import { InstallationService } from '../installation-service'
import { changeSecrets, deleteUnwanted, UNDELETED, undeletedNotice } from './change-secrets'

let bench: VersionsHarness
beforeEach(() => {
  bench = new VersionsHarness()
})

const REGISTRY = 'https://registry.acme.example'
const labels = (): string[] => bench.store.unwantedSecrets.map(({ label }) => label)
const sources = (): CatalogSources => new CatalogSources(bench.store, bench.keychain)

async function storedSecret(): Promise<() => Promise<unknown>> {
  const { secretId } = await bench.service.stored.create('Team', 'value')
  return () => bench.service.stored.remove(secretId, false)
}

async function token(
  change: (sourceId: string) => Promise<unknown>,
): Promise<() => Promise<unknown>> {
  const sourceId = await sources().add(REGISTRY, 'token')
  return () => change(sourceId)
}

async function ofServer(change: (id: string) => Promise<unknown>): Promise<() => Promise<unknown>> {
  const id = await bench.installFirst()
  return () => change(id)
}

/** Every way in which a secret loses its place: the action, and the secret's label. */
const WAYS = [
  [
    'a field that is emptied',
    () => ofServer((id) => bench.service.update(id, bench.draft({ arg_token: '' }))),
    'Token of Notes',
  ],
  [
    'a field that gets a shared secret',
    () => ofServer((id) => bench.service.stored.share(id, 'arg_token', 'Team')),
    'Token of Notes',
  ],
  ['an update without the field', () => ofServer((id) => bench.update(id, V2)), 'Token of Notes'],
  [
    'a server that is deleted with its secrets',
    () => ofServer((id) => bench.service.removed.remove(id, true)),
    'Token of Notes',
  ],
  [
    'a server that is deleted without its secrets',
    () => ofServer((id) => bench.service.removed.remove(id, false)),
    'Token of Notes',
  ],
  ['a shared secret that is deleted', storedSecret, 'Shared secret Team'],
  [
    'a registry without its token',
    () => token((sourceId) => sources().change(sourceId, { token: null })),
    `Token of the registry ${REGISTRY}`,
  ],
  [
    'a registry that is removed',
    () => token((sourceId) => sources().remove(sourceId)),
    `Token of the registry ${REGISTRY}`,
  ],
] as const

describe('A2: a secret that can’t be deleted', () => {
  it.each(WAYS)(
    "doesn't fail the save, is reported, and is deleted later: %s",
    async (_way, make, label) => {
      const change = await make()
      const [key = ''] = bench.keychain.held.keys()
      bench.keychain.isStuck = true
      await change()
      expect(labels()).toEqual([label])
      expect(undeletedNotice(bench.store.unwantedSecrets)).toMatchObject({
        noticeId: UNDELETED,
        title: '1 secret wasn’t deleted',
        message: `Still stored: ${label}. locked Patchbay retries at the next start.`,
      })
      bench.reopen()
      expect(undeletedNotice(bench.store.unwantedSecrets)).toBeDefined()
      bench.keychain.isStuck = false
      await bench.service.earlier.tidy()
      expect(undeletedNotice(bench.store.unwantedSecrets)).toBeUndefined()
      expect([labels(), bench.keychain.held.has(key)]).toEqual([[], false])
    },
  )

  it("isn't deleted later if its key has a value again", async () => {
    const sourceId = await sources().add(REGISTRY, 'old')
    bench.keychain.isStuck = true
    await sources().change(sourceId, { token: null })
    await sources().change(sourceId, { token: 'new' })
    bench.keychain.isStuck = false
    await bench.service.earlier.tidy()
    expect(await sources().tokenOf(sourceId)).toBe('new')
  })

  it('is retried once for all waiting secrets, and all are reported', async () => {
    await bench.store.mutex(async () => {
      bench.keychain.isStuck = true
      const gone = ['a/one', 'a/two', 'a/three'].map((key) => [key, null] as const)
      await changeSecrets(bench.store, bench.keychain, new Map(gone), () =>
        bench.store.saveSettings({}),
      )
    })
    expect(bench.keychain.tried).toBe(1)
    expect(undeletedNotice(bench.store.unwantedSecrets)?.title).toBe('3 secrets weren’t deleted')
  })

  it('is listed if it was new and its save failed', async () => {
    bench.disk.isFull = true
    bench.keychain.onDelete = () => {
      bench.disk.isFull = false
    }
    bench.keychain.isStuck = true
    await expect(bench.service.stored.create('Team', 'value')).rejects.toMatchObject({
      code: 'SETTINGS_UNWRITABLE',
    })
    expect(bench.store.unwantedSecrets).toHaveLength(1)
    bench.keychain.isStuck = false
    await bench.store.mutex(() => deleteUnwanted(bench.store, bench.keychain))
    expect(bench.keychain.values).toEqual([])
  })

  it('stays listed in a run without a keychain', async () => {
    const id = await bench.installFirst()
    const state = { kind: 'memory', reason: '', fix: '' } as const
    const memory = Object.assign(new NotedKeychain([]), { state })
    const secrets = withEnvironmentSecrets(memory, () => Promise.resolve(undefined))
    await new InstallationService(bench.store, secrets, '/home/mara').removed.remove(id, true)
    expect([labels(), undeletedNotice(bench.store.unwantedSecrets)]).toEqual([
      ['Token of Notes'],
      undefined,
    ])
    bench.reopen()
    await bench.service.earlier.tidy()
    expect([labels(), bench.keychain.values]).toEqual([[], []])
  })
})
