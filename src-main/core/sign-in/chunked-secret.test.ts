import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { SecretBackend } from '../ports'
import { memoryBackend } from '../secrets/memory-backend'
import { ChunkedSecret } from './chunked-secret'

/** What Windows takes an entry, with two bytes for each character. */
const MOST_BYTES = 2_560

/** A keychain that limits an entry, can be counted, and ends after some calls as a crash does. */
function limitedBackend(): SecretBackend & {
  readonly kept: Map<string, string>
  callsLeft: number
} {
  const kept = new Map<string, string>()
  const call = <T>(run: () => T): Promise<T> => {
    if (backend.callsLeft <= 0) return Promise.reject(new Error('it crashed'))
    backend.callsLeft -= 1
    return Promise.resolve(run())
  }
  const backend = {
    kept,
    callsLeft: Infinity,
    get: (key: string) => call(() => kept.get(key) ?? null),
    set: (key: string, value: string) => {
      if (Buffer.byteLength(value, 'utf16le') > MOST_BYTES)
        return Promise.reject(new Error('the entry is too long'))
      return call(() => void kept.set(key, value))
    },
    delete: (key: string) => call(() => kept.delete(key)),
  }
  return backend
}

describe('C10: a secret in a keychain that limits an entry', () => {
  it.each([1, 1_200, 1_201, 8_192, 40_000])(
    'of %i characters is read as it was written',
    async (length) => {
      const secret = new ChunkedSecret(limitedBackend(), 'key')
      const value = 'x'.repeat(length)
      await secret.write(value)
      expect(await secret.read()).toBe(value)
    },
  )

  it('may have any characters, and leaves nothing when it is deleted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3_000, size: 'max' }), {
          minLength: 1,
          maxLength: 4,
        }),
        async (values) => {
          const backend = limitedBackend()
          const secret = new ChunkedSecret(backend, 'key')
          for (const value of values) {
            await secret.write(value)
            expect(await secret.read()).toBe(value)
          }
          await secret.delete()
          expect(backend.kept.size).toBe(0)
          expect(await secret.read()).toBeUndefined()
        },
      ),
      { numRuns: 40 },
    )
  })

  it('is the old or the new one wherever a write is interrupted, never a part, and the next write clears up', async () => {
    const [old, next] = ['o'.repeat(4_000), 'n'.repeat(2_000)]
    const seen = new Set<string | undefined>()
    for (let calls = 0; ; calls += 1) {
      const backend = limitedBackend()
      const secret = new ChunkedSecret(backend, 'key')
      await secret.write(old)
      backend.callsLeft = calls
      const isDone = await secret.write(next).then(
        () => true,
        () => false,
      )
      backend.callsLeft = Infinity
      const found = await secret.read()
      expect([old, next]).toContain(found)
      seen.add(found)
      await secret.write('last')
      expect(await secret.read()).toBe('last')
      expect(backend.kept.size).toBe(2)
      if (isDone) break
    }
    expect(seen).toEqual(new Set([old, next]))
  })

  it('is none where it was changed by somebody else', async () => {
    const backend = memoryBackend()
    const secret = new ChunkedSecret(backend, 'key')
    await secret.write('s'.repeat(3_000))
    await backend.set('key/b1', 'other')
    await backend.set('key/a1', 'other')
    expect(await secret.read()).toBeUndefined()
    await backend.set('key', 'no head')
    expect(await secret.read()).toBeUndefined()
  })
})
