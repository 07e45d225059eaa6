import type { Keychain } from '../core/ports'
import { splitSecrets } from '../core/secrets/split-secrets'

/** Counts the calls to the keychain that are under way: the process can't end in order before they do. */
export class KeychainCalls {
  #open = 0

  get isOpen(): boolean {
    return this.#open > 0
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    this.#open += 1
    try {
      return await call()
    } finally {
      this.#open -= 1
    }
  }
}

/**
 * The keychain of the operating system. `service` is the name under which its entries are listed there;
 * PATCHBAY_KEYCHAIN_SERVICE replaces it, so that a run run leaves the user's own entries alone. Rejects where the native library cannot be loaded (on Linux it needs libsecret).
 */
export async function loadKeytar(
  service = process.env.PATCHBAY_KEYCHAIN_SERVICE ?? 'Patchbay',
  calls: KeychainCalls = new KeychainCalls(),
): Promise<Keychain> {
  // Imported here: a missing system library must not keep the app from starting.
  const { default: keytar } = await import('keytar')
  return splitSecrets({
    get: (key) => calls.run(() => keytar.getPassword(service, key)),
    set: (key, value) => calls.run(() => keytar.setPassword(service, key, value)),
    delete: (key) => calls.run(() => keytar.deletePassword(service, key)),
    keys: () =>
      calls.run(async () => (await keytar.findCredentials(service)).map(({ account }) => account)),
  })
}
