import { describe, expect, it } from 'vitest'

import { SecretVault } from '../core/secrets/secret-vault'
import { loadKeytar } from './keytar-secret-store'

describe('A2: no session bus', () => {
  it.skipIf(process.platform !== 'linux')(
    'falls back to memory immediately, with a reason',
    async () => {
      process.env.DBUS_SESSION_BUS_ADDRESS = 'unix:path=/nonexistent/bus'
      const vault = new SecretVault({ load: () => loadKeytar('Patchbay test') })
      await vault.ready
      expect(vault.state).toMatchObject({
        kind: 'memory',
        reason: 'The keychain can’t be used.',
        systemMessage: expect.stringMatching(/./u) as string,
      })
      await vault.set('a', 'in memory')
      expect(await vault.get('a')).toBe('in memory')
    },
  )
})
