import type { Keychain } from '../core/ports'
import { splitSecrets } from '../core/secrets/split-secrets'

/**
 * The keychain of the operating system. `service` is the name under which its entries are listed there;
 * PATCHBAY_KEYCHAIN_SERVICE replaces it, so that a trial run leaves the person's own entries alone. Rejects where the native library cannot be loaded (on Linux it needs libsecret).
 */
export async function loadKeytar(
  service = process.env.PATCHBAY_KEYCHAIN_SERVICE ?? 'Patchbay',
): Promise<Keychain> {
  // Imported here: a missing system library must not keep the app from starting.
  const { default: keytar } = await import('keytar')
  return splitSecrets({
    get: (key) => keytar.getPassword(service, key),
    set: (key, value) => keytar.setPassword(service, key, value),
    delete: (key) => keytar.deletePassword(service, key),
    keys: async () => (await keytar.findCredentials(service)).map(({ account }) => account),
  })
}
