import { describe, expect, it } from 'vitest'

import { parseServerJson } from './parse-server-json'

const URL = 'https://h.example/mcp'

function parse(remote: object) {
  const { server, notices } = parseServerJson({ name: 'a/b', version: '1', remotes: [remote] })
  return { remote: server.remotes[0], reported: notices.map(({ code, path }) => `${code} ${path}`) }
}

const header = (parts: object) =>
  parse({ type: 'sse', url: URL, headers: [{ name: 'H', ...parts }] })

describe('A1: remotes of server.json', () => {
  it.each([
    [{ type: 'streamable-http' }, 'streamable-http'],
    [{ type: 'sse' }, 'sse'],
    [{ transport_type: 'sse' }, 'sse'],
    [{ transport_type: 'streamable' }, 'streamable-http'],
  ])('are read in every schema: %j', (parts, type) => {
    const { remote, reported } = parse({ ...parts, url: URL })
    expect(reported).toEqual([])
    expect(remote).toMatchObject({ type, url: URL, headers: [] })
  })

  it.each<[object, string]>([
    [{ type: 'stdio', url: URL }, 'unknown-transport remotes[0].type'],
    [{ url: URL }, 'unknown-transport remotes[0].type'],
    [{ type: 'sse' }, 'missing-address remotes[0].url'],
    [{ type: 'sse', url: 'javascript:alert(1)' }, 'invalid-address remotes[0].url'],
    [{ type: 'sse', url: 'file:///etc/passwd' }, 'invalid-address remotes[0].url'],
    [{ type: 'sse', url: `https://h.example/${'x'.repeat(3_000)}` }, 'too-long remotes[0].url'],
  ])('are ignored if their address is invalid: %j', (raw, reported) => {
    const result = parse(raw)
    expect(result.remote).toBeUndefined()
    expect(result.reported[0]).toBe(reported)
  })

  it.each(['a b', 'a:b', 'a\nb:', 'é'])('cannot have a header with the name %j', (name) => {
    expect(header({ name }).remote?.headers).toEqual([])
    expect(header({ name }).reported).toEqual(['invalid-name remotes[0].headers[0].name'])
  })
})

describe('A1: undeclared placeholders', () => {
  const implied = (parts: object) => header(parts).remote?.headers[0]

  it.each<[string, object, object]>([
    [
      'in an Authorization header',
      { name: 'authorization', value: 'Bearer {x}' },
      { isSecret: true },
    ],
    ['in a secret header', { value: '{x}', isSecret: true }, { isSecret: true }],
    ['elsewhere', { value: '{x}' }, { isSecret: false, isRequired: false }],
    ['in a header that is required', { value: '{x}', isRequired: true }, { isRequired: true }],
  ])('become inputs %s', (_where, parts, variable) => {
    expect(implied(parts)?.variables).toMatchObject({ x: variable })
  })

  it.each(['apiKey', 'smithery_token', 'client-secret', 'PASSWORD'])(
    'are secret if their name indicates it: %s',
    (name) => {
      expect(implied({ value: `{${name}}` })?.variables?.[name]?.isSecret).toBe(true)
    },
  )

  it('are reported once each', () => {
    expect(header({ value: '{x} {y} {x}', variables: { y: {} } }).reported).toEqual([
      'implied-variable remotes[0].headers.H.variables.x',
    ])
  })

  it('lose the dollar sign of a shell', () => {
    expect(implied({ value: 'Bearer ${TOKEN}' })?.value).toBe('Bearer {TOKEN}')
    expect(implied({ value: '${a}', variables: { a: {} } })?.value).toBe('${a}')
  })

  it.each(['{"a":1}', '{}', '{ x }', '{__proto__}', '{1}'])('are no names: %s', (value) => {
    const result = header({ value })
    expect(result.remote?.headers[0]).toMatchObject({ value, variables: undefined })
    expect(result.reported).toEqual([])
  })

  it('are required in an address', () => {
    const { remote, reported } = parse({ type: 'sse', url: 'https://{tenant}.example/{api_key}' })
    expect(remote?.variables).toEqual({
      tenant: { isRequired: true, isSecret: false },
      api_key: { isRequired: true, isSecret: true },
    })
    expect(reported).toHaveLength(2)
  })

  it('stay literal in arguments and in the environment', () => {
    const parts = {
      packageArguments: [{ type: 'positional', value: '{x}' }],
      environmentVariables: [{ name: 'A', value: '{y}' }],
    }
    const packages = [{ registryType: 'npm', identifier: 't', ...parts }]
    const { server, notices } = parseServerJson({ name: 'a/b', version: '1', packages })
    expect(notices).toEqual([])
    expect(server.packages[0]?.packageArguments[0]?.variables).toBeUndefined()
    expect(server.packages[0]?.environmentVariables[0]?.variables).toBeUndefined()
  })
})

describe('A1: an endless number of placeholders', () => {
  const braces = (count: number, open = '{') =>
    Array.from({ length: count }, (_, index) => `${open}a${String(index)}}`).join('')

  it.each([
    ['in one header', { headers: [{ name: 'H', value: braces(20_000) }] }],
    ['of a shell', { headers: [{ name: 'H', value: braces(20_000, '${') }] }],
    [
      'in several headers and the address',
      {
        url: `${URL}/${braces(100)}`,
        headers: ['A', 'B', 'C'].map((name) => ({ name, value: braces(100) })),
      },
    ],
  ])('excludes the remote as a whole, with the reason: %s', (_where, parts) => {
    expect(parse({ type: 'sse', url: URL, ...parts })).toEqual({
      remote: undefined,
      reported: ['too-large remotes[0]'],
    })
  })

  it('excludes nothing if the entry declares as many inputs as a form can show', () => {
    expect(header({ value: braces(300) }).remote).toBeDefined()
  })
})

describe('A7: an Authorization header that is entered as a whole', () => {
  it('is secret unless the entry denies it', () => {
    const isSecret = (parts: object) =>
      header({ name: 'Authorization', ...parts }).remote?.headers[0]?.isSecret
    expect(isSecret({})).toBe(true)
    expect(isSecret({ isSecret: false })).toBe(false)
    expect(isSecret({ value: 'Basic abc' })).toBeUndefined()
  })
})
