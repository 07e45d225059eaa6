import { describe, expect, it } from 'vitest'

import { versionOf, VersionsHarness } from '../../../e2e/fixtures/versions-harness'
import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import { viewEarlier } from './review-update'

function entryOf(version: string, names: readonly string[]): CatalogEntry {
  const entry = versionOf(version, [])
  const environmentVariables = names.map((name) => ({ name, isSecret: name.endsWith('KEY') }))
  const packages = entry.server.packages.map((pkg) => ({ ...pkg, environmentVariables }))
  return { ...entry, server: { ...entry.server, packages } }
}

describe("E9: a server's earlier versions", () => {
  it('list their differences and whether approval is required, without values', async () => {
    const bench = new VersionsHarness()
    const values = { env_LEVEL: 'a-value', env_API_KEY: 'a-secret' }
    const { installationId: id } = await bench.service.create(
      entryOf('1.0.0', ['LEVEL', 'API_KEY']),
      { kind: 'package', index: 0 },
      bench.draft(values),
      { asItIs: false, enabled: true },
    )
    await bench.update(id, entryOf('2.0.0', ['LEVEL']), { env_LEVEL: 'a-value' })
    await bench.service.update(id, bench.draft({ env_LEVEL: 'x' }))
    await bench.approve(id)
    await bench.update(id, entryOf('3.0.0', []))

    const views = viewEarlier(bench.service, id)
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
