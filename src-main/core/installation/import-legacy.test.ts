import { describe, expect, it } from 'vitest'

import type { Package } from '../../../src-shared/domain/server-json/server-json'
import { findProblems } from '../../../src-shared/form/form-schema'
import { toFormFields } from '../../../src-shared/form/to-form-fields'
import { readLegacyValues } from './import-legacy'

const pkg: Package = {
  registryType: 'npm',
  identifier: 'thing',
  version: '1.0.0',
  transport: { type: 'stdio' },
  runtimeArguments: [],
  packageArguments: [
    { type: 'positional', valueHint: 'target_dir', isRepeated: true, isRequired: true },
    { type: 'named', name: '--filter', description: 'd' },
    { type: 'named', name: '--watch', format: 'boolean', description: 'd' },
  ],
  environmentVariables: [{ name: 'API_KEY', isSecret: true }, { name: 'HOSTS' }],
}
const fields = toFormFields(pkg)

function read(packageArgs: unknown) {
  return readLegacyValues(fields, JSON.stringify({ package_args: packageArgs }))
}

describe('A2: an older configuration', () => {
  it('finds fields by hint, by name with and without dashes, and by key', () => {
    expect(read({ target_dir: '/a', filter: 'x', '--watch': true, API_KEY: 'k' }).values).toEqual({
      arg_target_dir: ['/a'],
      arg_filter: 'x',
      arg_watch: 'true',
      env_API_KEY: 'k',
    })
    expect(read({ arg_filter: 'x' }).values).toEqual({ arg_filter: 'x' })
  })

  it('A4: splits commas only for repeated fields, ignoring empty segments', () => {
    expect(read({ target_dir: '/a, /b c,,', filter: 'a,b' }).values).toEqual({
      arg_target_dir: ['/a', '/b c'],
      arg_filter: 'a,b',
    })
  })

  it('accepts lists and scalars', () => {
    expect(read({ target_dir: ['/a,b', ''], filter: 7, HOSTS: ['x', 'y'] }).values).toEqual({
      arg_target_dir: ['/a,b'],
      arg_filter: '7',
      env_HOSTS: 'x,y',
    })
  })

  it('lists names without a field', () => {
    expect(read({ nope: '1', __proto__x: '2' }).unknown).toEqual(['nope', '__proto__x'])
  })

  it("A6: leaves a missing required value to its field's error", () => {
    expect(findProblems(fields, read({ filter: 'x' }).values, [])).toEqual([
      {
        code: 'missing-required',
        fieldKey: 'arg_target_dir',
        label: 'Target dir',
        message: 'Enter at least one folder.',
      },
    ])
  })

  it.each([
    ['{"package_args":', /isn’t valid JSON/],
    ['[]', /isn’t a JSON object/],
    ['{"args": {}}', /"package_args" is missing/],
    ['{"package_args": "a"}', /"package_args" isn’t an object/],
    ['{"package_args": {"filter": {"a": 1}}}', /"filter" is neither a string/],
  ])('rejects %s with the reason', (text, message) => {
    expect(() => readLegacyValues(fields, text)).toThrow(
      expect.objectContaining({
        code: 'INVALID_LEGACY_CONFIG',
        message: expect.stringMatching(message) as string,
      }),
    )
  })
})
