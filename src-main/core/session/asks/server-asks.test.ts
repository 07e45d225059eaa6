import { setImmediate as nextTurn } from 'node:timers/promises'

import { describe, expect, it } from 'vitest'

import type { CallAsker } from './call-asker'
import { ServerAsks } from './server-asks'

describe('D8 a page that a server wants opened', () => {
  it('is asked for once, also after one of those that waited for it is given up', async () => {
    let asked = 0
    const asker: CallAsker = {
      agent: 'an agent',
      elicit: () => {
        asked += 1
        return Promise.resolve({ action: 'accept' })
      },
    }
    const asks = new ServerAsks({
      installationId: 'one',
      questions: { ask: () => Promise.reject(new Error('The agent answers.')) },
      waitMs: () => 60_000,
      roots: () => [],
      log: { append: () => undefined },
      onDidChange: () => undefined,
    })
    const page = { message: 'Sign in', url: 'https://page.example/', elicitationId: 'the page' }
    const open = (signal: AbortSignal): Promise<boolean> => asks.openPage(page, { asker, signal })

    const givenUp = new AbortController()
    const first = open(givenUp.signal)
    const second = open(new AbortController().signal)
    await nextTurn()
    givenUp.abort()
    expect(await first).toBe(false)
    const third = open(readAtMost(1_000))
    await nextTurn()
    asks.completed('the page')
    expect(await Promise.all([second, third])).toEqual([true, true])
    expect(asked).toBe(1)
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
