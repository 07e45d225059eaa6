import { describe, expect, it, onTestFinished } from 'vitest'

import { listedServer } from '../../../../e2e/fixtures/listed-servers'
import { startLocalRegistry } from '../../../../e2e/fixtures/local-registry'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { CatalogService } from '../thread/catalog-service'
import { createTransfer } from './registry-transfer'

describe('D2 the versions of a listed server', () => {
  it('are not asked of a registry that is switched off, but shown as they were the last time', async () => {
    const registry = await startLocalRegistry([listedServer({ name: 'a.b/c', version: '1.0.0' })])
    onTestFinished(registry.close)
    using catalog = new CatalogService({
      folder: tempFolder('catalog'),
      transfer: createTransfer(),
      onProgress: () => undefined,
      onSetAside: () => undefined,
    })
    const key = { sourceId: 'local', name: 'a.b/c' }
    const { signal } = new AbortController()
    const source = { sourceId: 'local', baseUrl: registry.url, enabled: true }
    await catalog.setSources([source])
    await catalog.versions(key, signal)
    const asked = registry.requests.length
    expect(asked).toBe(1)

    await catalog.setSources([{ ...source, enabled: false }])
    expect(await catalog.versions(key, signal)).toMatchObject({
      versions: [{ version: '1.0.0' }],
      fault: {
        code: 'switched-off',
        message: expect.stringContaining('is switched off') as string,
      },
    })
    expect(registry.requests).toHaveLength(asked)
    expect(await catalog.versions({ ...key, name: 'x.y/z' }, signal)).toMatchObject({
      versions: [],
    })
    await catalog.setSources([source])
    expect(await catalog.versions(key, signal)).not.toHaveProperty('fault')
  })
})
