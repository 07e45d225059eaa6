import { describe, expect, it } from 'vitest'

import { AppError } from '../../../src-shared/domain/app-error'
import type { SecretStoreState } from '../../../src-shared/domain/state/app-state'
import type { Keychain } from '../ports'
import { memoryBackend, SecretVault } from './secret-vault'

const never = <T>(): Promise<T> => new Promise(() => undefined)

/** A working keychain; `broken` replaces some of its calls. */
function keychain(broken: Partial<Keychain> = {}): Keychain {
  return { ...memoryBackend(), ...broken }
}

async function open(backend: Keychain, callTimeoutMs = 50) {
  const vault = new SecretVault({ load: () => Promise.resolve(backend), callTimeoutMs })
  await vault.ready
  return vault
}

describe('A2: the keychain check at start', () => {
  it('finds a working keychain, and leaves nothing in it', async () => {
    const left = new Map<string, string>()
    const vault = await open({
      get: (key) => Promise.resolve(left.get(key) ?? null),
      set: (key, value) => Promise.resolve(void left.set(key, value)),
      delete: (key) => Promise.resolve(left.delete(key)),
      keys: () => Promise.resolve([...left.keys()]),
    })
    expect(vault.state).toEqual({ kind: 'keychain' })
    expect(left.size).toBe(0)
  })

  it('lets the vault open immediately and makes a read wait for the outcome', async () => {
    const gate = Promise.withResolvers<Keychain>()
    const vault = new SecretVault({ load: () => gate.promise, callTimeoutMs: 1_000 })
    const received: SecretStoreState[] = []
    vault.onDidChangeState((state) => received.push(state))
    expect(vault.state).toEqual({ kind: 'checking' })
    const read = vault.get('a')
    const backend = keychain()
    await backend.set('a', 'early')
    gate.resolve(backend)
    expect(await read).toBe('early')
    expect(received).toEqual([{ kind: 'keychain' }])
  })

  it.each<[string, () => Promise<Keychain>, [string, string | undefined]]>([
    [
      'whose library is missing',
      () => Promise.reject(new Error('no such library')),
      ['couldn’t be loaded.', 'no such library'],
    ],
    [
      'whose library throws synchronously',
      () => {
        throw new Error('bad image')
      },
      ['couldn’t be loaded.', 'bad image'],
    ],
    [
      'that hangs while saving',
      () => Promise.resolve(keychain({ set: never })),
      ['did not respond within 0.05 seconds.', undefined],
    ],
    [
      'that hangs while reading',
      () => Promise.resolve(keychain({ get: never })),
      ['did not respond within 0.05 seconds.', undefined],
    ],
    [
      'that hangs while deleting',
      () => Promise.resolve(keychain({ delete: never })),
      ['did not respond within 0.05 seconds.', undefined],
    ],
    [
      'that hangs while loading',
      never<Keychain>,
      ['couldn’t be loaded.', 'No response within 0.05 seconds'],
    ],
    [
      'that rejects saving',
      () => Promise.resolve(keychain({ set: () => Promise.reject(new Error('is locked.')) })),
      ['can’t be used.', 'is locked'],
    ],
    [
      'that forgets',
      () => Promise.resolve(keychain({ get: () => Promise.resolve(null) })),
      ['did not return the stored test value.', undefined],
    ],
  ])(
    'falls back to memory with a reason for a keychain %s',
    async (_what, load, [reason, systemMessage]) => {
      const vault = new SecretVault({ load, callTimeoutMs: 50 })
      await vault.ready
      // The library's message is kept apart from Patchbay's own.
      expect(vault.state).toEqual({
        kind: 'memory',
        reason: expect.stringContaining(reason) as string,
        fix: expect.stringMatching(/hen start Patchbay again\.$/u) as string,
        ...(systemMessage === undefined ? {} : { systemMessage }),
      })
      await vault.set('a', 'kept for this run')
      expect(await vault.get('a')).toBe('kept for this run')
      expect(await vault.delete('a')).toBe(true)
      expect(await vault.get('a')).toBeNull()
    },
  )

  it('deletes its test value if an unlocked keychain writes it late', async () => {
    const unlocked = Promise.withResolvers<undefined>()
    const deleted: string[] = []
    const vault = await open(
      keychain({
        set: () => unlocked.promise,
        delete: (key) => Promise.resolve(deleted.push(key) > 0),
      }),
    )
    expect(vault.state.kind).toBe('memory')
    expect(deleted).toEqual([])
    unlocked.resolve(undefined)
    await expect.poll(() => deleted).toEqual([expect.stringMatching(/^probe\//)])
  })
})

describe('A2: a keychain that fails later', () => {
  it.each([
    ['get', 'Reading a secret from the keychain'],
    ['set', 'Saving a secret to the keychain'],
    ['delete', 'Deleting a secret from the keychain'],
  ] as const)('rejects a hanging %s and names the action', async (call, tried) => {
    const backend = keychain()
    const vault = await open(backend)
    backend[call] = never
    const failed = await vault[call]('a', 'secret-value').catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(AppError)
    expect(failed).toMatchObject({
      code: 'SECRET_STORE_FAILED',
      message: `${tried} timed out after 0.05 seconds.`,
      hint: expect.stringContaining('Unlock it') as string,
    })
  })

  it("doesn't repeat the value if the keychain's error quotes it", async () => {
    const backend = keychain()
    const vault = await open(backend)
    backend.set = (_key, value) => Promise.reject(new Error(`cannot store ${value}`))
    const failed = await vault.set('a', 'hunter2').catch((error: unknown) => error)
    expect(failed).toMatchObject({ message: expect.stringContaining('••••') as string })
    expect(JSON.stringify(failed, Object.getOwnPropertyNames(failed))).not.toContain('hunter2')
  })

  it.each([
    ['a new secret', null, ['set new-value', 'delete']],
    ['a changed secret', 'old-value', ['set new-value', 'set old-value']],
  ])('undoes %s that succeeds after its limit', async (_what, before, expected) => {
    const held = memoryBackend()
    const made: string[] = []
    const unlocked = Promise.withResolvers<undefined>()
    const backend = keychain({ ...held })
    const vault = await open(backend)
    if (before !== null) await held.set('a', before)
    backend.set = async (key, value) => {
      await unlocked.promise
      made.push(`set ${value}`)
      await held.set(key, value)
    }
    backend.delete = (key) => {
      made.push('delete')
      return held.delete(key)
    }
    await expect(vault.set('a', 'new-value')).rejects.toMatchObject({
      code: 'SECRET_STORE_FAILED',
    })
    unlocked.resolve(undefined)
    await expect.poll(() => made).toEqual(expected)
    expect(await held.get('a')).toBe(before)
  })

  it('writes nothing if reading the old value used up the time limit', async () => {
    const backend = keychain()
    const vault = await open(backend)
    const found = Promise.withResolvers<string | null>()
    const made: string[] = []
    backend.get = (key) => {
      made.push(`get ${key}`)
      return key === 'a' ? found.promise : Promise.resolve(null)
    }
    backend.set = (key) => Promise.resolve(void made.push(`set ${key}`))
    await expect(vault.set('a', 'late')).rejects.toMatchObject({ code: 'SECRET_STORE_FAILED' })
    found.resolve(null)
    await vault.get('b')
    expect(made).toEqual(['get a', 'get b'])
  })

  it('runs one call at a time, and none that timed out in the queue', async () => {
    const backend = keychain()
    const vault = await open(backend)
    const answers = Promise.withResolvers<string | null>()
    const calls: string[] = []
    backend.get = (key) => {
      calls.push(key)
      return answers.promise
    }
    const failed = await Promise.allSettled(['a', 'b', 'c'].map((key) => vault.get(key)))
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    answers.resolve('late')
    expect(await vault.get('d')).toBe('late')
    expect(calls).toEqual(['a', 'd'])
  })
})

it('rejects an empty secret', async () => {
  const vault = await open(keychain())
  await expect(vault.set('a', '')).rejects.toMatchObject({ code: 'SECRET_STORE_FAILED' })
})
