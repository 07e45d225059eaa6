import { describe, expect, it } from 'vitest'

import { LaunchPreview } from '../../../../src-shared/domain/installation/launch-plan'
import type { FieldValues } from '../../../../src-shared/domain/server-json/field-values'
import type { Package } from '../../../../src-shared/domain/server-json/server-json'
import { buildCommandPlan } from './build-launch-plan'
import { planHash, toCommandPreview as toPreview } from './launch-preview'

const pkg: Package = {
  registryType: 'npm',
  identifier: 'thing',
  version: '1.0.0',
  transport: { type: 'stdio' },
  runtimeArguments: [],
  packageArguments: [
    { type: 'positional', valueHint: 'notes_folder', isRepeated: true, description: 'd' },
    { type: 'named', name: '--index', default: 'hybrid' },
    { type: 'named', name: '--token', isSecret: true },
  ],
  environmentVariables: [{ name: 'KEY', isSecret: true }, { name: 'LEVEL' }],
}
const values: FieldValues = { arg_notes_folder: ['/a', '/b'], env_LEVEL: 'info' }
const secrets = new Map([
  ['arg_token', 'hunter2'],
  ['env_KEY', 's3cret'],
])

function plan(parts: Partial<Package> = {}, other: FieldValues = values, keys = secrets) {
  return buildCommandPlan({ ...pkg, ...parts }, other, keys)
}

describe('D3: the preview of a command', () => {
  it('shows every item with its origin and masks secrets', () => {
    const preview = toPreview(plan(), [], '/home')
    expect(LaunchPreview.parse(preview)).toEqual(preview)
    expect(preview.args.map(({ text, joined, origin }) => [text, joined, origin.kind])).toEqual([
      ['-y', false, 'runner'],
      ['thing@1.0.0', false, 'package'],
      ['/a', false, 'you'],
      ['/b', false, 'you'],
      ['--index', false, 'default'],
      ['hybrid', true, 'default'],
      ['--token', false, 'keychain'],
      ['••••••••', true, 'keychain'],
    ])
    expect(preview.args[3]?.origin).toEqual({
      kind: 'you',
      label: 'Notes folder 2',
      fieldKey: 'arg_notes_folder',
    })
    expect(preview.env).toMatchObject([
      { name: 'KEY', text: '••••••••', secret: true },
      { name: 'LEVEL', text: 'info', secret: false },
    ])
    expect(JSON.stringify(preview)).not.toMatch(/hunter2|s3cret/)
  })

  it('escapes invisible characters', () => {
    const preview = toPreview(plan({}, { arg_notes_folder: ['a\u3164\u2800\u{E0041}b'] }), [])
    expect(preview.args[2]?.text).toBe(String.raw`a\u{3164}\u{2800}\u{e0041}b`)
  })

  it('escapes deceptive characters', () => {
    const preview = toPreview(plan({}, { arg_notes_folder: ['a\u202Eb\nc'] }), [])
    expect(preview.args[2]?.text).toBe(String.raw`a\u{202e}b\u{a}c`)
  })
})

describe('D3: the plan hash for approvals', () => {
  const approved = planHash(plan(), '/home')

  it('stays the same for another secret and another plain value of a variable', () => {
    const other = new Map([
      ['arg_token', 'other'],
      ['env_KEY', 'other'],
    ])
    expect(planHash(plan({}, values, other), '/home')).toBe(approved)
    expect(planHash(plan({}, { ...values, env_LEVEL: 'debug' }), '/home')).toBe(approved)
    expect(approved).toMatch(/^[0-9a-f]{64}$/)
  })

  it.each([
    ['an argument', planHash(plan({}, { ...values, arg_notes_folder: ['/a'] }), '/home')],
    ['a version', planHash(plan({ version: '1.0.1' }), '/home')],
    ['a package', planHash(plan({ identifier: 'other' }), '/home')],
    ['an additional variable', planHash(plan({}, { ...values, env_LEVEL: '' }), '/home')],
    ['the folder', planHash(plan(), '/other')],
    [
      'a plain text instead of the secret',
      planHash(
        plan({
          packageArguments: [
            ...pkg.packageArguments.slice(0, 2),
            { type: 'named', name: '--token', value: '{arg_token}' },
          ],
        }),
        '/home',
      ),
    ],
  ])('changes with %s', (_, hash) => {
    expect(hash).not.toBe(approved)
  })
})

describe('D3: the plan hash and environment variables', () => {
  const hashOf = (variable: Package['environmentVariables'][number], value?: string): string => {
    const typed: FieldValues = value === undefined ? {} : { [`env_${variable.name}`]: value }
    return planHash(plan({ environmentVariables: [variable] }, typed))
  }

  it("changes with the entry's fixed value, default or template", () => {
    const of = (parts: object): string => hashOf({ name: 'MODE', ...parts })
    const all = [
      of({ value: '--require /tmp/a.js' }),
      of({ value: '--require /tmp/b.js' }),
      of({ default: 'a' }),
      of({ default: 'b' }),
      of({ value: 'https://{host}/', variables: { host: { default: 'a' } } }),
      of({ value: 'https://{host}/', variables: { host: { default: 'b' } } }),
      of({ value: 'https://{host}.evil/', variables: { host: { default: 'b' } } }),
    ]
    expect(new Set(all).size).toBe(all.length)
  })

  it('ignores typed values, so that a value can be corrected', () => {
    expect(hashOf({ name: 'LEVEL', default: 'a' }, 'b')).toBe(
      hashOf({ name: 'LEVEL', default: 'a' }),
    )
    expect(hashOf({ name: 'LEVEL' }, 'b')).toBe(hashOf({ name: 'LEVEL' }, 'c'))
  })

  it.each(['NODE_OPTIONS', 'PATH', 'LD_PRELOAD', 'npm_config_registry', 'DOCKER_HOST'])(
    'includes the value if the variable decides which code runs: %s',
    (name) => {
      expect(hashOf({ name }, 'b')).not.toBe(hashOf({ name }, 'c'))
      const { warnings } = plan({ environmentVariables: [{ name, value: 'x' }] })
      expect(warnings).toContainEqual(expect.stringContaining(`"${name}" can change which program`))
    },
  )

  it('causes no warning for ordinary variables', () => {
    const names = ['API_KEY', 'PATH_PREFIX', 'LOG_LEVEL', 'UVICORN_PORT', '__proto__']
    const environmentVariables = names.map((name) => ({ name, value: 'x' }))
    expect(plan({ packageArguments: [], environmentVariables }, {}, new Map()).warnings).toEqual([])
  })
})
