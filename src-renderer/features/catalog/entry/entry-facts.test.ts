import { describe, expect, it } from 'vitest'

import type { Offer } from '../../../../src-shared/domain/server-json/offer'
import type {
  KeyValueInput,
  ServerJson,
} from '../../../../src-shared/domain/server-json/server-json'
import { safeLink } from '../../../ui/text/safe-link'
import {
  entryObstacle,
  entryTitle,
  namesOf,
  requiredInput,
  statusTitle,
  viewsOf,
  viewToSetUp,
} from './entry-facts'

function npm(environmentVariables: KeyValueInput[] = [], registryType = 'npm'): Offer {
  return {
    kind: 'package',
    pkg: {
      registryType,
      identifier: '@example/notes',
      transport: { type: 'stdio' },
      runtimeArguments: [],
      packageArguments: [],
      environmentVariables,
    },
  }
}

function server(changes: Partial<ServerJson> = {}): ServerJson {
  return {
    name: 'io.github.example/notes',
    description: 'Searches notes.',
    version: '1.0.0',
    packages: [],
    remotes: [],
    ...changes,
  }
}

function obstacle(...offers: Offer[]): string | undefined {
  const packages = offers.flatMap((offer) => (offer.kind === 'package' ? [offer.pkg] : []))
  const remotes = offers.flatMap((offer) => (offer.kind === 'remote' ? [offer.remote] : []))
  const views = viewsOf({ packages, remotes }, { platform: 'linux' })
  return entryObstacle(viewToSetUp(views, undefined))
}

describe('D2: facts about a catalog entry', () => {
  it('show the title, or the last part of the name if the title is missing or blank', () => {
    expect(entryTitle(server({ title: 'Notes' }))).toBe('Notes')
    expect(entryTitle(server({ title: '  ' }))).toBe('notes')
  })

  it('say since when an entry is deprecated or deleted, if the registry gives the date', () => {
    const at = { statusChangedAt: '2026-11-03T12:00:00Z' }
    expect(statusTitle({ status: 'deprecated', ...at })).toBe('Deprecated since Nov 3, 2026.')
    expect(statusTitle({ status: 'deleted' })).toBe('Deleted.')
    expect(statusTitle({ status: 'deprecated', statusChangedAt: 'soon' })).toBe('Deprecated.')
  })

  it('escape characters that reverse or hide a title', () => {
    expect(entryTitle(server({ title: 'Notes\u202egnp.exe' }))).toBe('Notes<U+202E>gnp.exe')
  })

  it('lead to a form unless an entry has no offer of a known type', () => {
    const remote = { type: 'sse' as const, url: 'https://a.example', headers: [] }
    expect(obstacle(npm())).toBeUndefined()
    expect(obstacle(npm([], 'mcpb'))).toBeUndefined()
    expect(obstacle({ kind: 'remote', remote })).toBeUndefined()
    expect(obstacle(npm([], 'gem'))).toMatch(/“gem”/)
    expect(obstacle(npm([], 'gem'), npm())).toBeUndefined()
    expect(obstacle()).toMatch(/no package or address/)
  })

  it("list the fields that a remote's address and headers require", () => {
    const remote = {
      type: 'streamable-http' as const,
      url: 'https://{tenant}.example/mcp',
      variables: { tenant: { isRequired: true } },
      headers: [{ name: 'Authorization', isSecret: true, isRequired: true }],
    }
    const { required, secrets } = requiredInput({ kind: 'remote', remote })
    expect(required.map(({ label }) => label)).toEqual(['Tenant', 'Authorization'])
    expect(secrets.map(({ label }) => label)).toEqual(['Authorization'])
  })

  it('name at most four and count the rest', () => {
    expect(namesOf(['a', 'b'])).toBe('a, b')
    expect(namesOf(['a', 'b', 'c', 'd', 'e', 'f'])).toBe('a, b, c, d and 2 more')
  })

  it('link https addresses only', () => {
    expect(safeLink('https://github.com/a/b')?.hostname).toBe('github.com')
    for (const bad of [
      'javascript:alert(1)',
      'http://a.example',
      'file:///etc/passwd',
      'x',
      undefined,
    ])
      expect(safeLink(bad)).toBeUndefined()
  })
})
