import { describe, expect, it } from 'vitest'

import { withEnvironmentSecrets } from './environment-secrets'
import { memoryBackend } from './secret-vault'

describe('A7: a secret from an environment variable', () => {
  it('is read at each request, and missing if the variable is empty or unset', async () => {
    const environment = new Map([
      ['KEY', 'one'],
      ['EMPTY', ''],
    ])
    const store = withEnvironmentSecrets(memoryBackend(), (name) =>
      Promise.resolve(environment.get(name)),
    )
    expect(await store.get('environment/KEY')).toBe('one')
    environment.set('KEY', 'two')
    expect(await store.get('environment/KEY')).toBe('two')
    for (const name of ['EMPTY', 'MISSING', 'constructor'])
      expect(await store.get(`environment/${name}`)).toBeNull()
  })

  it('is never written, and leaves other secrets to the store', async () => {
    const inner = memoryBackend()
    const store = withEnvironmentSecrets(inner, () => Promise.resolve(undefined))
    await store.set('id/key', 'value')
    expect(await inner.get('id/key')).toBe('value')
    await expect(store.set('environment/KEY', 'x')).rejects.toThrow(/not Patchbay's/)
    await expect(store.delete('environment/KEY')).rejects.toThrow(/not Patchbay's/)
    expect(await store.delete('id/key')).toBe(true)
  })
})
