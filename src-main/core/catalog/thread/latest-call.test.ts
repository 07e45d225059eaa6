import { describe, expect, it } from 'vitest'

import { LatestCall } from './catalog-worker'

/** A call whose answers are given manually, in the order of the questions. */
function handAnswered() {
  const asked: string[] = []
  const settle: PromiseWithResolvers<string>[] = []
  const calls = new LatestCall((input: string) => {
    asked.push(input)
    const answer = Promise.withResolvers<string>()
    settle.push(answer)
    return answer.promise
  })
  return { asked, settle, calls }
}

describe('D2 the newest of many questions', () => {
  it('is asked when the one before is answered; those between are not asked at all', async () => {
    const { asked, settle, calls } = handAnswered()
    const first = calls.run('p')
    const second = calls.run('po')
    const third = calls.run('pos')
    expect(await second).toBeUndefined()
    settle[0]?.resolve('for p')
    expect(await first).toBeUndefined()
    await expect.poll(() => asked).toEqual(['p', 'pos'])
    settle[1]?.resolve('for pos')
    expect(await third).toBe('for pos')
  })

  it('is asked also when the one before fails', async () => {
    const { settle, calls } = handAnswered()
    const first = calls.run('a')
    const second = calls.run('b')
    settle[0]?.reject(new Error('broken'))
    await expect(first).rejects.toThrow('broken')
    settle[1]?.resolve('fine')
    expect(await second).toBe('fine')
  })
})
