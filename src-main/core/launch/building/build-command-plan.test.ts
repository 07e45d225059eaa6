import { spawnSync } from 'node:child_process'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { FieldValues } from '../../../../src-shared/domain/server-json/field-values'
import { parseServerJson } from '../../../../src-shared/domain/server-json/parse-server-json'
import type { Package } from '../../../../src-shared/domain/server-json/server-json'
import { findProblems } from '../../../../src-shared/form/form-schema'
import { toFormFields } from '../../../../src-shared/form/to-form-fields'
import { buildCommandPlan } from './build-launch-plan'

function packageOf(parts: object): Package {
  const raw = { registryType: 'npm', identifier: 'thing', version: '1.0.0', ...parts }
  const [pkg] = parseServerJson({ name: 'a/b', version: '1', packages: [raw] }).server.packages
  if (pkg === undefined) throw new Error('The package was ignored.')
  return pkg
}

function argsOf(parts: object, values: FieldValues = {}, secrets: [string, string][] = []) {
  return buildCommandPlan(packageOf(parts), values, new Map(secrets)).args.map(({ value }) => value)
}

const named = { type: 'named', name: '--root', description: 'd' }
const positional = { type: 'positional', valueHint: 'path', description: 'd' }

describe('A5: one value becomes one argv item', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      ...['$(touch x)', '`id`', 'a"b\'c', 'a b', 'a\nb', '; rm -rf /', '&& x', '| y', '> f', '-rf'],
      ...['--', '%PATH%', '^&', '*', '~', '{root}', '$&', 'a,b', '{"a":[1,2]}', '日本 ñ', '\\'],
    ),
  )
  const filled = hostile.filter((text) => text.trim() !== '')

  it('with any characters, for named, positional, template and variable', () => {
    fc.assert(
      fc.property(filled, filled, filled, filled, (root, path, part, variable) => {
        const plan = buildCommandPlan(
          packageOf({
            packageArguments: [
              named,
              positional,
              { type: 'named', name: '--t', value: 'a={part};', variables: { part: {} } },
            ],
            environmentVariables: [{ name: 'V' }],
          }),
          { arg_root: root, arg_path: path, arg_t_part: part, env_V: variable },
          new Map(),
        )
        expect(plan.args.slice(2).map(({ value }) => value)).toEqual([
          '--root',
          root,
          path,
          '--t',
          `a=${part};`,
        ])
        expect(plan.env.map(({ value }) => value)).toEqual([variable])
      }),
    )
  })

  it('that reaches a real process unchanged', () => {
    const value = 'quote" \' $(touch x) `id` \n zażółć 日本 {root} %PATH% a,b'
    const plan = buildCommandPlan(
      packageOf({ registryType: 'cargo', packageArguments: [named, positional] }),
      { arg_root: value, arg_path: '-rf' },
      new Map(),
    )
    const script = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))'
    const child = spawnSync(
      process.execPath,
      ['-e', script, '--', ...plan.args.map((argument) => argument.value)],
      { encoding: 'utf8' },
    )
    expect(JSON.parse(child.stdout)).toEqual(['--root', value, '-rf'])
  })
})

describe('A4: repeated inputs', () => {
  it("split their default at commas, and other inputs don't", () => {
    const list = { ...named, isRepeated: true }
    const row = { ...list, value: 'o={opts}', variables: { opts: { default: 'ro,z' } } }
    const argsFor = (argument: object) => argsOf({ packageArguments: [argument] }).slice(2)
    expect(argsFor({ ...list, default: '/a, /b,' })).toEqual(['--root', '/a', '--root', '/b'])
    expect(argsFor({ ...list, default: '{"a":1,"b":2}' })).toEqual(['--root', '{"a":1,"b":2}'])
    expect(argsFor({ ...named, default: 'a,b' })).toEqual(['--root', 'a,b'])
    expect(argsFor(row)).toEqual(['--root', 'o=ro,z'])
  })
})

describe('A3: blank values', () => {
  it.each([' ', '\t'])('keep %j only for an argument of plain text', (blank) => {
    const parts = {
      packageArguments: [
        { ...named, name: '--delimiter' },
        { type: 'named', name: '--t', value: 'a{part}b', variables: { part: {} } },
        { ...named, name: '--list', isRepeated: true },
        { ...named, name: '--several' },
        { ...named, name: '--count', format: 'number' },
        { ...named, name: '--pick', choices: ['x'] },
        { ...named, name: '--file', format: 'filepath' },
      ],
      environmentVariables: [{ name: 'E' }],
    }
    const keys = ['delimiter', 't_part', 'list', 'count', 'pick', 'file'].map((key) => `arg_${key}`)
    const values: FieldValues = Object.fromEntries(keys.map((key) => [key, blank]))
    const given = { ...values, env_E: blank, arg_several: ['a', blank] }
    const plan = buildCommandPlan(packageOf(parts), given, new Map())
    expect(plan.args.slice(2).map(({ value }) => value)).toEqual([
      ...['--delimiter', blank, '--t', `a${blank}b`],
      ...['--several', 'a'],
    ])
    expect(plan.env).toEqual([])
  })
})

describe('A7: secrets in a plan', () => {
  const parts = {
    packageArguments: [
      {
        type: 'named',
        name: '--auth',
        value: 'Bearer {token}',
        variables: { token: { isSecret: true } },
      },
    ],
    environmentVariables: [{ name: 'KEY', isSecret: true }],
  }
  const plan = buildCommandPlan(
    packageOf(parts),
    {},
    new Map([
      ['arg_auth_token', 'hunter2'],
      ['env_KEY', 's3cret'],
    ]),
  )

  it('reach the process, and are masked for display', () => {
    expect(plan.args.at(-1)).toMatchObject({
      value: 'Bearer hunter2',
      shown: 'Bearer ••••••••',
      secret: true,
      joined: true,
      origin: { kind: 'keychain', fieldKey: 'arg_auth_token' },
    })
    expect(plan.env[0]).toMatchObject({ name: 'KEY', value: 's3cret', shown: '••••••••' })
  })

  it('cause a warning as arguments, but not as variables', () => {
    expect(plan.warnings).toEqual([
      '"Token" is passed as an argument, so other programs on this computer can read it in the process list.',
    ])
  })

  it.each([
    ['postgresql://ann:{token}@db.example.test/notes', 'The password in postgresql://…'],
    ['redis://:{token}@127.0.0.1:6379/0', 'The password in redis://…'],
    ['https://example.test/{token}', '"Token"'],
  ])('are named by their part of an address such as %s', (value, subject) => {
    const variables = { token: { isSecret: true } }
    const pkg = packageOf({
      packageArguments: [{ type: 'named', name: '--dsn', value, variables }],
    })
    expect(buildCommandPlan(pkg, {}, new Map([['arg_dsn_token', 'hunter2']])).warnings).toEqual([
      `${subject} is passed as an argument, so other programs on this computer can read it in the process list.`,
    ])
  })

  it('cause no warning if a plain argument is read from a variable of this computer', () => {
    const plain = packageOf({ packageArguments: [{ type: 'positional', valueHint: 'region' }] })
    const read = buildCommandPlan(plain, {}, new Map([['arg_region', 'eu']]))
    expect(read.args.at(-1)).toMatchObject({ value: 'eu', shown: '••••••••' })
    expect(read.warnings).toEqual([])
  })

  it('name an alternative variable in the warning, if the package has one', () => {
    const { warnings } = buildCommandPlan(
      packageOf({
        packageArguments: [{ type: 'named', name: '--api-key', isSecret: true }],
        environmentVariables: [{ name: 'ESIOS_API_KEY', isSecret: true }],
      }),
      {},
      new Map([['arg_api-key', 'hunter2']]),
    )
    expect(warnings).toEqual([expect.stringMatching(/process list.* variable ESIOS_API_KEY/)])
  })

  it('never appear in the argv of docker run', () => {
    const docker = { ...parts, registryType: 'oci', packageArguments: [] }
    expect(argsOf(docker, {}, [['env_KEY', 's3cret']])).toEqual([
      ...['run', '-i', '--rm', '-e', 'KEY', 'thing:1.0.0'],
    ])
  })
})

describe('S16: an empty variable', () => {
  const parts = { environmentVariables: [{ name: 'HTTPS_PROXY', default: 'http://proxy:1' }] }
  const envOf = (values: FieldValues) =>
    buildCommandPlan(packageOf(parts), values, new Map()).env.map(({ name, value }) => [
      name,
      value,
    ])

  it('is set if the user says so, and unset if its field was cleared', () => {
    expect(envOf({ env_HTTPS_PROXY: [''] })).toEqual([['HTTPS_PROXY', '']])
    expect(envOf({ env_HTTPS_PROXY: '' })).toEqual([])
    expect(envOf({})).toEqual([['HTTPS_PROXY', 'http://proxy:1']])
  })

  it('is valid in the form', () => {
    const fields = toFormFields(packageOf(parts))
    expect(findProblems(fields, { env_HTTPS_PROXY: [''] }, [])).toEqual([])
    expect(findProblems(fields, { env_HTTPS_PROXY: ['', ''] }, [])).toHaveLength(1)
  })
})
