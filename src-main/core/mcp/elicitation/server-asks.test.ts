import { setImmediate as nextTurn } from 'node:timers/promises'

import { describe, expect, it, vi } from 'vitest'

import type { CallAsker } from './call-asker'
import { ServerAsks } from './server-asks'

type AgentAnswer = NonNullable<CallAsker['elicit']>

const PAGE = { message: 'Sign in', url: 'https://page.example/', elicitationId: 'the page' }

/** A server whose agent answers as `elicit` does. */
function pageOpener(elicit: AgentAnswer): {
  readonly asks: ServerAsks
  readonly open: (signal?: AbortSignal) => Promise<boolean>
} {
  const asks = new ServerAsks({
    installationId: 'one',
    questions: { ask: () => Promise.reject(new Error('The agent answers.')) },
    waitMs: () => 60_000,
    roots: () => [],
    log: { append: () => undefined },
    onDidChange: () => undefined,
  })
  const asker: CallAsker = { agent: 'an agent', elicit }
  return {
    asks,
    open: (signal = new AbortController().signal) => asks.openPage(PAGE, { asker, signal }),
  }
}

describe('D8 a page that a server wants opened', () => {
  it('is asked for once, also after one of those that waited for it is given up', async () => {
    const elicit = vi.fn<AgentAnswer>(() => Promise.resolve({ action: 'accept' }))
    const { asks, open } = pageOpener(elicit)
    const givenUp = new AbortController()
    const first = open(givenUp.signal)
    const second = open()
    await nextTurn()
    givenUp.abort()
    expect(await first).toBe(false)
    const third = open(readAtMost(1_000))
    await nextTurn()
    asks.completed(PAGE.elicitationId)
    expect(await Promise.all([second, third])).toEqual([true, true])
    expect(elicit).toHaveBeenCalledTimes(1)
  })

  it('is asked for again, once, where who asked is given up before an answer', async () => {
    const elicit = vi.fn<AgentAnswer>(() => Promise.resolve({ action: 'accept' }))
    elicit.mockImplementationOnce(() => new Promise(() => undefined))
    const { asks, open } = pageOpener(elicit)
    const givenUp = new AbortController()
    const first = open(givenUp.signal)
    const others = [open(), open()]
    await nextTurn()
    givenUp.abort()
    expect(await first).toBe(false)
    await nextTurn()
    asks.completed(PAGE.elicitationId)
    expect(await Promise.all(others)).toEqual([true, true])
    expect(elicit).toHaveBeenCalledTimes(2)
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
