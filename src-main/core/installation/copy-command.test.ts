import { describe, expect, it } from 'vitest'

import { OWN_PLACE, type SecretPlaces } from '../../../src-shared/domain/installation/secret-place'
import type { Offer } from '../../../src-shared/domain/server-json/offer'
import { Package, Remote } from '../../../src-shared/domain/server-json/server-json'
import { copyCommand } from './copy-command'

const pkg: Offer = {
  kind: 'package',
  pkg: Package.parse({
    registryType: 'npm',
    identifier: '@scope/name',
    version: '1.2.3',
    transport: { type: 'stdio' },
    runtimeArguments: [],
    packageArguments: [
      { type: 'named', name: '--api-key', isSecret: true },
      { type: 'named', name: '--text', description: 'Any' },
    ],
    environmentVariables: [{ name: 'API_KEY', isSecret: true }, { name: 'MODE' }],
  }),
}
const remote: Offer = {
  kind: 'remote',
  remote: Remote.parse({
    type: 'streamable-http',
    url: 'https://host.invalid/{tenant}',
    variables: { tenant: {} },
    headers: [
      {
        name: 'Authorization',
        value: 'Bearer {token}',
        variables: { token: { isSecret: true, isRequired: true } },
      },
    ],
  }),
}
const secrets: SecretPlaces = {
  'arg_api-key': OWN_PLACE,
  env_API_KEY: { kind: 'stored', secretId: 'team' },
}

describe('A7: copying a command', () => {
  const values = { 'arg_api-key': 'hunter2!', arg_text: 'two\nlines', env_MODE: 'a b' }

  it('contains values as they are, and secrets as distinct variables', () => {
    const copied = copyCommand({ offer: pkg, values, secrets, cwd: '/srv' }, 'posix')
    expect(copied.text).toBe(
      `(cd /srv && API_KEY="$API_KEY" MODE='a b' npx -y @scope/name@1.2.3 --api-key "$API_KEY_2" --text $'two\\012lines')`,
    )
    expect(copied.variables).toEqual(['API_KEY_2', 'API_KEY'])
  })

  it.each(['posix', 'powershell', 'json'] as const)(
    'never contains a typed secret: %s',
    (shell) => {
      const copied = copyCommand({ offer: pkg, values, secrets }, shell)
      expect(JSON.stringify(copied)).not.toContain('hunter2')
    },
  )

  it('omits a removed secret', () => {
    const removed = { 'arg_api-key': '', env_API_KEY: '' }
    const copied = copyCommand({ offer: pkg, values: removed, secrets }, 'posix')
    expect(copied).toEqual({ text: 'npx -y @scope/name@1.2.3', variables: [] })
  })

  it('returns address and headers of a remote', () => {
    const typed = { url_url_tenant: 'a', head_Authorization_token: 'hunter2!' }
    const copied = copyCommand({ offer: remote, values: typed, secrets: {} }, 'json')
    expect(copied.variables).toEqual(['TOKEN'])
    expect(JSON.parse(copied.text)).toEqual({
      type: 'streamable-http',
      url: 'https://host.invalid/a',
      headers: { Authorization: 'Bearer ${TOKEN}' },
    })
  })
})
