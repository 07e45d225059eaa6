import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { RequestDeadline } from '../requests/request-deadline'
import { type OpenCall, OpenCalls } from './open-calls'

describe('Servers ask back: whose call a question of the older era belongs to', () => {
  it('is that of the only call, and nobody’s where another could be meant', () => {
    const calls = new OpenCalls()
    expect(calls.only).toBeUndefined()
    const first = calls.begin({ agent: 'Ann' })
    expect(calls.only?.asker?.agent).toBe('Ann')
    const second = calls.begin(undefined)
    expect(calls.only).toBeUndefined()
    calls.end(second, true)
    expect(calls.only).toBe(first)
  })

  it('is nobody’s for a minute behind a call that was given up, as the server may still be at it', () => {
    let now = 0
    const calls = new OpenCalls(() => now)
    calls.end(calls.begin({ agent: 'Ann' }), false)
    const second = calls.begin({ agent: 'Bob' })
    expect(calls.only).toBeUndefined()
    now = 60_000
    expect(calls.only).toBe(second)
  })

  it('is never another’s, in whatever order calls begin, end and are given up', () => {
    const step = fc.record({
      kind: fc.constantFrom('begin', 'answer', 'giveUp', 'wait'),
      at: fc.nat(9),
      ms: fc.nat(40_000),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let now = 0
        const calls = new OpenCalls(() => now)
        const open: OpenCall[] = []
        /** Calls that the server may be at, with the time until which it may. */
        const possible = new Map<OpenCall, number>()
        for (const [index, { kind, at, ms }] of steps.entries()) {
          const one = open[at % Math.max(open.length, 1)]
          if (kind === 'wait') now += ms
          else if (kind === 'begin') {
            const call = calls.begin({ agent: `agent ${index}` })
            open.push(call)
            possible.set(call, Infinity)
          } else if (one) {
            open.splice(open.indexOf(one), 1)
            calls.end(one, kind === 'answer')
            if (kind === 'answer') possible.delete(one)
            else possible.set(one, now + 60_000)
          }
          const meant = [...possible].filter(([, until]) => until > now).map(([call]) => call)
          const [only] = meant
          const isOpen = only !== undefined && open.includes(only)
          expect(calls.only).toBe(meant.length === 1 && isOpen ? only : undefined)
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

  it('has the deadlines of all that are open rest', async () => {
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
    const rest = calls.rest()
    begin('three')
    await expect.poll(() => failed).toEqual(['three'])
    rest[Symbol.dispose]()
    await expect.poll(() => failed).toEqual(['three', 'one', 'two'])
  })
})
