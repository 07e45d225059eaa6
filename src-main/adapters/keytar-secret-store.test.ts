import { afterAll, describe, expect, it } from 'vitest'

import { startSecretService } from '../../e2e/fixtures/secret-service'
import { SecretVault } from '../core/secrets/secret-vault'
import { loadKeytar } from './keytar-secret-store'

// libsecret connects once per process, so each state of the keyring has its own test file.
const SERVICE = 'Patchbay test'
const secretService = await startSecretService()

describe('A2: a real, unlocked keyring', () => {
  if ('unavailable' in secretService) {
    it.skip(`was not tried: ${secretService.unavailable}`)
    return
  }
  process.env.DBUS_SESSION_BUS_ADDRESS = secretService.env.DBUS_SESSION_BUS_ADDRESS
  afterAll(() => secretService.stop())

  it('stores a secret that another process finds, and deletes it', async () => {
    const vault = new SecretVault({ load: () => loadKeytar(SERVICE) })
    await vault.ready
    expect(vault.state).toEqual({ kind: 'keychain' })
    const value = 'sécret "quoted"\n$(line 2) 🔑'
    await vault.set('id-1/env:TOKEN', value)
    expect(await vault.get('id-1/env:TOKEN')).toBe(value)
    expect(await vault.keys()).toEqual(['id-1/env:TOKEN'])
    expect(await secretService.lookup(SERVICE, 'id-1/env:TOKEN')).toBe(value)
    expect(await vault.delete('id-1/env:TOKEN')).toBe(true)
    expect(await vault.delete('id-1/env:TOKEN')).toBe(false)
    expect(await vault.get('id-1/env:TOKEN')).toBeNull()
    expect(await vault.keys()).toEqual([])
    expect(await secretService.lookup(SERVICE, 'id-1/env:TOKEN')).toBeNull()
  })

  it('stores 8 KB in several entries, lists one key, and deletes all of them', async () => {
    const vault = new SecretVault({ load: () => loadKeytar(`${SERVICE} parts`) })
    const { default: keytar } = await import('keytar')
    const value = 'tökens 🔑 '.repeat(820)
    await vault.set('id-1/env:KEY', value)
    expect(await vault.get('id-1/env:KEY')).toBe(value)
    expect(await vault.keys()).toEqual(['id-1/env:KEY'])
    const entries = await keytar.findCredentials(`${SERVICE} parts`)
    expect(entries.length).toBeGreaterThan(1)
    for (const { password } of entries)
      expect(Buffer.byteLength(password)).toBeLessThanOrEqual(2_560)
    await vault.set('id-1/env:KEY', 'shorter')
    expect(await vault.get('id-1/env:KEY')).toBe('shorter')
    expect(await vault.delete('id-1/env:KEY')).toBe(true)
    expect(await keytar.findCredentials(`${SERVICE} parts`)).toEqual([])
  })

  it('keeps no test value of the check', async () => {
    const vault = new SecretVault({ load: () => loadKeytar(`${SERVICE} probe`) })
    await vault.ready
    expect(vault.state).toEqual({ kind: 'keychain' })
    const { default: keytar } = await import('keytar')
    expect(await keytar.findCredentials(`${SERVICE} probe`)).toEqual([])
  })
})
