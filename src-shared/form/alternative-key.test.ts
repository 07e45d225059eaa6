import { describe, expect, it } from 'vitest'

import { parseServerJson } from '../domain/server-json/parse-server-json'
import { toFormFields } from './to-form-fields'

/** Returns the key of the variable that replaces the first argument. */
function alternative(argument: object, ...names: (string | object)[]): string | undefined {
  const environmentVariables = names.map((name) =>
    typeof name === 'string' ? { name, isSecret: true } : name,
  )
  const pkg = {
    registryType: 'npm',
    identifier: 't',
    packageArguments: [{ type: 'named', isSecret: true, ...argument }],
    environmentVariables,
  }
  const { server } = parseServerJson({ name: 'a/b', version: '1', packages: [pkg] })
  return server.packages.flatMap(toFormFields)[0]?.alternativeKey
}

describe('A7: the variable for the secret of an argument', () => {
  it.each<[string, string, string | undefined]>([
    ['--api-key', 'API_KEY', 'env_API_KEY'],
    ['--api-key', 'ESIOS_API_KEY', 'env_ESIOS_API_KEY'],
    ['--apiKey', 'API_KEY', 'env_API_KEY'],
    ['--fmp-token', 'FMP_ACCESS_TOKEN', 'env_FMP_ACCESS_TOKEN'],
    ['--api-key', 'API_SECRET', undefined],
    ['--token', 'TOKENS', undefined],
  ])('of %s is %s: %s', (name, variable, key) => {
    expect(alternative({ name }, variable, 'OTHER')).toBe(key)
  })

  it('is the exact match of several, and missing if ambiguous', () => {
    expect(alternative({ name: '--token' }, 'A_TOKEN', 'TOKEN', 'B_TOKEN')).toBe('env_TOKEN')
    expect(alternative({ name: '--token' }, 'A_TOKEN', 'B_TOKEN')).toBeUndefined()
  })

  it('exists for a positional argument and a template variable too', () => {
    const hint = { type: 'positional', valueHint: 'api_key' }
    expect(alternative(hint, 'API_KEY')).toBe('env_API_KEY')
    const template = { name: '-H', value: 'X: {api_key}', variables: { api_key: {} } }
    expect(alternative(template, 'API_KEY')).toBe('env_API_KEY')
  })

  it('is a secret that the user can fill in', () => {
    expect(alternative({ name: '--token' }, { name: 'TOKEN', isSecret: false })).toBeUndefined()
    expect(
      alternative({ name: '--token' }, { name: 'TOKEN', isSecret: true, value: 'x' }),
    ).toBeUndefined()
    expect(
      alternative({ name: '--token', isSecret: false, description: 'd' }, 'TOKEN'),
    ).toBeUndefined()
  })
})
