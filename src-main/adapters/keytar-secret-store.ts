import type { Keychain } from '../core/ports'
import { splitSecrets } from '../core/secrets/split-secrets'

/** Counts running keychain calls: the process can't exit in order before they end. */
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
 * The system's keychain. `service` names its entries there; PATCHBAY_KEYCHAIN_SERVICE replaces it, so that a test run leaves the user's
 * own entries alone. Rejects if the native library can't be loaded (on Linux it needs libsecret).
 */
export async function loadKeytar(
  service = process.env.PATCHBAY_KEYCHAIN_SERVICE ?? 'Patchbay',
  calls: KeychainCalls = new KeychainCalls(),
): Promise<Keychain> {
  // Imported here, so that the app starts without the system library.
  const { default: keytar } = await import('keytar')
  return splitSecrets({
    get: (key) => calls.run(() => keytar.getPassword(service, key)),
    set: (key, value) => calls.run(() => keytar.setPassword(service, key, value)),
    delete: (key) => calls.run(() => keytar.deletePassword(service, key)),
    keys: () =>
      calls.run(async () => (await keytar.findCredentials(service)).map(({ account }) => account)),
  })
}
