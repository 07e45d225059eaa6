import type { SecretBackend } from '../ports'
import { namesOf, type SecretHolder } from './secret-keys'

/** Secrets by field, of one kind where that is said; what is nowhere to be found is left out. Rejects with SECRET_STORE_FAILED. */
export async function readSecrets(
  backend: SecretBackend,
  holder: SecretHolder,
  kind?: 'kept',
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const [key, name] of namesOf(holder, kind)) {
    const value = await backend.get(name)
    if (value !== null) found.set(key, value)
  }
  return found
}
