import { beforeEach, describe, expect, it } from 'vitest'

import type { LinkAnswer } from './agent-link'
import { Ledger, type OpenCall } from './ledger'

let ledger: Ledger
beforeEach(() => {
  ledger = new Ledger()
})

function answerTo({ server, value }: OpenCall, pid = 1): LinkAnswer {
  const text = JSON.stringify({ of: server, value, pid })
  return { kind: 'result', result: { content: [{ type: 'text', text }] } }
}

function failure(code: string): LinkAnswer {
  return { kind: 'error', message: 'The server was ended.', data: { code } }
}

function wrong(): Record<string, number> {
  const all = Object.entries(ledger.wrong).map(([kind, found]) => [kind, found.length] as const)
  return Object.fromEntries(all.filter(([, count]) => count > 0))
}

describe('the ledger of a soak', () => {
  it("accepts a call's own answer", () => {
    const call = ledger.begin('one', 'echo')
    ledger.settle(call, answerTo(call))
    ledger.close()
    expect([ledger.answered, wrong()]).toEqual([1, {}])
  })

  it("finds another call's answer, another server's, a second and a missing one", () => {
    const calls = ['one', 'two', 'three', 'four'].map((server) => ledger.begin(server, 'echo'))
    const [first, second, third] = calls as [OpenCall, OpenCall, OpenCall]
    ledger.settle(first, answerTo(second))
    ledger.settle(second, answerTo({ ...second, server: 'one' }))
    ledger.settle(third, answerTo(third))
    ledger.settle(third, answerTo(third))
    ledger.close()
    expect(wrong()).toEqual({ crossed: 3, lost: 1 })
  })

  it('accepts a failure with its reason until another process of the server has answered', () => {
    const early = ledger.begin('one', 'echo')
    ledger.outages.begin('one', 1)
    const [during, other] = [ledger.begin('one', 'echo'), ledger.begin('two', 'echo')]
    ledger.settle(early, failure('SERVER_KILLED'))
    // A message of the ending process is no sign of another.
    ledger.settle(ledger.begin('one', 'echo'), failure('INTERNAL'))
    const last = ledger.begin('one', 'echo')
    ledger.settle(last, answerTo(last, 1))
    expect(ledger.outages.isDown('one')).toBe(true)
    const back = ledger.begin('one', 'echo')
    ledger.settle(back, answerTo(back, 2))
    expect(ledger.outages.isDown('one')).toBe(false)
    ledger.settle(during, failure('SERVER_EXITED'))
    expect([ledger.explained, wrong()]).toEqual([2, { unexplained: 1 }])
    ledger.settle(other, failure('SERVER_EXITED'))
    expect(wrong()).toEqual({ unexplained: 2 })
  })

  it('finds reports that are missing, superfluous or of another call', () => {
    for (const reports of [[], ['own', 'own'], ['other']]) {
      const call = ledger.begin('one', 'report', 1)
      for (const owner of reports)
        call.reports.push(
          JSON.stringify({ of: 'one', value: owner === 'own' ? call.value : owner }),
        )
      ledger.settle(call, answerTo(call))
    }
    expect([ledger.answered, wrong()]).toEqual([3, { progress: 3 }])
  })

  it('keeps a canceled call with its process, and finds an answer to it', () => {
    const [given, answered] = [ledger.begin('one', 'wait', 1), ledger.begin('one', 'wait', 1)]
    for (const call of [given, answered])
      call.reports.push(JSON.stringify({ of: 'one', value: call.value, pid: 7 }))
    ledger.settle(given, { kind: 'cancelled' })
    expect([ledger.cancels, wrong()]).toEqual([[{ value: given.value, pid: 7 }], {}])
    ledger.settle(answered, answerTo(answered))
    expect(wrong()).toEqual({ cancelAnswered: 1 })
  })
})
