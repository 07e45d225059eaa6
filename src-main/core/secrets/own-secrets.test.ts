import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { ownSecrets, type SecretOwners } from './own-secrets'

const NOBODY: SecretOwners = {
  installations: [],
  stored: [],
  registries: new Map(),
  agents: new Map(),
  texts: { settings: [], agents: [], hosts: [] },
}

function ownersWith(texts: Partial<SecretOwners['texts']>): SecretOwners {
  return { ...NOBODY, texts: { ...NOBODY.texts, ...texts } }
}

describe('D6: the owners of keychain secrets', () => {
  const settings = ['{"installations":[{"installationId":"1-a"},{"installationId":"2-b"}]}']
  const owners: SecretOwners = {
    ...ownersWith({ settings, agents: ['[{"agentId":"anna"}]'], hosts: ['{"backups":"9-z"}'] }),
    stored: [{ secretId: '2-b', name: 'Team key', createdAt: 0, changedAt: 0 }],
    registries: new Map([['2-b', 'https://registry.example']]),
    agents: new Map([['anna', 'Anna']]),
  }

  it('are labeled, with the parts of a sign-in as one secret', () => {
    const keys = [
      ...['sign-in/1-a/a1', 'sign-in/1-a', 'sign-in/1-a/a0', '1-a/env_KEY', 'shared/2-b'],
      '1-a/kept/9-k/env_OLD',
      ...['registry/2-b', 'proxy/2-b', 'agent/anna', 'probe/77', 'host-backups/9-z'],
    ]
    const { own, others } = ownSecrets(keys, owners)
    expect(others).toEqual([])
    expect(own.map(({ label, keys }) => [label, keys.length])).toEqual([
      ['env_KEY of 1-a', 1],
      ['env_OLD of an earlier version of 1-a', 1],
      ['Key of the agent Anna', 1],
      ['Key for app configuration backups', 1],
      ['Keychain check', 1],
      ['Proxy password', 1],
      ['Token of the registry https://registry.example', 1],
      ['Shared secret Team key', 1],
      ['Sign-in of 1-a', 3],
    ])
    expect(own.at(-1)?.keys).toEqual(['sign-in/1-a', 'sign-in/1-a/a0', 'sign-in/1-a/a1'])
  })

  it('include servers waiting for deletion that nothing else names', () => {
    const listed = ['{"unwantedSecrets":[{"key":"3-c/env_KEY","label":"KEY of Notes"}]}']
    const keys = ['3-c/env_KEY', '3-c/env_OTHER']
    const { own, others } = ownSecrets(keys, ownersWith({ settings: listed }))
    expect([own.flatMap((one) => one.keys), others]).toEqual([['3-c/env_KEY'], ['3-c/env_OTHER']])
  })

  it('exclude other profiles', () => {
    const foreign = ['3-c/env_KEY', 'shared/3-c', 'agent/1-a', 'agent/ann', 'host-backups/1-a']
    expect(ownSecrets([...foreign, '1-a/x'], owners).others).toEqual(foreign.toSorted())
  })

  it('get each key once, and a profile that names nobody gets none', () => {
    const key = fc.tuple(fc.constantFrom('shared', 'sign-in', 'agent', 'x', '1-a'), fc.string())
    fc.assert(
      fc.property(fc.uniqueArray(key.map((parts) => parts.join('/'))), (keys) => {
        const { own, others } = ownSecrets(keys, owners)
        expect([...own.flatMap((one) => one.keys), ...others].toSorted()).toEqual(keys.toSorted())
        expect(ownSecrets(keys, NOBODY).own).toEqual([])
      }),
    )
  })
})
