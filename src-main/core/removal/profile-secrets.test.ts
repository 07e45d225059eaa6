import { describe, expect, it } from 'vitest'

import type { SecretStoreState } from '../../../src-shared/domain/state/app-state'
import type { Keychain } from '../ports'
import type { SecretOwners } from '../secrets/own-secrets'
import { memoryBackend } from '../secrets/secret-vault'
import { ProfileSecrets } from './profile-secrets'

const OWNERS: SecretOwners = {
  ...{ installations: [], stored: [], registries: new Map(), agents: new Map() },
  texts: { settings: ['["one"]'], agents: [], hosts: [] },
}

function secretsOver(
  keychain: Keychain,
  state: SecretStoreState = { kind: 'keychain' },
  owners = OWNERS,
): ProfileSecrets {
  const vault = { ...keychain, state, ready: Promise.resolve() }
  return new ProfileSecrets({ vault, owners: () => Promise.resolve(owners) })
}

async function keychainWith(...keys: string[]): Promise<Keychain> {
  const keychain = memoryBackend()
  for (const key of keys) await keychain.set(key, 'x')
  return keychain
}

describe("D6: deleting a profile's secrets", () => {
  it('includes secrets saved meanwhile', async () => {
    const keychain = await keychainWith('one/a', 'two/a')
    const slow: Keychain = {
      ...keychain,
      delete: async (key) => {
        if (key === 'one/a') await keychain.set('one/late', 'x')
        return keychain.delete(key)
      },
    }
    const outcome = await secretsOver(slow).remove(false)
    expect(outcome).toEqual({ removed: ['a of one', 'late of one'], left: [] })
    expect(await keychain.keys()).toEqual(['two/a'])
  })

  it('stops asking a keychain that keeps failing', async () => {
    const keychain = await keychainWith(...['a', 'b', 'c', 'd', 'e'].map((one) => `one/${one}`))
    let calls = 0
    const locked: Keychain = {
      ...keychain,
      delete: () => {
        calls += 1
        return Promise.reject(new Error('It is locked'))
      },
    }
    const { removed, left } = await secretsOver(locked).remove(false)
    expect(removed).toEqual([])
    expect(left).toHaveLength(5)
    expect(new Set(left.map(({ reason }) => reason))).toEqual(new Set(['It is locked.']))
    expect(calls).toBe(6)
  })

  it("reports a keychain that can't list its secrets as a whole", async () => {
    const broken = { ...memoryBackend(), keys: () => Promise.reject(new Error('No bus')) }
    const { left } = await secretsOver(broken).remove(false)
    expect(left).toEqual([{ label: 'Secrets', place: 'Keychain', reason: 'No bus.' }])
  })

  it("keeps the secrets of a server that couldn't be turned on again in its app file", async () => {
    const keychain = await keychainWith('one/a', 'sign-in/one', 'host-backups/7', 'agent/anna')
    const owners = { ...OWNERS.texts, agents: ['["anna"]'], hosts: ['["7"]'] }
    const secrets = secretsOver(keychain, { kind: 'keychain' }, { ...OWNERS, texts: owners })
    const { removed, left } = await secrets.remove(true)
    expect(removed).toEqual(['Key of the agent anna', 'Sign-in of one'])
    expect(left.map(({ place }) => place)).toEqual(['host-backups/7', 'one/a'])
    expect(left[0]?.reason).toContain('only copy')
    expect(await keychain.keys()).toEqual(['one/a', 'host-backups/7'])
    expect((await secrets.remove(false)).left).toEqual([])
    expect(await keychain.keys()).toEqual([])
  })

  it('skips secrets in memory, which end with the process', async () => {
    const secrets = secretsOver(await keychainWith('one/a'), {
      kind: 'memory',
      reason: 'None.',
      fix: '',
    })
    expect(await secrets.read()).toEqual({ own: [], others: 0 })
    expect(await secrets.remove(false)).toEqual({ removed: [], left: [] })
  })
})
