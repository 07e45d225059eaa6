import type { Keychain } from '../ports'

/** Keeps secrets until the process ends, and nowhere else. */
export function memoryBackend(): Keychain {
  const secrets = new Map<string, string>()
  return {
    get: (key) => Promise.resolve(secrets.get(key) ?? null),
    set: (key, value) => {
      secrets.set(key, value)
      return Promise.resolve()
    },
    delete: (key) => Promise.resolve(secrets.delete(key)),
    keys: () => Promise.resolve([...secrets.keys()]),
  }
}
