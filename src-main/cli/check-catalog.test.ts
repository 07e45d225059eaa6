import { describe, expect, it } from 'vitest'

import { checkCatalog } from './catalog-check'

const npm = { registryType: 'npm', identifier: 't', version: '1.0.0' }
const entry = (parts: object) => ({ name: 'a/b', description: 'd', version: '1', ...parts })
const check = (parts: object) => {
  const { errors, ...counts } = checkCatalog(entry(parts))
  return { ...counts, errors: errors.map(({ code, path }) => `${code} ${path}`) }
}

describe('A1: the state of a catalog', () => {
  it('is read from an API response, a list, and one document', () => {
    const whole = { servers: [{ server: entry({}), _meta: {} }], metadata: { count: 1 } }
    for (const raw of [whole, [entry({})], entry({}), { server: entry({}) }]) {
      expect(checkCatalog(raw)).toEqual({
        entries: 1,
        parsed: 1,
        withForm: 0,
        notices: 0,
        errors: [],
      })
    }
    expect(checkCatalog({ servers: [] })).toMatchObject({ entries: 0, parsed: 0 })
  })

  it.each(['npm', 'pypi', 'oci', 'nuget', 'cargo', 'mcpb'])('has a form for %s', (registryType) => {
    const packages = [{ ...npm, registryType }]
    expect(check({ packages })).toMatchObject({ withForm: 1, errors: [] })
  })

  it('has a form for a remote', () => {
    const remotes = [{ type: 'sse', url: 'https://h.example/mcp' }]
    expect(check({ remotes })).toMatchObject({ withForm: 1, errors: [] })
  })

  it('counts harmless ignored parts, not as errors', () => {
    const environmentVariables = [{ name: '' }, { name: 'A', format: 'date' }]
    const packages = [{ ...npm, environmentVariables }]
    expect(check({ packages, websiteUrl: 'x' })).toMatchObject({ notices: 3, errors: [] })
  })

  it.each<[object, string]>([
    [
      { packages: [{ ...npm, packageArguments: [{ type: '' }] }] },
      'invalid-argument-type packages[0].packageArguments[0]',
    ],
    [
      { packages: [{ ...npm, registryType: 'deb' }] },
      'unsupported-registry-type packages[0].registryType',
    ],
    [
      { packages: [7, { ...npm, registryType: 'deb' }] },
      'unsupported-registry-type packages[1].registryType',
    ],
    [{ packages: [{ ...npm, identifier: 'a b' }] }, 'invalid-character packages[0].identifier'],
    [{ packages: [{ registryType: 'npm' }] }, 'missing-identifier packages[0].identifier'],
    [
      { packages: [{ ...npm, transport: { type: 'x' } }] },
      'unknown-transport packages[0].transport',
    ],
    [
      { packages: [{ ...npm, transport: { type: 'sse' } }] },
      'missing-address packages[0].transport.url',
    ],
    [{ remotes: [{ type: 'sse', url: 'ftp://h.example' }] }, 'invalid-address remotes[0].url'],
  ])('names unusable parts: %j', (parts, reported) => {
    expect(check(parts).errors).toEqual([reported])
  })

  it('names the entry, even if it is unreadable', () => {
    const reported = checkCatalog({
      servers: [{ server: { name: ' ', version: '7' } }, null, entry({ packages: [{}] })],
    })
    expect(reported).toMatchObject({ entries: 3, parsed: 1 })
    expect(reported.errors.map(({ name, version, code }) => [name, version, code])).toEqual([
      [' ', '7', 'invalid-entry'],
      ['', '', 'invalid-entry'],
      ['a/b', '1', 'missing-identifier'],
    ])
  })
})
