import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { RequestDeadline } from '../peer/pending-requests'
import { type OpenCall, OpenCalls, readElicitation } from './elicitation'

const FORM = {
  message: 'Who?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
}
const PAGE = { mode: 'url', message: 'Pay', url: 'https://pay.example/' }

describe('E1: the result of an elicitation', () => {
  it.each([
    [{ kind: 'accept', content: { name: 'Ann' } } as const, 'accept'],
    [{ kind: 'decline' } as const, 'decline'],
    [{ kind: 'dismiss' } as const, 'cancel'],
    [{ kind: 'unanswered' } as const, 'cancel'],
  ])('of %o is %s', (outcome, action) => {
    expect(readElicitation(FORM).resultOf(outcome)).toMatchObject({ action })
    expect(readElicitation(PAGE).resultOf(outcome)).toEqual({ action })
  })

  it.each([
    ['a form', FORM],
    ['a page', PAGE],
  ])('is none if the user answers %s like an approval', (_what, params) => {
    const { resultOf } = readElicitation(params)
    for (const outcome of [{ kind: 'allow', scope: 'once' }, { kind: 'deny' }] as const)
      expect(() => resultOf(outcome)).toThrow('Answer this request with accept, decline')
  })
})

describe('E1: the call of an elicitation, for a server with sessions', () => {
  it("is never another agent's, however calls begin, end and are abandoned", () => {
    const step = fc.record({
      kind: fc.constantFrom('begin', 'answer', 'giveUp', 'wait'),
      at: fc.nat(9),
      caller: fc.nat(5),
      ms: fc.nat(40_000),
    })
    const [ann, other, bob] = [{}, {}, {}]
    // Two sessions of one agent, one of another, calls without session, a tool run, and Patchbay itself.
    const callers = [
      { agent: 'Ann', session: ann },
      { agent: 'Ann', session: other },
      { agent: 'Bob', session: bob },
      { agent: 'Ann' },
      { toolRunId: 'a run' },
      undefined,
    ]
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let now = 0
        const calls = new OpenCalls(() => now)
        const open: OpenCall[] = []
        /** Calls that the server may be processing, with their end. */
        const possible = new Map<OpenCall, number>()
        for (const { kind, at, caller, ms } of steps) {
          const one = open[at % Math.max(open.length, 1)]
          if (kind === 'wait') now += ms
          else if (kind === 'begin') {
            const call = calls.start(callers[caller])
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
            // A call without session counts on its own.
            .map(([call]) => (call.requestOrigin?.session && call.requestOrigin.agent) ?? call)
          const isKnown = new Set(owners).size === 1
          expect(calls.target?.requestOrigin).toBe(isKnown ? open.at(-1)?.requestOrigin : undefined)
        }
      }),
    )
  })

  it('is the newest of the agent whose app can ask, across all its windows', () => {
    const calls = new OpenCalls()
    const elicit = (): Promise<never> => Promise.reject(new Error('not asked'))
    const first = { agent: 'Ann', session: {}, elicit }
    const given = calls.start({ agent: 'Ann', session: {} })
    calls.end(given, false)
    calls.start(first)
    expect(calls.target?.requestOrigin).toBe(first)
    calls.start({ agent: 'Ann', session: {} })
    expect(calls.target?.requestOrigin).toBe(first)
    const newest = { ...first, session: {} }
    calls.start(newest)
    expect(calls.target?.requestOrigin).toBe(newest)
    calls.start({ agent: 'Bob', session: {}, elicit })
    expect(calls.target).toBeUndefined()
  })

  it('stays open until all candidate calls have ended', () => {
    const calls = new OpenCalls()
    const requestOrigin = { agent: 'Ann', session: {} }
    const [first, second] = [calls.start(requestOrigin), calls.start(requestOrigin)]
    const over = calls.target?.over
    calls.start(requestOrigin)
    calls.end(second, true)
    expect([over?.aborted, second.over.aborted]).toEqual([false, true])
    calls.end(first, true)
    expect(over?.aborted).toBe(true)
  })

  it('pauses the deadlines of all open calls', async () => {
    const calls = new OpenCalls()
    const failed: string[] = []
    const begin = (method: string): void => {
      const limits = { timeoutMs: 50, maxTotalMs: 1_000 }
      const onOver = (): unknown => failed.push(method)
      calls.start(undefined).deadline = new RequestDeadline(method, limits, onOver)
    }
    begin('one')
    begin('two')
    const pause = calls.pause()
    begin('three')
    await expect.poll(() => failed).toEqual(['three'])
    pause[Symbol.dispose]()
    await expect.poll(() => failed).toEqual(['three', 'one', 'two'])
  })

  it('keeps no reference to an abandoned request or its agent', async () => {
    const calls = new OpenCalls()
    const giveUp = (): WeakRef<object>[] => {
      const requestOrigin = { agent: 'Ann', session: {} }
      const call = calls.start(requestOrigin)
      calls.end(call, false)
      return [new WeakRef(call), new WeakRef(requestOrigin), new WeakRef(requestOrigin.session)]
    }
    const held = giveUp()
    // A WeakRef keeps its target until the end of the turn that created it.
    await nextTurn()
    setFlagsFromString('--expose-gc')
    ;(runInNewContext('gc') as () => void)()
    expect(held.map((one) => one.deref())).toEqual([undefined, undefined, undefined])
    calls.start(undefined)
    expect(calls.target).toBeUndefined()
  })
})
