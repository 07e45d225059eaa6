import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { tempFolder } from '../../e2e/fixtures/temp-folder'
import { agentSecretName } from '../core/gateway/agents/agent-secret-name'
import { SECRETS_FILE, SecretsFile } from '../core/secrets/secrets-file'
import { missingBus, storedKey } from './run-bridge'

describe('D6: the bridge of an app that passes no variables', () => {
  it("finds the session bus at systemd's path if nothing else names it", () => {
    const folder = tempFolder('bus')
    const platform = 'linux'
    expect(missingBus(platform, {}, folder)).toEqual({})
    writeFileSync(join(folder, 'bus'), '')
    const led = { XDG_RUNTIME_DIR: folder }
    expect(missingBus(platform, {}, folder)).toEqual(led)
    expect(missingBus(platform, { XDG_RUNTIME_DIR: '' }, folder)).toEqual(led)
    expect(missingBus(platform, { XDG_RUNTIME_DIR: '/x' }, folder)).toEqual({})
    expect(missingBus(platform, { DBUS_SESSION_BUS_ADDRESS: 'x' }, folder)).toEqual({})
    expect(missingBus('darwin', {}, folder)).toEqual({})
  })
})

describe('E16: the bridge without a keychain', () => {
  it('reads its key from the encrypted file that PATCHBAY_PASSPHRASE opens', async () => {
    const folder = tempFolder('keys')
    const secrets = [[agentSecretName('anna'), 'pb_key']] as const
    await SecretsFile.create(join(folder, SECRETS_FILE), 'seven calm otters sing', secrets)
    const env = { PATCHBAY_PASSPHRASE: 'seven calm otters sing' }
    expect(await storedKey(folder, 'anna', env)).toBe('pb_key')
    expect(await storedKey(folder, 'berta', env)).toBeNull()
    await expect(
      storedKey(folder, 'anna', { PATCHBAY_PASSPHRASE: 'another one entirely' }),
    ).rejects.toThrow('The passphrase is wrong')
  })
})
