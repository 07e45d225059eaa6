import { describe, expect, it } from 'vitest'

import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import { parseServerJson } from '../../../src-shared/domain/server-json/parse-server-json'
import { InstallationService, offerOf } from '../installation/installation-service'
import { ProfileDocument } from '../installation/store/profile-document'
import { memoryBackend } from '../secrets/secret-vault'
import { viewEarlier } from './review-update'

const FIRST = { kind: 'package', index: 0 } as const

function entryOf(version: string, names: readonly string[]): CatalogEntry {
  const { server } = parseServerJson({
    ...{ name: 'test/notes', description: 'Notes', version },
    packages: [
      {
        ...{ registryType: 'npm', identifier: 'notes', version, transport: { type: 'stdio' } },
        environmentVariables: names.map((name) => ({ name, isSecret: name.endsWith('KEY') })),
      },
    ],
  })
  return { entryId: version, source: 'registry', server, status: 'active', notices: [] }
}

describe('E9 the earlier versions of a server', () => {
  it('tell in a few words what is other in them, and whether they ask again; no value', async () => {
    const store = new ProfileDocument({
      file: '/profile/settings.json',
      read: () => null,
      write: () => undefined,
    })
    const service = new InstallationService(store, memoryBackend(), '/home/mara')
    const draft = (values: Record<string, string>) => ({ name: 'Notes', values, budgets: {} })
    const { installationId: id } = await service.create(
      entryOf('1.0.0', ['LEVEL', 'API_KEY']),
      FIRST,
      draft({ env_LEVEL: 'a-value', env_API_KEY: 'a-secret' }),
      { asItIs: false, enabled: true },
    )
    const next = entryOf('2.0.0', ['LEVEL'])
    await service.upgrade(id, next, FIRST, draft({ env_LEVEL: 'a-value' }))
    const { planHash } = service.preview(offerOf(service.read(id)), { env_LEVEL: 'x' }, {})
    await service.update(id, { ...draft({ env_LEVEL: 'x' }), approvedPlan: planHash })
    await service.upgrade(id, entryOf('3.0.0', []), FIRST, draft({}))

    const views = viewEarlier(service, id)
    expect(views).toMatchObject([
      { version: '2.0.0', hasSecrets: false, asksAgain: false },
      { version: '1.0.0', hasSecrets: true, asksAgain: true },
    ])
    expect(views.map(({ differs }) => differs)).toEqual([
      ['command', 'environment', 'Level'],
      ['command', 'environment', 'Level', 'API key'],
    ])
    expect(JSON.stringify(views)).not.toMatch(/a-value|a-secret/u)
  })
})
