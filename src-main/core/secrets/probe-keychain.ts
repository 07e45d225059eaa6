import { randomUUID } from 'node:crypto'

import type { SecretStoreState } from '../../../src-shared/domain/state/app-state'
import { seconds, TimeLimitError, withTimeLimit } from '../lifecycle/time-limit'
import type { Keychain } from '../ports'
import { describeFailure } from './guarded-backend'

const UNLOCK = 'Unlock it, then start Patchbay again.'

/** Why there is no keychain, and what mends that. */
type NoKeychain = Omit<Extract<SecretStoreState, { readonly kind: 'memory' }>, 'kind'>

/**
 * Finds out whether a keychain works by storing, reading and deleting a random value. Only a round trip
 * tells: a locked keychain and a missing one both read as "no such secret". Each step has `limitMs`.
 */
export async function probeKeychain(
  load: () => Promise<Keychain>,
  limitMs: number,
): Promise<{ backend: Keychain } | NoKeychain> {
  let backend: Keychain
  try {
    backend = await withTimeLimit(limitMs, load)
  } catch (error) {
    return {
      reason: 'The keychain library couldn’t be loaded.',
      mend: 'On Linux, install libsecret (libsecret-1-0 on Debian and Ubuntu), then start Patchbay again.',
      said: describeFailure(error),
    }
  }
  try {
    return (await roundTrip(backend, limitMs))
      ? { backend }
      : { reason: 'The keychain did not return the stored test value.', mend: UNLOCK }
  } catch (error) {
    return reasonOf(error)
  }
}

async function roundTrip(backend: Keychain, limitMs: number): Promise<boolean> {
  const key = `probe/${randomUUID()}`
  const value = randomUUID()
  const stored = backend.set(key, value)
  try {
    await withTimeLimit(limitMs, () => stored)
    const read = await withTimeLimit(limitMs, () => backend.get(key))
    const deleted = await withTimeLimit(limitMs, () => backend.delete(key))
    return read === value && deleted
  } catch (error) {
    // A person who unlocks the keychain after the limit lets the write through.
    void stored.then(() => backend.delete(key)).catch(() => false)
    throw error
  }
}

function reasonOf(error: unknown): NoKeychain {
  if (error instanceof TimeLimitError) {
    const waited = seconds(error.limitMs)
    return {
      reason: `The keychain did not respond within ${waited}. It may be locked.`,
      mend: UNLOCK,
    }
  }
  return {
    reason: 'The keychain can’t be used.',
    mend: 'Check that a keychain (on Linux GNOME Keyring, KWallet, or another Secret Service) is running and unlocked. Then start Patchbay again.',
    said: describeFailure(error),
  }
}
