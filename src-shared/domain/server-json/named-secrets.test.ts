import { describe, expect, it } from 'vitest'

import { fieldsOfOffer } from '../../form/to-form-fields'
import { findOffer } from './offer'
import { parseServerJson } from './parse-server-json'

/** Returns the fields of a form that are secret by their names. */
function secretFields(inputs: object, kind: 'package' | 'remote' = 'package'): string[] {
  const pkg = {
    registryType: 'npm',
    identifier: 'x',
    version: '1.0.0',
    transport: { type: 'stdio' },
    ...inputs,
  }
  const remote = { type: 'streamable-http', url: 'https://a.example/mcp', ...inputs }
  const { server } = parseServerJson({
    name: 'test/x',
    description: 'x',
    version: '1.0.0',
    ...(kind === 'package' ? { packages: [pkg] } : { remotes: [remote] }),
  })
  const offer = findOffer(server, { kind, index: 0 })
  if (offer === undefined) throw new Error('The entry has no such offer.')
  return fieldsOfOffer(offer).flatMap(({ secret, machineName = '' }) =>
    secret ? [machineName] : [],
  )
}

const envFields = (...environmentVariables: object[]): string[] =>
  secretFields({ environmentVariables })

describe('A2: an entry that does not declare its secrets', () => {
  it('has secret fields if the names of variables, arguments and headers indicate a secret', () => {
    expect(
      secretFields({
        environmentVariables: [{ name: 'PGPASSWORD' }, { name: 'MAX_TOKENS' }, { name: 'HOST' }],
        packageArguments: [
          { type: 'named', name: '--dbpassword', description: 'Of the database' },
          { type: 'positional', valueHint: 'api_key' },
          { type: 'positional', valueHint: 'keyboard' },
        ],
      }),
    ).toEqual(['--dbpassword', 'api_key', 'PGPASSWORD'])
    const headers = [{ name: 'Authorization' }, { name: 'X-Ghtoken' }, { name: 'Accept' }]
    expect(secretFields({ headers }, 'remote')).toEqual(['Authorization', 'X-Ghtoken'])
  })

  it('has secret fields in templates, by the variable or by the text before it', () => {
    expect(
      secretFields({
        runtimeArguments: [
          { type: 'named', name: '-e', value: 'GHTOKEN={value}', variables: { value: {} } },
          { type: 'named', name: '-e', value: 'MODE={mode}', variables: { mode: {} } },
        ],
        environmentVariables: [
          { name: 'AUTH_LINE', value: 'Basic {pgpassword}', variables: { pgpassword: {} } },
          { name: 'DBPASSWORD', value: '{first}-{second}', variables: { first: {}, second: {} } },
        ],
      }),
    ).toEqual(['{value}', '{pgpassword}', '{first}', '{second}'])
    const url = 'https://a.example/{area}?dbtoken={one}'
    expect(secretFields({ url, variables: { area: {}, one: {} } }, 'remote')).toEqual(['{one}'])
  })

  it('has no secret field if the entry denies it', () => {
    const variables = { token: { isSecret: false } }
    expect(
      envFields(
        { name: 'API_KEY', isSecret: false },
        { name: 'LINE', value: 'x {token}', variables },
        { name: 'DB_PASSWORD', isSecret: false, value: '{any}', variables: { any: {} } },
      ),
    ).toEqual([])
  })

  it.each([
    ['a choice', { choices: ['none', 'oauth'] }],
    ['a switch', { format: 'boolean' }],
    ['a switch that is spelled as text', { default: 'False' }],
    ['a number', { format: 'number' }],
    ['a path', { format: 'filepath' }],
  ])('has no secret field for %s', (_, said) => {
    expect(envFields({ name: 'SERVER_AUTH', ...said })).toEqual([])
  })

  it('has no field for a flag that is declared with nothing but a name', () => {
    const packageArguments = [
      { type: 'named', name: '--use-password' },
      { type: 'named', name: '--password' },
    ]
    expect(secretFields({ packageArguments })).toEqual([])
  })

  it('keeps lists open, because the keychain holds one value of a field', () => {
    const list = { type: 'named', name: '--token', description: 'Several', isRepeated: true }
    expect(secretFields({ packageArguments: [list] })).toEqual([])
  })
})
