import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { Keychain } from '../ports'
import { splitSecrets } from './split-secrets'

/** Windows's limit for one entry. */
const MAX_BYTES = 2_560

/** A keychain that limits entries as Windows does, and fails after some calls as in a crash. */
function limitedKeychain(): Keychain & {
  readonly entries: Map<string, string>
  callsLeft: number
} {
  const entries = new Map<string, string>()
  const call = <T>(run: () => T): Promise<T> => {
    if (keychain.callsLeft <= 0) return Promise.reject(new Error('it crashed'))
    keychain.callsLeft -= 1
    return Promise.resolve(run())
  }
  const keychain = {
    entries,
    callsLeft: Infinity,
    get: (key: string) => call(() => entries.get(key) ?? null),
    set: (key: string, value: string) => {
      if (Buffer.byteLength(value) > MAX_BYTES)
        return Promise.reject(new Error('The stub received bad data'))
      return call(() => void entries.set(key, value))
    },
    delete: (key: string) => call(() => entries.delete(key)),
    keys: () => call(() => [...entries.keys()]),
  }
  return keychain
}

describe('A2: a secret in a keychain with an entry limit', () => {
  it.each([1, 2_560, 2_561, 8_192, 40_000])('of %i bytes is read as written', async (length) => {
    const keychain = limitedKeychain()
    const secrets = splitSecrets(keychain)
    const value = 'x'.repeat(length)
    await secrets.set('key', value)
    expect(await secrets.get('key')).toBe(value)
    expect(await secrets.keys()).toEqual(['key'])
    expect(keychain.entries.size === 1).toBe(length <= MAX_BYTES)
  })

  it('is rejected before anything is written if it takes more than a thousand entries', async () => {
    const keychain = limitedKeychain()
    const secrets = splitSecrets(keychain)
    await secrets.set('key', 'before')
    keychain.callsLeft = 2_500
    await expect(secrets.set('key', 'x'.repeat(900_001))).rejects.toThrow('The secret is too long')
    expect([...keychain.entries]).toEqual([['key', 'before']])
    await secrets.set('key', 'x'.repeat(900_000))
    expect(keychain.entries.size).toBe(1_001)
  })

  it('is measured in UTF-8 bytes', async () => {
    const keychain = limitedKeychain()
    const secrets = splitSecrets(keychain)
    for (const value of ['é'.repeat(1_281), '🔑'.repeat(641)]) {
      await secrets.set('key', value)
      expect(await secrets.get('key')).toBe(value)
      expect(keychain.entries.size).toBeGreaterThan(1)
    }
  })

  it('can have any characters, can be replaced, and leaves no entry when deleted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3_000, size: 'max' }), {
          minLength: 1,
          maxLength: 4,
        }),
        async (values) => {
          const keychain = limitedKeychain()
          const secrets = splitSecrets(keychain)
          for (const value of values) {
            await secrets.set('key', value)
            expect(await secrets.get('key')).toBe(value)
          }
          expect(await secrets.delete('key')).toBe(true)
          expect(await secrets.delete('key')).toBe(false)
          expect(keychain.entries.size).toBe(0)
          expect(await secrets.get('key')).toBeNull()
        },
      ),
      { numRuns: 40 },
    )
  })

  it.each([
    ['a long one replaced by a shorter long one', 8_000, 4_000, 6],
    ['a long one replaced by a short one', 8_000, 10, 1],
    ['a short one replaced by a long one', 10, 8_000, 10],
  ])(
    'is the old or the new one after an interruption: %s',
    async (_what, oldLength, newLength, entries) => {
      const [old, next] = ['o'.repeat(oldLength), 'n'.repeat(newLength)]
      const seen = new Set<string | null>()
      for (let calls = 0; ; calls += 1) {
        const keychain = limitedKeychain()
        const secrets = splitSecrets(keychain)
        await secrets.set('key', old)
        keychain.callsLeft = calls
        const isDone = await secrets.set('key', next).then(
          () => true,
          () => false,
        )
        keychain.callsLeft = Infinity
        const value = await secrets.get('key')
        expect([old, next]).toContain(value)
        seen.add(value)
        expect(await secrets.keys()).toEqual(['key'])
        await secrets.set('key', next)
        expect(keychain.entries.size).toBe(entries)
        if (isDone) break
      }
      expect(seen).toEqual(new Set([old, next]))
    },
  )

  it('saved whole by an earlier version is read, and split when replaced', async () => {
    const keychain = limitedKeychain()
    const secrets = splitSecrets(keychain)
    const old = 'o'.repeat(5_000)
    keychain.entries.set('key', old)
    expect(await secrets.get('key')).toBe(old)
    await secrets.set('key', 'n'.repeat(5_000))
    expect(await secrets.get('key')).toBe('n'.repeat(5_000))
  })

  it('that looks like the head of a split one is read as written', async () => {
    const keychain = limitedKeychain()
    const secrets = splitSecrets(keychain)
    await secrets.set('long', 'x'.repeat(3_000))
    const head = keychain.entries.get('long') ?? ''
    await secrets.set('key', head)
    expect(await secrets.get('key')).toBe(head)
  })

  it('is missing if another program changed or deleted a chunk', async () => {
    const keychain = limitedKeychain()
    const secrets = splitSecrets(keychain)
    await secrets.set('key', 's'.repeat(3_000))
    keychain.entries.set('key/a1', 'other')
    expect(await secrets.get('key')).toBeNull()
    keychain.entries.delete('key/a1')
    expect(await secrets.get('key')).toBeNull()
  })

  it('lists the chunks of an interrupted first write, so that they can be deleted', async () => {
    const keychain = limitedKeychain()
    const secrets = splitSecrets(keychain)
    keychain.callsLeft = 3
    await expect(secrets.set('key', 's'.repeat(9_000))).rejects.toThrow('it crashed')
    keychain.callsLeft = Infinity
    expect(await secrets.keys()).toEqual(['key/a0', 'key/a1'])
    for (const key of await secrets.keys()) await secrets.delete(key)
    expect(keychain.entries.size).toBe(0)
  })
})
