import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { RequestDeadline } from '../peer/request-deadline'
import { type OpenCall, OpenCalls } from './open-calls'

describe('E1 the call that an elicitation of a server with sessions belongs to', () => {
  it('is that of the only call, and nobody’s where another could be meant', () => {
    const calls = new OpenCalls()
    expect(calls.meant).toBeUndefined()
    calls.begin({ agent: 'Ann' })
    expect(calls.meant?.asker?.agent).toBe('Ann')
    const second = calls.begin(undefined)
    expect(calls.meant).toBeUndefined()
    calls.end(second, true)
    expect(calls.meant?.asker?.agent).toBe('Ann')
  })

  it('is that of the newest of several calls of one session of an agent', () => {
    const calls = new OpenCalls()
    const session = {}
    const askers = [1, 2, 3].map(() => ({ agent: 'Ann', session }))
    const [first, second, third] = askers.map((asker) => calls.begin(asker))
    expect(calls.meant?.asker).toBe(askers[2])
    if (third) calls.end(third, true)
    expect(calls.meant?.asker).toBe(askers[1])
    if (first) calls.end(first, false)
    expect(calls.meant?.asker).toBe(askers[1])
    if (second) calls.end(second, true)
    expect(calls.meant).toBeUndefined()
  })

  it.each([
    ['two agents', { agent: 'Bob', session: {} }],
    ['two sessions of agents of one name', { agent: 'Ann', session: {} }],
    ['an agent and who tries it', { trialId: 'a trial' }],
    ['an agent and Patchbay itself', undefined],
  ])('is nobody’s among calls of %s, also once one of them was given up', (_, other) => {
    const calls = new OpenCalls()
    const ann = { agent: 'Ann', session: {} }
    calls.begin(ann)
    const second = calls.begin(other)
    expect(calls.meant).toBeUndefined()
    calls.begin(ann)
    expect(calls.meant).toBeUndefined()
    calls.end(second, false)
    expect(calls.meant).toBeUndefined()
  })

  it('is open until all calls are over that it could belong to', () => {
    const calls = new OpenCalls()
    const asker = { agent: 'Ann', session: {} }
    const [first, second] = [calls.begin(asker), calls.begin(asker)]
    const over = calls.meant?.over
    calls.begin(asker)
    calls.end(second, true)
    expect(over?.aborted).toBe(false)
    calls.end(first, true)
    expect(over?.aborted).toBe(true)
  })

  it('is nobody’s for a minute behind a call that was given up, as the server may still be at it', () => {
    let now = 0
    const calls = new OpenCalls(() => now)
    calls.end(calls.begin({ agent: 'Ann' }), false)
    calls.begin({ agent: 'Bob' })
    expect(calls.meant).toBeUndefined()
    now = 60_000
    expect(calls.meant?.asker?.agent).toBe('Bob')
  })

  it('is never another’s, in whatever order calls begin, end and are given up', () => {
    const step = fc.record({
      kind: fc.constantFrom('begin', 'answer', 'giveUp', 'wait'),
      at: fc.nat(9),
      whose: fc.nat(2),
      ms: fc.nat(40_000),
    })
    const sessions = [{}, {}, undefined]
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let now = 0
        const calls = new OpenCalls(() => now)
        const open: OpenCall[] = []
        /** Calls that the server may be at, with the time until which it may. */
        const possible = new Map<OpenCall, number>()
        for (const { kind, at, whose, ms } of steps) {
          const one = open[at % Math.max(open.length, 1)]
          if (kind === 'wait') now += ms
          else if (kind === 'begin') {
            const session = sessions[whose]
            const call = calls.begin({ agent: 'one of many', ...(session && { session }) })
            open.push(call)
            possible.set(call, Infinity)
          } else if (one) {
            open.splice(open.indexOf(one), 1)
            calls.end(one, kind === 'answer')
            if (kind === 'answer') possible.delete(one)
            else possible.set(one, now + 60_000)
          }
          const owners = [...possible]
            .filter(([, until]) => until > now)
            // Of no session it is a call by itself.
            .map(([call]) => call.asker?.session ?? call)
          const isKnown = new Set(owners).size === 1
          expect(calls.meant?.asker).toBe(isKnown ? open.at(-1)?.asker : undefined)
        }
      }),
    )
  })

  it('ends the question with the call', () => {
    const calls = new OpenCalls()
    const call = calls.begin(undefined)
    const { over } = call
    expect(over.aborted).toBe(false)
    calls.end(call, true)
    expect([over.aborted, call.over.aborted]).toEqual([true, true])
    const unasked = calls.begin(undefined)
    calls.end(unasked, true)
    expect(unasked.over.aborted).toBe(true)
  })

  it('pauses the deadlines of all that are open', async () => {
    const calls = new OpenCalls()
    const failed: string[] = []
    const begin = (method: string): void => {
      const limits = { timeoutMs: 50, maxTotalMs: 1_000 }
      calls.begin(undefined).deadline = new RequestDeadline(method, limits, () =>
        failed.push(method),
      )
    }
    begin('one')
    begin('two')
    const pause = calls.pause()
    begin('three')
    await expect.poll(() => failed).toEqual(['three'])
    pause[Symbol.dispose]()
    await expect.poll(() => failed).toEqual(['three', 'one', 'two'])
  })
})
