import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { SecretBackend } from '../ports'
import { ownKeys, secretName, sharedName } from './secret-keys'

/** The secrets of an installation by field; what is nowhere to be found is left out. Rejects with SECRET_STORE_FAILED. */
export async function readSecrets(
  secrets: SecretBackend,
  installation: Installation,
): Promise<Map<string, string>> {
  const { installationId, sharedSecrets } = installation
  const names = [
    ...ownKeys(installation).map((key) => [key, secretName(installationId, key)] as const),
    ...Object.entries(sharedSecrets).map(([key, id]) => [key, sharedName(id)] as const),
  ]
  const found = new Map<string, string>()
  for (const [key, name] of names) {
    const value = await secrets.get(name)
    if (value !== null) found.set(key, value)
  }
  return found
}
