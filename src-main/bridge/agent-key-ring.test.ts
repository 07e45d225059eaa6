import { describe, expect, it, vi } from 'vitest'

import { AgentKeyRing } from './agent-key-ring'

function ring(lookUp: () => Promise<string | null>, given?: string): AgentKeyRing {
  return new AgentKeyRing({ agentId: 'anna', given, lookUp })
}

const saying = (words: string): object => ({
  kind: 'refused',
  message: expect.stringContaining(words) as string,
})

describe('D6 the key of an agent for its bridge', () => {
  it('is looked up once, and anew after it may be another', async () => {
    const found = ['pb_1', 'pb_2']
    const keys = ring(() => Promise.resolve(found.shift() ?? null))
    expect([await keys.read(), await keys.read()]).toEqual(['pb_1', 'pb_1'])
    keys.forget()
    expect(await keys.read()).toBe('pb_2')
  })

  it('is the one that is given, without a look into the keychain', async () => {
    const lookUp = vi.fn(() => Promise.resolve('pb_other'))
    expect(await ring(lookUp, 'pb_given').read()).toBe('pb_given')
    expect(lookUp).not.toHaveBeenCalled()
  })

  it('is told to be missing where the keychain has none, or does not open', async () => {
    const none = ring(() => Promise.resolve(null))
    await expect(none.read()).rejects.toMatchObject(saying('has no key for agent "anna"'))
    const broken = ring(() => Promise.reject(new Error('No such interface')))
    await expect(broken.read()).rejects.toMatchObject(
      saying('anna" from the keychain: No such interface. Unlock'),
    )
  })

  it('is not waited for without end', async () => {
    vi.useFakeTimers()
    try {
      const refused = expect(ring(() => new Promise(() => undefined)).read()).rejects.toMatchObject(
        saying('the keychain did not respond'),
      )
      await vi.advanceTimersByTimeAsync(4_000)
      await refused
    } finally {
      vi.useRealTimers()
    }
  })

  it('that is refused is not shown, nor the keychain asked, until some time has passed', async () => {
    vi.useFakeTimers()
    try {
      const found = ['pb_1', 'pb_2']
      const lookUp = vi.fn(() => Promise.resolve(found.shift() ?? null))
      const keys = ring(lookUp)
      await keys.read()
      expect(keys.refused()).toMatchObject(saying('rejected the key of agent "anna"'))
      await vi.advanceTimersByTimeAsync(9_000)
      await expect(keys.read()).rejects.toMatchObject(saying('rejected the key'))
      expect(lookUp).toHaveBeenCalledTimes(1)
      await vi.advanceTimersByTimeAsync(1_001)
      expect(await keys.read()).toBe('pb_2')
    } finally {
      vi.useRealTimers()
    }
  })
})
