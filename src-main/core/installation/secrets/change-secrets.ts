import type { SecretBackend } from '../../ports'

/** What each key shall hold; null deletes. */
export type SecretChanges = ReadonlyMap<string, string | null>

/**
 * Changes secrets and what refers to them as one: when a step or `commit` fails, what was there before
 * is put back, as far as the store of secrets lets it, and the failure is passed on.
 */
export async function changeSecrets(
  secrets: SecretBackend,
  changes: SecretChanges,
  commit: () => void,
): Promise<void> {
  const before = new Map<string, string | null>()
  try {
    for (const [key, value] of changes) {
      before.set(key, await secrets.get(key))
      await put(secrets, key, value)
    }
    commit()
  } catch (error) {
    const back = [...before].map(([key, value]) => put(secrets, key, value))
    await Promise.allSettled(back)
    throw error
  }
}

async function put(secrets: SecretBackend, key: string, value: string | null): Promise<void> {
  if (value === null) await secrets.delete(key)
  else await secrets.set(key, value)
}
