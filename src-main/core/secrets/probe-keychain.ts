import { randomUUID } from 'node:crypto'

import { seconds, TimeLimitError, withTimeLimit } from '../lifecycle/time-limit'
import type { Keychain } from '../ports'
import { describeFailure } from './guarded-backend'

const UNLOCK = 'Unlock it, then start Patchbay again.'

/**
 * Finds out whether a keychain works by storing, reading and deleting a random value. Only a round trip
 * tells: a locked keychain and a missing one both read as "no such secret". Each step has `limitMs`.
 */
export async function probeKeychain(
  load: () => Promise<Keychain>,
  limitMs: number,
): Promise<{ backend: Keychain } | { reason: string }> {
  let backend: Keychain
  try {
    backend = await withTimeLimit(limitMs, load)
  } catch (error) {
    return {
      reason:
        `The keychain library could not be loaded (${describeFailure(error)}). ` +
        'On Linux, install libsecret (Debian and Ubuntu: libsecret-1-0), then start Patchbay again.',
    }
  }
  try {
    return (await roundTrip(backend, limitMs))
      ? { backend }
      : { reason: `The keychain did not give back what was stored in it. ${UNLOCK}` }
  } catch (error) {
    return { reason: reasonOf(error) }
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

function reasonOf(error: unknown): string {
  if (error instanceof TimeLimitError) {
    return (
      `The keychain did not answer within ${seconds(error.limitMs)}. ` +
      `It may be locked and waiting for its password. ${UNLOCK}`
    )
  }
  return (
    `The keychain could not be used (${describeFailure(error)}). ` +
    'Check that a keychain (on Linux GNOME Keyring, KWallet or another Secret Service) is running and unlocked, then start Patchbay again.'
  )
}
