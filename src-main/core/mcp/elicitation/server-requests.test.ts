import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'

import type { ElicitFromAgent } from './elicitation'
import { ElicitationLimits, rootsOf, ServerRequests } from './server-requests'

const PAGE = { message: 'Sign in', url: 'https://page.example/', elicitationId: 'the page' }

describe('E1 a page that a server wants opened', () => {
  it.each([
    ['once, also where one of those that wait for it is given up', true, 1],
    ['again, once, where the first is given up before an answer', false, 2],
  ])('is elicited %s', async (_when, isAnswered, times) => {
    const elicit = vi.fn<ElicitFromAgent>(() => Promise.resolve({ action: 'accept' }))
    if (!isAnswered) elicit.mockImplementationOnce(() => new Promise(() => undefined))
    const requests = new ServerRequests({
      installationId: 'one',
      questions: { ask: () => Promise.reject(new Error('The agent answers.')) },
      waitMs: () => 60_000,
      roots: () => [],
      log: { append: () => undefined },
      onDidChange: () => undefined,
    })
    const open = (signal = readAtMost(1_000)): Promise<boolean> =>
      requests.openPage(PAGE, { asker: { agent: 'an agent', elicit }, signal })
    const givenUp = new AbortController()
    const first = open(givenUp.signal)
    const others = [open()]
    await nextTurn()
    givenUp.abort()
    expect(await first).toBe(false)
    others.push(open())
    await nextTurn()
    requests.completed(PAGE.elicitationId)
    expect(await Promise.all(others)).toEqual([true, true])
    expect(elicit).toHaveBeenCalledTimes(times)
  })
})

describe('E1 the elicitations of one server', () => {
  it('are never more than five at a time and thirty within a minute, however they come and end', () => {
    const step = fc.record({ isEnd: fc.boolean(), ms: fc.nat(3_000) })
    fc.assert(
      fc.property(fc.array(step, { minLength: 50, maxLength: 200 }), (steps) => {
        let now = 0
        const limits = new ElicitationLimits(undefined, () => now)
        const open: Disposable[] = []
        const given: number[] = []
        for (const { isEnd, ms } of steps) {
          now += ms
          const recent = given.filter((at) => at > now - 60_000).length
          if (isEnd) {
            const slot = open.shift()
            slot?.[Symbol.dispose]()
            slot?.[Symbol.dispose]()
            continue
          }
          const slot = limits.take()
          expect(slot !== undefined).toBe(open.length < 5 && recent < 30)
          if (!slot) continue
          open.push(slot)
          given.push(now)
        }
      }),
    )
  })
})

describe('E1 folders as roots', () => {
  it.each<[isWindows: boolean, folder: string, uri: string, name: string]>([
    [false, '/home/ann/my work', 'file:///home/ann/my%20work', 'my work'],
    [false, '/a#b/c?d/é%20', 'file:///a%23b/c%3Fd/%C3%A9%2520', 'é%20'],
    [false, '/', 'file:///', '/'],
    [true, 'C:\\Users\\Ann\\my work', 'file:///C:/Users/Ann/my%20work', 'my work'],
    [true, '\\\\nas\\share\\x', 'file://nas/share/x', 'x'],
  ])('are file addresses with names (Windows: %j): %s', (isWindows, folder, uri, name) => {
    expect(rootsOf([folder], isWindows)).toEqual([{ uri, name }])
  })

  it('lead back to the same folder, whatever it is called', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((one) => !/[/\0]/u.test(one) && one !== '.' && one !== '..' && one.isWellFormed())
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), (names) => {
        const path = `/${names.join('/')}`
        const [root] = rootsOf([path], false)
        expect(fileURLToPath(root?.uri ?? '', { windows: false })).toBe(path)
        expect(root?.name).toBe(names.at(-1))
      }),
    )
  })
})

/** A signal that ends who reads it for ever: a wait without a turn of the event loop would let no time limit do so. */
function readAtMost(times: number): AbortSignal {
  const { signal } = new AbortController()
  let reads = 0
  Object.defineProperty(signal, 'aborted', {
    get: () => {
      reads += 1
      if (reads > times) throw new Error('The wait came to no end.')
      return false
    },
  })
  return signal
}
