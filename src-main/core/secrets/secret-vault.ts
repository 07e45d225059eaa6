import { AppError } from '../../../src-shared/domain/app-error'
import type { SecretStoreState } from '../../../src-shared/domain/state/app-state'
import { Emitter } from '../lifecycle/emitter'
import type { Keychain } from '../ports'
import { guardedBackend } from './guarded-backend'
import { memoryBackend } from './memory-backend'
import { probeKeychain } from './probe-keychain'

/** Where secrets live in this run; calls that come while the keychain is being checked wait for the outcome. */
export type SecretVault = Keychain & {
  readonly state: SecretStoreState
  readonly onDidChangeState: (listener: (state: SecretStoreState) => void) => Disposable
  /** Resolves when the check is over, whatever its outcome; never rejects. */
  readonly ready: Promise<void>
}

/** Times are in ms. */
export type SecretVaultOptions = {
  /** Loads the keychain; a rejection means that there is none. */
  readonly load: () => Promise<Keychain>
  readonly callTimeoutMs?: number
  readonly probeTimeoutMs?: number
}

/**
 * Returns at once and checks the keychain behind the caller's back. One that is missing, locked or
 * hanging is replaced by memory for this run; nothing is ever written to disk in clear.
 */
export function openSecretVault(options: SecretVaultOptions): SecretVault {
  const { load, callTimeoutMs = 4_000, probeTimeoutMs = callTimeoutMs } = options
  const changed = new Emitter<SecretStoreState>()
  let state: SecretStoreState = { kind: 'checking' }

  const backend = probeKeychain(load, probeTimeoutMs).then((found) => {
    const works = 'backend' in found
    state = works ? { kind: 'keychain' } : { kind: 'memory', ...found }
    changed.emit(state)
    return works ? guardedBackend(found.backend, callTimeoutMs) : memoryBackend()
  })

  return {
    get state() {
      return state
    },
    onDidChangeState: changed.event,
    ready: backend.then(() => undefined),
    get: async (key) => (await backend).get(key),
    set: async (key, value) => {
      if (value === '') {
        throw new AppError('SECRET_STORE_FAILED', 'An empty secret can’t be saved.', {
          hint: 'Enter a value, or remove the secret.',
        })
      }
      await (await backend).set(key, value)
    },
    delete: async (key) => (await backend).delete(key),
    keys: async () => (await backend).keys(),
  }
}
