import type { SecretBackend } from '../ports'
import { type SecretHolder, secretName } from './secret-keys'

/** The secrets of an installation by field; what is nowhere to be found is left out. Rejects with SECRET_STORE_FAILED. */
export async function readSecrets(
  backend: SecretBackend,
  { installationId, secrets }: SecretHolder,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const [key, place] of Object.entries(secrets)) {
    const value = await backend.get(secretName(installationId, key, place))
    if (value !== null) found.set(key, value)
  }
  return found
}
