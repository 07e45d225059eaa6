import type { InstallationService } from '../../../core/installation/installation-service'
import type { SecretVault } from '../../../core/secrets/secret-vault'
import type { Handlers } from '../../answer'

export type SecretParts = {
  readonly installations: InstallationService
  readonly vault: Pick<SecretVault, 'unlock' | 'encrypt' | 'deleteFile'>
}

/** Answers what concerns stored secrets; no answer holds a value. */
export function secretHandlers({
  installations: { stored },
  vault,
}: SecretParts): Pick<Handlers, Extract<keyof Handlers, `secret.${string}`>> {
  return {
    'secret.create': async ({ name, value }) => {
      const { secretId } = await stored.create(name, value)
      return { secretId }
    },
    'secret.rename': ({ secretId, name }) => stored.rename(secretId, name),
    'secret.rotate': async ({ secretId, value }) => {
      await stored.rotate(secretId, value)
    },
    'secret.remove': ({ secretId, evenIfUsed }) => stored.remove(secretId, evenIfUsed),
    'secret.share': async ({ installationId, fieldKey, name }) => {
      const { secretId } = await stored.share(installationId, fieldKey, name)
      return { secretId }
    },
    'secret.findEmpty': () => stored.findEmpty(),
    'secret.unlock': ({ passphrase }) => vault.unlock(passphrase),
    'secret.encrypt': ({ passphrase }) => vault.encrypt(passphrase),
    'secret.deleteFile': () => vault.deleteFile(),
  }
}
