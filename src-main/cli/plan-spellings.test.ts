import { describe, expect, it } from 'vitest'

import { planCase } from './plan'

const stdio = { type: 'stdio' }
const npm = { registryType: 'npm', identifier: 't', version: '1.0.0', transport: stdio }
const named = { type: 'named', name: '--flag', description: 'd' }

const plan = (pkg: object, values: object = {}) => planCase({ package: { ...npm, ...pkg }, values })
const args = (pkg: object, values: object = {}) => {
  const result = plan(pkg, values)
  return 'args' in result ? result.args : result
}

describe('A5 what publishers spell in more than one way', () => {
  it.each([
    [['-y'], ['-y', 't@1.0.0']],
    [['--yes'], ['--yes', 't@1.0.0']],
    [['--yes=true'], ['--yes=true', 't@1.0.0']],
    [
      ['-y', '--yes=true'],
      ['-y', 't@1.0.0'],
    ],
    [
      ['npx', '-y', 't@2'],
      ['-y', 't@2'],
    ],
  ])('the yes of npx is there once: %j', (values, expected) => {
    const runtimeArguments = values.map((value) => ({ type: 'positional', value }))
    expect(args({ runtimeArguments })).toEqual(expected)
  })

  it.each([
    ['>=1.0,<2', ['--from', 't>=1.0,<2', 't']],
    ['~=1.4.2', ['--from', 't~=1.4.2', 't']],
    ['latest', ['t@latest']],
    ['1.0', ['t@1.0']],
  ])('the version of a Python package: %s', (version, expected) => {
    expect(args({ registryType: 'pypi', version })).toEqual(expected)
  })

  it.each([
    ['localhost:5000/a/b', ['localhost:5000/a/b']],
    ['reg.example:5000/a/b:1.2', ['reg.example:5000/a/b:1.2']],
    [`a/b:1@sha256:${'b'.repeat(64)}`, [`a/b:1@sha256:${'b'.repeat(64)}`]],
    ['https://ghcr.io/a/b:1', { error: 'invalid-character', at: 'identifier' }],
  ])('the reference of an image: %s', (identifier, expected) => {
    const planned = args({ registryType: 'oci', identifier, version: undefined })
    expect(Array.isArray(planned) ? planned.slice(3) : planned).toEqual(expected)
  })

  it.each<[string, unknown, unknown, readonly string[]]>([
    ['True', undefined, null, ['--flag']],
    ['FALSE', undefined, null, []],
    ['1', undefined, null, ['--flag', '1']],
    ['yes', undefined, null, ['--flag', 'yes']],
    ['', 'True', null, ['--flag']],
    ['', 'False', null, []],
    ['', undefined, 'TRUE', ['--flag']],
    ['', undefined, 'False', []],
  ])('a switch with the default %j, fixed as %j, given %j', (initial, value, given, expected) => {
    const argument = { ...named, format: 'boolean', value, default: initial }
    const planned = args({ packageArguments: [argument] }, { packageArguments: [given] })
    expect(Array.isArray(planned) ? planned.slice(2) : planned).toEqual(expected)
  })

  it('a variable keeps the letters of its switch', () => {
    const variable = { name: 'DEBUG', format: 'boolean' }
    const env = (input: object, values: object = {}) => {
      const result = plan({ environmentVariables: [{ ...variable, ...input }] }, values)
      return 'env' in result ? result.env : result
    }
    expect(env({ default: 'True' })).toEqual({ DEBUG: 'True' })
    expect(env({ value: 'TRUE' })).toEqual({ DEBUG: 'TRUE' })
    expect(env({}, { environmentVariables: { DEBUG: 'False' } })).toEqual({ DEBUG: 'False' })
  })
})
