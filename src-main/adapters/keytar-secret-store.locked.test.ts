import { afterAll, describe, expect, it } from 'vitest'

import { startSecretService } from '../../e2e/fixtures/secret-service'
import { SecretVault } from '../core/secrets/secret-vault'
import { loadKeytar } from './keytar-secret-store'

const secretService = await startSecretService({ locked: true })

describe('A2: a real, locked keyring', () => {
  if ('unavailable' in secretService) {
    it.skip(`was not tried: ${secretService.unavailable}`)
    return
  }
  process.env.DBUS_SESSION_BUS_ADDRESS = secretService.env.DBUS_SESSION_BUS_ADDRESS
  afterAll(() => secretService.stop())

  it('is replaced by memory for this run, with a reason', async () => {
    const vault = new SecretVault({
      load: () => loadKeytar('Patchbay test'),
      probeTimeoutMs: 2_000,
    })
    await vault.ready
    expect(vault.state).toMatchObject({
      kind: 'memory',
      fix: expect.stringMatching(/nlock.* [Tt]hen start Patchbay again/) as string,
    })
    await vault.set('a', 'in memory')
    expect(await vault.get('a')).toBe('in memory')
    expect(await secretService.lookup('Patchbay test', 'a')).toBeNull()
  })
})
