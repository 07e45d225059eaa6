import { beforeEach, describe, expect, it } from 'vitest'

import { KEYED_ENTRY, KeyedServers } from '../../../e2e/fixtures/keyed-servers'
import { pause } from '../../../e2e/fixtures/pause'
import { type CustomServer, openText } from '../../../src-shared/domain/installation/custom-server'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import { segmentsOf } from '../../../src-shared/form/custom-server-parts'
import { saveCustomServerDraft } from './custom-server'
import { revisionOf } from './draft'
import type { InstallationService } from './installation-service'

const OFFER = { kind: 'package', index: 0 } as const
const STALE = { code: 'CHANGED_MEANWHILE' }
const ONE = { values: { env_API_KEY: 'one' } }
const DRAFT = { name: 'Two', values: {}, budgets: {} }

let servers: KeyedServers
let service: InstallationService
beforeEach(() => {
  servers = new KeyedServers()
  service = servers.service
})

describe('C4: saving a custom server', () => {
  it("records that two secrets swapped places, which the settings file doesn't show", async () => {
    const args = ['secret-a', 'secret-b'].map((secret) => [{ kind: 'secret', secret } as const])
    const server: CustomServer = { kind: 'command', command: 'node', args, env: [] }
    const save = { name: 'Mine', budgets: {}, enabled: false, asItIs: false }
    const { installationId } = await saveCustomServerDraft(service, { ...save, server }, undefined)
    const before = service.read(installationId)
    const seen = segmentsOf(before.server, before.offer, before.secrets)
    if (seen?.kind !== 'command') throw new Error('a URL')
    service.changes.applied(installationId)
    await saveCustomServerDraft(service, { ...save, server: seen }, before)
    expect(service.changes.of(installationId)).toEqual([])
    await saveCustomServerDraft(
      service,
      { ...save, server: { ...seen, args: seen.args.toReversed() } },
      before,
    )
    expect(service.changes.of(installationId)).toEqual(['The configuration was changed.'])
    const { secrets } = await service.readForStart(installationId)
    expect([...secrets.values()]).toEqual(['secret-b', 'secret-a'])
  })
})

describe('C4: a start during a save', () => {
  it('waits for the save and gets all of its secrets', async () => {
    const old = { env_API_KEY: 'one', env_OTHER_KEY: 'two' }
    const installationId = await servers.install('Two', { values: old })
    const gate = Promise.withResolvers<undefined>()
    const half = Promise.withResolvers<undefined>()
    servers.keychain.beforeWrite = (key) => {
      if (!key.endsWith('env_OTHER_KEY')) return undefined
      half.resolve(undefined)
      return gate.promise
    }
    const values = { env_API_KEY: 'new one', env_OTHER_KEY: 'new two' }
    const saving = servers.update(installationId, 'Two', { values })
    await half.promise
    const reading = service.readForStart(installationId)
    // Long enough for reading, if nothing waited.
    await pause(20)
    gate.resolve(undefined)
    const { secrets } = await reading
    expect(Object.fromEntries(secrets)).toEqual(values)
    await saving
  })
})

describe('C4: an outdated page', () => {
  it('keeps the reference to a secret that became shared meanwhile', async () => {
    const installationId = await servers.install('Two', ONE)
    const seen = revisionOf(service.read(installationId))
    await service.stored.share(installationId, 'env_API_KEY', 'Team key')
    const { secrets } = service.read(installationId)
    expect(Object.keys(secrets)).toEqual(['env_API_KEY'])
    const stale = { ...DRAFT, secrets: {}, revision: seen }
    await expect(service.update(installationId, stale)).rejects.toMatchObject(STALE)
    await expect(service.upgrade(installationId, KEYED_ENTRY, OFFER, stale)).rejects.toMatchObject(
      STALE,
    )
    expect(service.read(installationId).secrets).toEqual(secrets)
  })

  it('saves if its own data is unchanged, although the server was turned on meanwhile', async () => {
    const installationId = await servers.install('Two', ONE)
    const revision = revisionOf(service.read(installationId))
    service.set(installationId, { enabled: true })
    const saved = await service.update(installationId, { ...DRAFT, name: 'Renamed', revision })
    expect(saved.name).toBe('Renamed')
    expect(revisionOf(saved)).not.toBe(revision)
  })

  it('moves no secret of a custom server to another argument', async () => {
    const args = ['secret-a', 'secret-b'].map((secret) => [{ kind: 'secret', secret } as const])
    const server: CustomServer = { kind: 'command', command: 'node', args, env: [] }
    const save = { name: 'Mine', budgets: {}, enabled: false, asItIs: false }
    const first = await saveCustomServerDraft(service, { ...save, server }, undefined)
    const read = (): Installation => service.read(first.installationId)
    const stale = read()
    const seen = segmentsOf(stale.server, stale.offer, stale.secrets)
    if (seen?.kind !== 'command') throw new Error('a URL')
    const [, second = []] = seen.args
    await saveCustomServerDraft(service, { ...save, server: { ...server, args: [second] } }, read())
    const { secrets } = await service.readForStart(first.installationId)
    const late = { ...seen, args: [...seen.args, openText('--verbose')] }
    const revision = revisionOf(stale)
    await expect(
      saveCustomServerDraft(service, { ...save, server: late, revision }, read()),
    ).rejects.toMatchObject(STALE)
    expect((await service.readForStart(first.installationId)).secrets).toEqual(secrets)
    expect([...secrets.values()]).toEqual(['secret-b'])
  })
})
