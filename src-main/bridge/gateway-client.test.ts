import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { AgentKeyRing } from './gateway-client'

const ring = (lookUp: () => Promise<string | null>, given?: string): AgentKeyRing =>
  new AgentKeyRing('anna', given, lookUp)

const saying = (words: string): object => ({
  kind: 'refused',
  message: expect.stringContaining(words) as string,
})

describe("D6: an agent's key for its bridge", () => {
  it('is read once, again after it may have changed, and never if given', async () => {
    const found = ['pb_1', 'pb_2']
    const lookUp = vi.fn(() => Promise.resolve(found.shift() ?? null))
    const keys = ring(lookUp)
    expect([await keys.read(), await keys.read()]).toEqual(['pb_1', 'pb_1'])
    keys.forget()
    expect(await keys.read()).toBe('pb_2')
    expect(await ring(lookUp, 'pb_given').read()).toBe('pb_given')
    expect(lookUp).toHaveBeenCalledTimes(2)
  })

  it.each([
    ['has none', () => Promise.resolve(null), 'has no key for agent "anna"'],
    [
      'does not open',
      () => Promise.reject(new Error('No such interface')),
      'anna" from the keychain: No such interface. Unlock',
    ],
    ['never answers', () => new Promise<null>(() => undefined), 'the keychain did not respond'],
  ])('is reported as missing if the keychain %s', async (_what, lookUp, words) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const rejected = expect(ring(lookUp).read()).rejects.toMatchObject(saying(words))
    await vi.advanceTimersByTimeAsync(4_000)
    await rejected
  })

  it('is neither sent nor looked up again for some time after a rejection', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const found = ['pb_1', 'pb_2']
    const lookUp = vi.fn(() => Promise.resolve(found.shift() ?? null))
    const keys = ring(lookUp)
    await keys.read()
    expect(keys.rejected()).toMatchObject(saying('rejected the key of agent "anna"'))
    await vi.advanceTimersByTimeAsync(9_000)
    await expect(keys.read()).rejects.toMatchObject(saying('rejected the key'))
    expect(lookUp).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1_001)
    expect(await keys.read()).toBe('pb_2')
  })
})
