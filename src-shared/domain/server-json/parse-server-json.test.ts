import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { toFormFields } from '../../form/to-form-fields'
import { AppError } from '../app-error'
import { parseServerJson } from './parse-server-json'
import { ServerJson } from './server-json'

const npm = { registryType: 'npm', identifier: 'thing', version: '1.0.0' }

function parseOne(pkg: object) {
  const { server, notices } = parseServerJson({ name: 'a/b', version: '1', packages: [pkg] })
  return { pkg: server.packages[0], notices }
}

describe('A1: tolerant reading of server.json', () => {
  it('reads arguments, variables and remotes, and silently ignores unknown fields', () => {
    const { server, notices } = parseServerJson({
      name: 'io.github.a/b',
      description: 'Does things.',
      version: '1.2.3',
      someday: { a: 1 },
      repository: {},
      packages: [
        {
          ...npm,
          transport: { type: 'stdio' },
          packageArguments: [
            { type: 'named', name: '--root', isRepeated: true, format: 'filepath', extra: 1 },
            { type: 'positional', valueHint: 'target', default: 'x' },
          ],
          environmentVariables: [{ name: 'KEY', isSecret: true, isRequired: true }],
        },
      ],
      remotes: [
        {
          type: 'streamable-http',
          url: 'https://{tenant}.example.com/mcp',
          variables: { tenant: { isRequired: true } },
          headers: [{ name: 'X-Key', isSecret: true }],
        },
      ],
    })
    expect(notices).toEqual([])
    expect(ServerJson.parse(server)).toEqual(server)
    expect(server.packages[0]?.packageArguments[0]).toMatchObject({
      type: 'named',
      name: '--root',
      isRepeated: true,
      format: 'filepath',
    })
    expect(server.remotes[0]?.variables?.tenant?.isRequired).toBe(true)
    expect(server.remotes[0]?.headers[0]?.name).toBe('X-Key')
  })

  it('accepts the snake_case names of the first schema', () => {
    const { pkg, notices } = parseOne({
      registry_type: 'npm',
      registry_base_url: 'https://npm.corp.example',
      identifier: 'thing',
      version: '1.0.0',
      package_arguments: [
        { type: 'positional', value_hint: 'dir', is_required: true, is_repeated: true },
      ],
      environment_variables: [{ name: 'KEY', is_secret: true }],
    })
    expect(notices).toEqual([])
    expect(pkg).toMatchObject({
      registryType: 'npm',
      registryBaseUrl: 'https://npm.corp.example',
      transport: { type: 'stdio' },
      packageArguments: [{ valueHint: 'dir', isRequired: true, isRepeated: true }],
      environmentVariables: [{ name: 'KEY', isSecret: true }],
    })
  })

  it("reads the API's envelope and a document given as text", () => {
    const document = { name: 'a/b', description: 'd', version: '1' }
    expect(parseServerJson({ server: document, _meta: {} }).server.name).toBe('a/b')
    expect(parseServerJson(JSON.stringify(document)).server.name).toBe('a/b')
  })

  it('converts numbers and booleans to text if text is expected', () => {
    const { pkg, notices } = parseOne({
      ...npm,
      packageArguments: [{ type: 'named', name: '--port', default: 8089, choices: [1, true, 'x'] }],
      environmentVariables: [{ name: 'DEBUG', value: false, isRequired: 'true' }],
    })
    expect(notices).toEqual([])
    expect(pkg?.packageArguments[0]).toMatchObject({ default: '8089', choices: ['1', 'true', 'x'] })
    expect(pkg?.environmentVariables[0]).toMatchObject({ value: 'false', isRequired: true })
  })

  it('reads arguments and variables as people write them (X1)', () => {
    const { pkg, notices } = parseOne({
      ...npm,
      packageArguments: [
        'serve',
        { value: '--stdio' },
        { name: '--root', value: '/' },
        { type: 'named', name: '--directory <path>', isRequired: true },
        { type: 'named', name: '--port=<number>', valueHint: 'port' },
      ],
      environmentVariables: { API_KEY: { isRequired: true }, LEVEL: 'info', SIZE: 3 },
    })
    expect(notices).toEqual([])
    expect(pkg?.packageArguments).toMatchObject([
      { type: 'positional', value: 'serve' },
      { type: 'positional', value: '--stdio' },
      { type: 'named', name: '--root', value: '/' },
      { type: 'named', name: '--directory', valueHint: 'path' },
      { type: 'named', name: '--port', valueHint: 'port' },
    ])
    expect(pkg?.environmentVariables).toMatchObject([
      { name: 'API_KEY', isRequired: true, isSecret: true },
      { name: 'LEVEL', default: 'info' },
      { name: 'SIZE', default: '3' },
    ])
    expect(pkg?.ignoredParts).toBeUndefined()
  })

  it('keeps the ignored parts of the command with the package, and nothing else (X1)', () => {
    const { pkg } = parseOne({
      ...npm,
      packageArguments: [{ type: '', value: 'mcp' }, { type: 'positional', value: {} }, 'serve'],
      environmentVariables: [{ name: 'A', description: {}, choices: 1 }, null],
    })
    expect(pkg?.packageArguments).toHaveLength(2)
    expect(pkg?.ignoredParts).toEqual([
      'packageArguments[0]: Expected the argument type "named" or "positional".',
      'packageArguments[1].value: Expected text.',
      'environmentVariables[1]: Expected an object.',
    ])
  })

  it.each([
    [{ packageArguments: [{ type: '', name: 'diagram' }] }, 'packages[0].packageArguments[0]'],
    [{ packageArguments: [{ type: 'named', value: 'x' }] }, 'packages[0].packageArguments[0]'],
    [{ packageArguments: 'none' }, 'packages[0].packageArguments'],
    [{ packageArguments: [7] }, 'packages[0].packageArguments[0]'],
    [{ environmentVariables: [{ name: ' ' }] }, 'packages[0].environmentVariables[0].name'],
    [{ environmentVariables: [{ name: 'A=B' }] }, 'packages[0].environmentVariables[0].name'],
    [
      { environmentVariables: [{ name: 'A', format: 'integer' }] },
      'packages[0].environmentVariables[0].format',
    ],
    [
      { environmentVariables: [{ name: 'A', default: {} }] },
      'packages[0].environmentVariables[0].default',
    ],
    [
      { environmentVariables: [{ name: 'A', isSecret: 'maybe' }] },
      'packages[0].environmentVariables[0].isSecret',
    ],
    [
      { environmentVariables: [{ name: 'A', value: '{x}', variables: { x: 1 } }] },
      'packages[0].environmentVariables[0].variables.x',
    ],
    [
      { environmentVariables: [{ name: 'A', isRequired: 'maybe' }] },
      'packages[0].environmentVariables[0].isRequired',
    ],
    [
      { environmentVariables: [{ name: 'A', value: '{x}', variables: 'x' }] },
      'packages[0].environmentVariables[0].variables',
    ],
  ])('ignores one invalid element and keeps the rest: %j', (odd, path) => {
    const { pkg, notices } = parseOne({ ...npm, ...odd })
    expect(pkg?.identifier).toBe('thing')
    expect(notices.map((notice) => notice.path)).toEqual([path])
  })

  it('requires no input because of an unclear mark', () => {
    const { pkg } = parseOne({ ...npm, environmentVariables: [{ name: 'A', isRequired: 'maybe' }] })
    expect(pkg?.environmentVariables[0]).toMatchObject({ name: 'A', isRequired: undefined })
  })

  it.each<[unknown, boolean | undefined]>([
    ...[true, 'true', 'True', ' TRUE ', 1, 'yes', '', {}].map((raw): [unknown, true] => [
      raw,
      true,
    ]),
    ...[false, 'false', 'False', 0].map((raw): [unknown, false] => [raw, false]),
    [null, undefined],
  ])('treats an input as secret unless that is clearly denied: %j', (isSecret, expected) => {
    const { pkg, notices } = parseOne({
      ...npm,
      environmentVariables: [{ name: 'A', isSecret }],
      packageArguments: [{ type: 'named', name: '--a', is_secret: isSecret }],
    })
    expect(pkg?.environmentVariables[0]?.isSecret).toBe(expected)
    expect(pkg?.packageArguments[0]?.isSecret).toBe(expected)
    const isOdd = expected === true && isSecret !== true && isSecret !== 'true'
    expect(notices.map(({ message }) => message)).toEqual(
      isOdd ? Array(2).fill('Expected true or false, read as true.') : [],
    )
  })

  it('ignores a package without an identifier or with an unknown transport', () => {
    const { server, notices } = parseServerJson({
      name: 'a/b',
      version: '1',
      packages: [{ registryType: 'npm' }, { ...npm, transport: { type: 'pigeon' } }, npm],
    })
    expect(server.packages).toHaveLength(1)
    expect(notices.map(({ path }) => path)).toEqual([
      'packages[0].identifier',
      'packages[1].transport',
    ])
  })

  it('keeps long text complete, and removes control characters and direction overrides', () => {
    const { server } = parseServerJson({
      name: 'a/b\u0007',
      title: 'Safe\u202Etxt.exe',
      description: `${'x'.repeat(5000)}\u001B[31m\u2066end\nline`,
      version: '1',
    })
    expect(server.name).toBe('a/b')
    expect(server.title).toBe('Safetxt.exe')
    expect(server.description).toBe(`${'x'.repeat(5000)}[31mend\nline`)
  })

  it('drops links that are no web addresses, with a notice', () => {
    const { server, notices } = parseServerJson({
      name: 'a/b',
      version: '1',
      websiteUrl: 'javascript:alert(1)',
      repository: { url: 'file:///etc/passwd' },
    })
    expect(server.websiteUrl).toBeUndefined()
    expect(server.repository).toBeUndefined()
    expect(notices.map(({ path }) => path)).toEqual(['websiteUrl', 'repository.url'])
  })

  it.each([null, 7, [], {}, { name: ' ' }, { name: {} }, '{"name":', '"text"'])(
    'rejects %j with INVALID_SERVER_JSON',
    (raw) => {
      expect(() => parseServerJson(raw)).toThrow(
        expect.objectContaining({ code: 'INVALID_SERVER_JSON' }),
      )
    },
  )

  it('returns a valid server or INVALID_SERVER_JSON for any JSON', () => {
    const keys = fc.constantFrom(
      ...['name', 'version', 'packages', 'remotes', 'server', 'registryType', 'identifier'],
      ...['packageArguments', 'environmentVariables', 'type', 'variables', 'value', '__proto__'],
    )
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom(null, 1, true, '', 'named', 'positional', 'npm', '{x}', 'stdio'),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(keys, tie('tree'), { maxKeys: 6 }),
      ),
    }))
    fc.assert(
      fc.property(tree, (raw) => {
        try {
          const { server } = parseServerJson(raw)
          expect(ServerJson.safeParse(server).success).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('A1: malicious documents', () => {
  it('cannot name a command of their own instead of a package', () => {
    const packages = [{ registryType: 'command', identifier: '/bin/sh', transport: 'stdio' }]
    const { server, notices } = parseServerJson({ name: 'a/b', version: '1', packages })
    expect(server.packages).toEqual([])
    expect(notices.map(({ path }) => path)).toEqual(['packages[0].registryType'])
  })

  const parse = (packages: unknown) => parseServerJson({ name: 'a/b', version: '1', packages })

  it('lose a package whose form nobody could fill in, with a notice', () => {
    const inputs = Array.from({ length: 401 }, () => ({ type: 'positional', valueHint: 'x' }))
    const variables = Object.fromEntries(inputs.map((_, index) => [`v${String(index)}`, {}]))
    const { server, notices } = parse([
      { ...npm, packageArguments: inputs },
      { ...npm, environmentVariables: [{ name: 'A', value: '{v1}', variables }] },
      { ...npm, packageArguments: inputs.slice(0, 400) },
    ])
    expect(server.packages).toHaveLength(1)
    expect(notices.map(({ path }) => path)).toEqual(['packages[0]', 'packages[1]'])
  })

  it('cause at most a hundred notices and a thousand choices', () => {
    expect(parse(Array(50_000).fill(0)).notices).toHaveLength(100)
    const choices = Array.from({ length: 50_000 }, (_, index) => String(index))
    const { server, notices } = parse([{ ...npm, environmentVariables: [{ name: 'A', choices }] }])
    expect(server.packages[0]?.environmentVariables[0]?.choices).toHaveLength(1_000)
    expect(notices).toHaveLength(1)
  })

  it.each(['constructor', '__proto__', 'toString'])(
    'become a form, even with the type %s',
    (kind) => {
      const runtimeArguments = [{ type: 'named', name: '--x', description: 'd' }]
      const { server } = parse([{ ...npm, registryType: kind, runtimeArguments }])
      expect(server.packages.flatMap(toFormFields).map(({ key }) => key)).toEqual(['run_x'])
    },
  )
})
