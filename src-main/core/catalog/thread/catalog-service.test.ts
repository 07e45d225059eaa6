import { describe, expect, it } from 'vitest'

import { manyServers } from '../../../../e2e/fixtures/listed-servers'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { openTestRegistry } from '../../../../e2e/fixtures/test-catalog'
import { createTransfer } from '../registry/registry-transfer'
import { CatalogService } from './catalog-service'

describe('D2: the catalog on one thread', () => {
  it("doesn't sync a disabled source", async () => {
    const registry = await openTestRegistry(manyServers(3))
    using catalog = new CatalogService({
      folder: tempFolder('catalog'),
      transfer: createTransfer(),
      onProgress: () => undefined,
      onDiscard: () => undefined,
    })
    const source = { sourceId: 'local', baseUrl: registry.url, enabled: false }
    const order = { sourceId: 'local', mode: 'auto' } as const
    await catalog.setSources([source])
    expect(await catalog.sync(order)).toBeUndefined()
    expect(registry.requests).toEqual([])
    await catalog.setSources([{ ...source, enabled: true }])
    expect(await catalog.sync(order)).toMatchObject({ changed: 3 })
  })
})
