import { describe, expect, it } from 'vitest'

import type { SourceStatus } from '../../../src-shared/domain/catalog/catalog-query'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import { RegistryStatus } from './catalog-summary'

function registryStatus(change: Partial<SourceStatus> = {}): SourceStatus {
  return { sourceId: 'official', name: 'a/b', status: 'active', version: '1.0.0', ...change }
}

function installed(change: Partial<Installation> = {}) {
  const server = { name: 'a/b', description: '', version: '1.0.0', packages: [], remotes: [] }
  return { source: 'registry', sourceId: undefined, server, ...change } as const
}

describe("D2: the registry's status of an installed server", () => {
  it("warns of a deleted or deprecated server with the registry's message", () => {
    const statuses = new RegistryStatus()
    for (const status of ['deleted', 'deprecated'] as const) {
      statuses.replace([registryStatus({ status, statusMessage: 'Why.' })])
      expect(statuses.warningOf(installed())).toEqual({ status, statusMessage: 'Why.' })
    }
    statuses.replace([registryStatus({ status: 'active' })])
    expect(statuses.warningOf(installed())).toBeUndefined()
  })

  it("warns of a server that its registry doesn't list, but not of servers from elsewhere", () => {
    const statuses = new RegistryStatus()
    statuses.replace([registryStatus({ status: 'unlisted' })])
    expect(statuses.warningOf(installed())).toEqual({ status: 'unlisted' })
    for (const source of ['starter', 'pasted', 'bundle', 'hand'] as const)
      expect(statuses.warningOf(installed({ source }))).toBeUndefined()
  })

  it('offers a newer version, but none of a deleted server', () => {
    const statuses = new RegistryStatus()
    const version = '1.1.0'
    statuses.replace([registryStatus({ version })])
    expect(statuses.updateOf(installed())).toEqual({
      entryId: 'registry:official:a%2Fb:1.1.0',
      version,
    })
    statuses.replace([registryStatus({ version: '1.0.0' })])
    expect(statuses.updateOf(installed())).toBeUndefined()
    statuses.replace([registryStatus({ version, status: 'deleted' })])
    expect(statuses.updateOf(installed())).toBeUndefined()
  })

  it("comes only from the server's own registry, and never for other servers", () => {
    const statuses = new RegistryStatus()
    statuses.replace([registryStatus({ sourceId: 'acme', status: 'deleted' })])
    expect(statuses.warningOf(installed())).toBeUndefined()
    expect(statuses.warningOf(installed({ sourceId: 'acme' }))).toBeDefined()
    for (const source of ['hand', 'bundle'] as const)
      expect(statuses.warningOf(installed({ sourceId: 'acme', source }))).toBeUndefined()
  })

  it('returns the names of changed servers', () => {
    const statuses = new RegistryStatus()
    const other = registryStatus({ name: 'c/d' })
    expect(statuses.replace([registryStatus(), other])).toEqual(new Set(['a/b', 'c/d']))
    expect(statuses.replace([registryStatus({ status: 'deprecated' }), other])).toEqual(
      new Set(['a/b']),
    )
    expect(statuses.replace([registryStatus({ status: 'deprecated' })])).toEqual(new Set(['c/d']))
  })
})
