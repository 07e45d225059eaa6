import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'

import type { CallAsker, ElicitFromAgent } from './elicitation'
import { ElicitationLimits, rootsOf, ServerRequests } from './server-requests'

const PAGE = { message: 'Sign in', url: 'https://page.example/', elicitationId: 'the page' }

/** A server whose agent answers as `elicit` does. */
function pageOpener(elicit: ElicitFromAgent): {
  readonly requests: ServerRequests
  readonly open: (signal?: AbortSignal) => Promise<boolean>
} {
  const requests = new ServerRequests({
    installationId: 'one',
    questions: { ask: () => Promise.reject(new Error('The agent answers.')) },
    waitMs: () => 60_000,
    roots: () => [],
    log: { append: () => undefined },
    onDidChange: () => undefined,
  })
  const asker: CallAsker = { agent: 'an agent', elicit }
  return {
    requests,
    open: (signal = new AbortController().signal) => requests.openPage(PAGE, { asker, signal }),
  }
}

describe('E1 a page that a server wants opened', () => {
  it('is asked for once, also after one of those that waited for it is given up', async () => {
    const elicit = vi.fn<ElicitFromAgent>(() => Promise.resolve({ action: 'accept' }))
    const { requests, open } = pageOpener(elicit)
    const givenUp = new AbortController()
    const first = open(givenUp.signal)
    const second = open()
    await nextTurn()
    givenUp.abort()
    expect(await first).toBe(false)
    const third = open(readAtMost(1_000))
    await nextTurn()
    requests.completed(PAGE.elicitationId)
    expect(await Promise.all([second, third])).toEqual([true, true])
    expect(elicit).toHaveBeenCalledTimes(1)
  })

  it('is asked for again, once, where who asked is given up before an answer', async () => {
    const elicit = vi.fn<ElicitFromAgent>(() => Promise.resolve({ action: 'accept' }))
    elicit.mockImplementationOnce(() => new Promise(() => undefined))
    const { requests, open } = pageOpener(elicit)
    const givenUp = new AbortController()
    const first = open(givenUp.signal)
    const others = [open(), open()]
    await nextTurn()
    givenUp.abort()
    expect(await first).toBe(false)
    await nextTurn()
    requests.completed(PAGE.elicitationId)
    expect(await Promise.all(others)).toEqual([true, true])
    expect(elicit).toHaveBeenCalledTimes(2)
  })
})

describe('E1 the elicitations of one server', () => {
  it('are never more than five at a time and thirty within a minute, however they come and end', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('ask'), ms: fc.nat(3_000) }),
      fc.record({ kind: fc.constant('end'), ms: fc.nat(3_000) }),
    )
    fc.assert(
      fc.property(fc.array(step, { minLength: 50, maxLength: 200 }), (steps) => {
        let now = 0
        const limits = new ElicitationLimits(undefined, () => now)
        const open: Disposable[] = []
        const given: number[] = []
        for (const { kind, ms } of steps) {
          now += ms
          const recent = given.filter((at) => at > now - 60_000).length
          if (kind === 'end') {
            const [place] = open.splice(0, 1)
            place?.[Symbol.dispose]()
            place?.[Symbol.dispose]()
          } else {
            const place = limits.take()
            expect(place !== undefined).toBe(open.length < 5 && recent < 30)
            if (place) {
              open.push(place)
              given.push(now)
            }
          }
        }
      }),
    )
  })
})

describe('E1 folders as roots', () => {
  it('are file addresses with names', () => {
    expect(rootsOf(['/home/ann/my work', '/a#b/c?d/é%20', '/'], false)).toEqual([
      { uri: 'file:///home/ann/my%20work', name: 'my work' },
      { uri: 'file:///a%23b/c%3Fd/%C3%A9%2520', name: 'é%20' },
      { uri: 'file:///', name: '/' },
    ])
  })

  it('are those of Windows where its paths are written', () => {
    expect(rootsOf(['C:\\Users\\Ann\\my work', '\\\\nas\\share\\x'], true)).toEqual([
      { uri: 'file:///C:/Users/Ann/my%20work', name: 'my work' },
      { uri: 'file://nas/share/x', name: 'x' },
    ])
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
