import { describe, expect, it } from 'vitest'

import { parseServerJson } from './parse-server-json'

function parse(pkg: object) {
  const { server, notices } = parseServerJson({ name: 'a/b', version: '1', packages: [pkg] })
  return { pkg: server.packages[0], reported: notices.map(({ code, path }) => `${code} ${path}`) }
}

const npm = { registryType: 'npm', identifier: 'thing', version: '1.0.0' }

describe("E10: a publisher's instructions for after the installation", () => {
  const steps = (postInstallInstructions: unknown) => {
    const { pkg, reported } = parse({ ...npm, postInstallInstructions })
    return { steps: pkg?.postInstallInstructions, reported }
  }

  it('are kept as text: words, command, page and whether a step is optional', () => {
    const documentation = 'https://example.org/setup'
    const command = 'ollama pull llama3\nollama serve'
    const step = { description: 'Fetch a model.', command, documentation, optional: true }
    expect(steps([step, { description: 'Sign in.' }])).toEqual({
      steps: [step, { description: 'Sign in.' }],
      reported: [],
    })
  })

  it('lose characters that hide or reverse text, and link to web addresses only', () => {
    const command = 'rm \u202e-rf\u0007'
    expect(steps([{ description: 'X', command, documentation: 'file:///etc/passwd' }])).toEqual({
      steps: [{ description: 'X', command: 'rm -rf' }],
      reported: ['invalid-link packages[0].postInstallInstructions[0].documentation'],
    })
  })

  it.each<[unknown, object]>([
    [undefined, { steps: undefined, reported: [] }],
    [[], { steps: undefined, reported: [] }],
    ['run it', { steps: undefined, reported: ['wrong-type packages[0].postInstallInstructions'] }],
    [
      [{ optional: true }, { description: 'Y' }],
      {
        steps: [{ description: 'Y' }],
        reported: ['wrong-type packages[0].postInstallInstructions[0]'],
      },
    ],
  ])('report what is ignored of %j', (raw, expected) => {
    expect(steps(raw)).toEqual(expected)
  })

  it('are limited: the first twenty of a thousand steps are kept', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => ({ description: String(index) }))
    const { steps: kept, reported } = steps(many)
    expect([kept?.length, reported]).toEqual([20, ['too-many packages[0].postInstallInstructions']])
  })
})

describe('A1: packages of server.json', () => {
  it.each(['npm', 'pypi', 'oci', 'nuget', 'cargo', 'mcpb', 'deb', 'constructor'])(
    'are kept whatever their type: %s',
    (registryType) => {
      expect(parse({ ...npm, registryType })).toMatchObject({ pkg: { registryType }, reported: [] })
    },
  )

  it.each<[object, object]>([
    [
      { registry_name: 'npm', name: 'thing' },
      { registryType: 'npm', identifier: 'thing' },
    ],
    [
      { registry_name: 'docker', name: 'o/i' },
      { registryType: 'oci', identifier: 'o/i' },
    ],
    [
      { registry_type: 'npm', package_name: 'thing' },
      { registryType: 'npm', identifier: 'thing' },
    ],
    [{ ...npm, runtime_hint: 'npx' }, { runtimeHint: 'npx' }],
    [{ ...npm, file_sha256: 'ab' }, { fileSha256: 'ab' }],
    [{ ...npm, transport_type: 'sse' }, { transport: { type: 'sse' } }],
    [
      { ...npm, runtime_arguments: [{ type: 'named', name: '--x', value_hint: 'h' }] },
      { runtimeArguments: [{ type: 'named', name: '--x', valueHint: 'h' }] },
    ],
  ])('are read with the names of the earliest documents: %j', (raw, expected) => {
    expect(parse(raw)).toMatchObject({ pkg: expected, reported: [] })
  })

  it("get the document's version if the first schema put it there", () => {
    const { server } = parseServerJson({ name: 'a/b', version_detail: { version: '1.0.2' } })
    expect(server.version).toBe('1.0.2')
  })

  it.each<[unknown, object]>([
    [undefined, { type: 'stdio' }],
    [{}, { type: 'stdio' }],
    [{ type: 'stdio', url: 'http://x.example' }, { type: 'stdio' }],
    ['sse', { type: 'sse' }],
    [
      { type: 'sse', url: 'http://127.0.0.1:{port}/', headers: [{ name: 'K' }] },
      { type: 'sse', url: 'http://127.0.0.1:{port}/', headers: [{ name: 'K' }] },
    ],
  ])('have the transport %j', (transport, expected) => {
    expect(parse({ ...npm, transport }).pkg?.transport).toEqual(expected)
  })

  it('declare their address if they serve HTTP', () => {
    expect(parse({ ...npm, transport: { type: 'sse' } }).reported).toEqual([
      'missing-address packages[0].transport.url',
    ])
  })

  it('interpret an unknown format as the intended one', () => {
    const format = (name: string) => {
      const { pkg } = parse({ ...npm, environmentVariables: [{ name: 'A', format: name }] })
      return pkg?.environmentVariables[0]?.format
    }
    expect(format('integer')).toBe('number')
    expect(format('date')).toBeUndefined()
  })
})

describe('A1: hostile packages', () => {
  const text = (length: number) => 'x'.repeat(length)

  it.each<[string, object, string]>([
    ['10,000 arguments', { packageArguments: Array(10_000).fill({ type: 'positional' }) }, ''],
    [
      'values longer than any command line',
      { packageArguments: [{ type: 'positional', value: text(1_000_000) }] },
      '',
    ],
    [
      'more choices than any form can show',
      {
        environmentVariables: Array.from({ length: 100 }, (_, index) => ({
          name: `A${String(index)}`,
          choices: Array.from({ length: 1_000 }, (_choice, at) => String(at)),
        })),
      },
      '',
    ],
    [
      'a header with more braces than any form can show',
      {
        transport: {
          type: 'sse',
          url: 'http://127.0.0.1:1/mcp',
          headers: [
            {
              name: 'H',
              value: Array.from({ length: 500 }, (_, at) => `{a${String(at)}}`).join(''),
            },
          ],
        },
      },
      '',
    ],
    [
      'a few too many inputs, some of them headers of the transport',
      {
        environmentVariables: Array.from({ length: 300 }, (_, at) => ({ name: `A${String(at)}` })),
        transport: {
          type: 'sse',
          url: 'http://127.0.0.1:1/mcp',
          headers: Array.from({ length: 200 }, (_, at) => ({ name: `H${String(at)}` })),
        },
      },
      '',
    ],
  ])('are ignored as a whole: %s', (_what, parts) => {
    expect(parse({ ...npm, ...parts })).toEqual({
      pkg: undefined,
      reported: ['too-large packages[0]'],
    })
  })

  it('keep the start of a description of a megabyte', () => {
    const { pkg, reported } = parse({
      ...npm,
      environmentVariables: [{ name: 'A', description: text(1_000_000) }],
    })
    expect(pkg?.environmentVariables[0]?.description).toHaveLength(10_000)
    expect(reported).toEqual(['too-long packages[0].environmentVariables[0].description'])
  })

  it('cannot have names of a thousand characters', () => {
    const name = text(1_000)
    expect(parse({ ...npm, environmentVariables: [{ name }] }).pkg?.environmentVariables).toEqual(
      [],
    )
    const argument = { type: 'positional', value: '{x}', variables: { [name]: {}, x: {} } }
    const { pkg } = parse({ ...npm, packageArguments: [argument] })
    expect(Object.keys(pkg?.packageArguments[0]?.variables ?? {})).toEqual(['x'])
    expect(parse({ ...npm, identifier: text(3_000) }).pkg).toBeUndefined()
  })

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])(
    "cannot change an object's prototype by the name %s",
    (name) => {
      const variables = JSON.parse(`{"${name}": {"value": "evil", "isRequired": true}}`) as object
      const argument = { type: 'positional', value: `{${name}}`, variables }
      const { pkg, reported } = parse({ ...npm, [name]: { x: 1 }, packageArguments: [argument] })
      expect(reported).toEqual(
        name === '__proto__'
          ? ['invalid-name packages[0].packageArguments[0].variables.__proto__']
          : [],
      )
      expect(Object.getPrototypeOf(pkg?.packageArguments[0]?.variables)).toBe(Object.prototype)
      expect({}).not.toHaveProperty('value')
    },
  )

  it('are limited to a hundred for one server', () => {
    const packages = Array(5_000).fill(npm)
    const { server, notices } = parseServerJson({ name: 'a/b', version: '1', packages })
    expect(server.packages).toHaveLength(100)
    expect(notices.map(({ code }) => code)).toEqual(['too-many'])
  })

  it('may be nested 100,000 levels deep without a crash', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const pkg = `{"registryType":"npm","identifier":"t","packageArguments":${deep}}`
    const { server, notices } = parseServerJson(`{"name":"a/b","version":"1","packages":[${pkg}]}`)
    expect(server.packages[0]?.packageArguments).toEqual([])
    expect(notices.map(({ code }) => code)).toEqual(['wrong-type'])
    expect(() => parseServerJson(deep)).toThrow(
      expect.objectContaining({ code: 'INVALID_SERVER_JSON' }),
    )
  })
})
