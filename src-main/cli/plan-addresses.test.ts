import { describe, expect, it } from 'vitest'

import { planCase } from './plan'

const npm = { registryType: 'npm', identifier: 't', version: '1.0.0' }
const named = { type: 'named', name: '--flag', description: 'd' }
const positional = { type: 'positional', valueHint: 'dir', description: 'd' }

const plan = (pkg: object, values: object = {}) => planCase({ package: { ...npm, ...pkg }, values })

describe('A1: remotes', () => {
  const remote = (parts: object, values: object = {}) =>
    planCase({ remote: { type: 'sse', url: 'https://h.example/mcp', ...parts }, values })
  const key = { name: 'X-Key' }

  it.each<[string, object, object, object]>([
    ['no header without a value', { headers: [key] }, {}, {}],
    ['a default', { headers: [{ ...key, default: 'd' }] }, {}, { 'X-Key': 'd' }],
    ['a default that was cleared', { headers: [{ ...key, default: 'd' }] }, { 'X-Key': '' }, {}],
    [
      'the last of two of a name',
      {
        headers: [
          { ...key, default: 'a' },
          { name: 'x-key', value: 'b' },
        ],
      },
      {},
      { 'x-key': 'b' },
    ],
    [
      'an implied variable',
      { headers: [{ ...key, value: 'k {k}' }] },
      { 'X-Key': { k: 'v' } },
      { 'X-Key': 'k v' },
    ],
    ['an implied variable left empty', { headers: [{ ...key, value: 'k {k}' }] }, {}, {}],
    [
      'a shell variable',
      { headers: [{ ...key, value: '${k}' }] },
      { 'X-Key': { k: 'v' } },
      { 'X-Key': 'v' },
    ],
    [
      'JSON, which is no template',
      { headers: [{ ...key, value: '{"a":1}' }] },
      {},
      { 'X-Key': '{"a":1}' },
    ],
  ])('send %s', (_what, parts, headers, expected) => {
    expect(remote(parts, { headers })).toEqual({
      type: 'sse',
      url: 'https://h.example/mcp',
      headers: expected,
    })
  })

  it.each<[string, object, object, object]>([
    ['missing-required at headers.X-Key', { headers: [{ ...key, isRequired: true }] }, {}, {}],
    [
      'missing-required at headers.X-Key.variables.k',
      { headers: [{ ...key, value: '{k}', isRequired: true }] },
      {},
      {},
    ],
    [
      'invalid-choice at headers.X-Key',
      { headers: [{ ...key, choices: ['a'] }] },
      { 'X-Key': 'b' },
      {},
    ],
    ['invalid-character at headers.X-Key', { headers: [key] }, { 'X-Key': 'a\r\nB: c' }, {}],
    ['invalid-character at headers.X-Key', { headers: [key] }, { 'X-Key': '日本' }, {}],
    ['missing-required at variables.t', { url: 'https://{t}.example/mcp' }, {}, {}],
    [
      'invalid-choice at variables.t',
      { url: 'https://{t}.example/mcp', variables: { t: { choices: ['a'] } } },
      {},
      { t: 'b' },
    ],
  ])('reject %s', (reported, parts, headers, variables) => {
    const [error, at] = reported.split(' at ')
    expect(remote(parts, { headers, variables })).toEqual({ error, at })
  })

  it('fill in an address once, from values and defaults', () => {
    const url = 'https://{region}.example/{region}/{path}'
    const variables = { region: { default: 'eu' }, path: {} }
    expect(remote({ url, variables }, { variables: { path: '{region}' } })).toMatchObject({
      url: 'https://eu.example/eu/{region}',
    })
    const optional = { url: 'https://h.example/{x}', variables: { x: {} } }
    expect(remote(optional)).toMatchObject({ url: 'https://h.example/' })
  })
})

describe('A1: packages that serve HTTP', () => {
  const http = (url: string | undefined, parts: object, values?: object) => {
    const transport = { type: 'streamable-http', url }
    const result = plan({ transport, ...parts }, values)
    return 'transport' in result ? result.transport : result
  }

  it.each<[string, object]>([
    ['{--port}', { packageArguments: [{ ...named, name: '--port', default: '7' }] }],
    ['{port}', { packageArguments: [{ ...named, name: '--port', default: '7' }] }],
    ['{port}', { packageArguments: [{ ...named, name: 'port', default: '7' }] }],
    ['{dir}', { packageArguments: [{ ...positional, default: '7' }] }],
    ['{n}', { runtimeArguments: [{ ...named, valueHint: 'n', default: '7' }] }],
    ['{PORT}', { environmentVariables: [{ name: 'PORT', default: '7' }] }],
    [
      '{p}',
      { packageArguments: [{ ...named, value: 'x{p}', variables: { p: { default: '7' } } }] },
    ],
  ])('name their address with %s: %j', (name, parts) => {
    expect(http(`http://127.0.0.1:${name}/mcp`, parts)).toEqual({
      type: 'streamable-http',
      url: 'http://127.0.0.1:7/mcp',
    })
  })

  it('keep placeholders without a value, and prefer the exact name', () => {
    const packageArguments = [
      { ...positional, valueHint: 'host', default: 'b' },
      { ...named, name: '--host', default: 'a' },
    ]
    expect(http('http://{host}:{port}/', { packageArguments })).toMatchObject({
      url: 'http://b:{port}/',
    })
    expect(http(undefined, {})).toEqual({ type: 'streamable-http' })
  })

  it('ask for their headers', () => {
    const headers = [{ name: 'X-Key', isRequired: true, isSecret: true }]
    const transport = { type: 'sse', url: 'http://127.0.0.1:1/sse', headers }
    expect(plan({ transport })).toEqual({ error: 'missing-required', at: 'headers.X-Key' })
    expect(plan({ transport }, { headers: { 'X-Key': 'k' } })).toMatchObject({
      transport: { type: 'sse', url: 'http://127.0.0.1:1/sse', headers: { 'X-Key': 'k' } },
    })
  })
})
