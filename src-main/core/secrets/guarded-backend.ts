import pLimit from 'p-limit'

import { AppError } from '../../../src-shared/domain/app-error'
import { errorMessage } from '../../../src-shared/domain/error-message'
import { SECRET_MASK } from '../../../src-shared/domain/installation/launch-plan'
import { seconds, TimeLimitError, withTimeLimit } from '../lifecycle/time-limit'
import type { Keychain } from '../ports'

/**
 * Limits each call of a keychain to `limitMs`, queueing included. Every rejection is an `AppError` SECRET_STORE_FAILED without the value.
 *
 * Calls run one at a time: a hanging call holds a thread of Node's pool, and four would block all file access. A call that timed out in the
 * queue is never made. A write that succeeds after its limit is undone: the caller knows that nothing is saved, so nothing would refer to
 * it.
 */
export function guardedBackend(backend: Keychain, limitMs: number): Keychain {
  const queue = pLimit(1)

  async function call<T>(
    attempt: string,
    work: (hasExpired: () => boolean) => Promise<T>,
    secret?: string,
  ): Promise<T> {
    const expiry = new AbortController()
    const hasExpired = (): boolean => expiry.signal.aborted
    try {
      return await withTimeLimit(limitMs, () =>
        queue(() =>
          hasExpired() ? Promise.reject(new TimeLimitError(limitMs)) : work(hasExpired),
        ),
      )
    } catch (error) {
      throw failure(attempt, error, secret)
    } finally {
      expiry.abort()
    }
  }

  return {
    get: (key) => call('Reading a secret from the keychain', () => backend.get(key)),
    set: (key, value) =>
      call(
        'Saving a secret to the keychain',
        (hasGivenUp) => setOrRevert(backend, key, value, hasGivenUp),
        value,
      ),
    delete: (key) => call('Deleting a secret from the keychain', () => backend.delete(key)),
    keys: () => call('Listing the secrets in the keychain', () => backend.keys()),
  }
}

/** Runs within the write's turn, so that no later call comes between. */
async function setOrRevert(
  backend: Keychain,
  key: string,
  value: string,
  hasExpired: () => boolean,
): Promise<void> {
  const before = await backend.get(key)
  // Reading may have used up the time limit: nothing is written then.
  if (hasExpired()) return
  await backend.set(key, value)
  if (!hasExpired()) return
  if (before === null) await backend.delete(key)
  else await backend.set(key, before)
}

function failure(attempt: string, cause: unknown, secret: string | undefined): AppError {
  if (cause instanceof TimeLimitError) {
    return new AppError(
      'SECRET_STORE_FAILED',
      `${attempt} timed out after ${seconds(cause.limitMs)}.`,
      { cause, hint: 'The keychain may be locked. Unlock it and try again.' },
    )
  }
  const reason = describeFailure(cause)
  // The cause is omitted: its text could repeat the value.
  return new AppError(
    'SECRET_STORE_FAILED',
    `${attempt} failed: ${secret ? reason.replaceAll(secret, SECRET_MASK) : reason}.`,
    { hint: 'Check that the keychain is running and unlocked, then try again.' },
  )
}

/** Returns the text of any thrown value, without a trailing period. */
export function describeFailure(cause: unknown): string {
  const text = errorMessage(cause)
  return text.trim().replace(/\.+$/, '') || 'unknown reason'
}
