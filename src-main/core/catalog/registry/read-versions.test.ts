import { describe, expect, it } from 'vitest'

import { listedServer } from '../../../../e2e/fixtures/listed-servers'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { openTestRegistry } from '../../../../e2e/fixtures/test-catalog'
import { CatalogService } from '../thread/catalog-service'
import { createTransfer } from './registry-transfer'

const KEY = { sourceId: 'local', name: 'a.b/c' }

function openCatalog(): CatalogService {
  return new CatalogService({
    folder: tempFolder('catalog'),
    transfer: createTransfer(),
    onProgress: () => undefined,
    onDiscard: () => undefined,
  })
}

describe('D2: the versions of a listed server', () => {
  it('are not requested from a disabled registry, but shown from the last answer', async () => {
    const registry = await openTestRegistry([listedServer({ name: 'a.b/c', version: '1.0.0' })])
    using catalog = openCatalog()
    const source = { sourceId: 'local', baseUrl: registry.url, enabled: true }
    await catalog.setSources([source])
    await catalog.versions(KEY)
    const asked = registry.requests.length
    expect(asked).toBe(1)

    await catalog.setSources([{ ...source, enabled: false }])
    expect(await catalog.versions(KEY)).toMatchObject({
      versions: [{ version: '1.0.0' }],
      fault: {
        code: 'switched-off',
        message: expect.stringContaining('is turned off') as string,
      },
    })
    expect(registry.requests).toHaveLength(asked)
    expect(await catalog.versions({ ...KEY, name: 'x.y/z' })).toMatchObject({
      versions: [],
    })
    await catalog.setSources([source])
    expect(await catalog.versions(KEY)).not.toHaveProperty('fault')
  })

  it('are requested with their ETag, and stay if nothing changed', async () => {
    const known: (string | undefined)[] = []
    const registry = await openTestRegistry([listedServer({ name: 'a.b/c', version: '1.0.0' })], {
      intercept: (request) => {
        known.push(request.headers['if-none-match'])
        return false
      },
    })
    using catalog = openCatalog()
    await catalog.setSources([{ sourceId: 'local', baseUrl: registry.url, enabled: true }])
    const first = await catalog.versions(KEY)
    expect(first).toMatchObject({ versions: [{ version: '1.0.0' }] })
    expect(await catalog.versions(KEY)).toEqual(first)
    expect(await catalog.versions(KEY)).toEqual(first)
    const mark = expect.stringMatching(/^"\w+"$/u) as string
    expect(known).toEqual([undefined, mark, mark])
  })
})
