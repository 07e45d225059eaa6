import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'

import { AppError } from '../../../../src-shared/domain/app-error'
import { PendingRequests } from './pending-requests'

const result = { ok: true }

/** Requests 0 to 4 are asked, and 4 is given up. */
function open(): { pending: PendingRequests; faults: string[]; judge: (line: object) => unknown } {
  const faults: string[] = []
  const pending = new PendingRequests((fault) => faults.push(fault))
  for (let id = 0; id < 5; id += 1) pending.sent({ jsonrpc: '2.0', id, method: 'tools/call' })
  const params = { requestId: 4, reason: 'timeout' }
  pending.sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
  const judge = (line: object): unknown => {
    const verdict = pending.judge({ jsonrpc: '2.0', ...line } as JSONRPCMessage)
    return verdict.kind === 'deliver' ? verdict.message : verdict.kind
  }
  return { pending, faults, judge }
}

describe('B3 answers', () => {
  it('pass once, without the keys that the protocol does not know', () => {
    const { judge, faults } = open()
    const answer = { jsonrpc: '2.0', id: 1, result }
    expect(judge({ id: 1, result, elapsed: 5 })).toEqual(answer)
    expect(judge({ id: 1, result })).toBe('drop')
    expect(faults).toEqual(['duplicateAnswers'])
  })

  it('fail their request when they cannot be used', () => {
    const unusable: Record<string, unknown>[] = [
      { id: 0 },
      { id: 0, result: 5 },
      { id: 0, result: [1] },
      { id: 0, result: null },
      { id: 0, error: 'no' },
      { id: 0, error: { code: 'x', message: 'y' } },
      { id: 0, error: { code: 1.5, message: 'y' } },
      { id: 0, error: null },
      { id: 0, result, error: { code: 1, message: 'y' } },
      { id: 0, result: { _meta: 'x' } },
    ]
    for (const [index, answer] of unusable.entries()) {
      const { judge: judgeOne, faults: told } = open()
      const failed = judgeOne(answer) as { id: number; error: { data: unknown } }
      expect([index, failed.id, told]).toEqual([index, 0, ['malformedAnswers']])
      expect(failed.error.data).toBeInstanceOf(AppError)
      expect(failed.error.data).toMatchObject({ code: 'INVALID_ANSWER' })
    }
  })

  it('pass when what is wrong leaves no doubt, and are counted', () => {
    const { judge, faults } = open()
    const error = { code: -32_000, message: 'no' }
    expect(judge({ id: 0, result, error: null })).toEqual({ jsonrpc: '2.0', id: 0, result })
    expect(judge({ id: 1, result: null, error })).toEqual({ jsonrpc: '2.0', id: 1, error })
    expect(judge({ id: '2', result })).toEqual({ jsonrpc: '2.0', id: 2, result })
    expect(faults).toEqual(['malformedAnswers', 'malformedAnswers', 'malformedAnswers'])
  })

  it('are dropped when nobody asked, and late ones are told apart', () => {
    const { judge, faults } = open()
    for (const id of [99, -1, null, 'abc', {}, 1.5]) expect(judge({ id, result })).toBe('drop')
    expect(judge({ result })).toBe('drop')
    expect(faults).toEqual(Array(7).fill('unknownAnswers'))
    expect(judge({ id: 4, result })).toBe('drop')
    expect(judge({ id: 4, result })).toBe('drop')
    expect(faults.slice(7)).toEqual(['lateAnswers', 'duplicateAnswers'])
  })

  it('cannot bring a failure of our own making', () => {
    const { judge } = open()
    const data = { name: 'AppError', code: 'MESSAGE_TOO_LARGE', message: 'x' }
    const answer = judge({ id: 0, error: { code: 1, message: 'no', data } })
    expect((answer as { error: { data: unknown } }).error.data).not.toBeInstanceOf(AppError)
  })
})

describe('B3 requests and notifications of a server', () => {
  it('pass when they are well formed', () => {
    const { judge, faults } = open()
    for (const message of [
      { id: 0, method: 'ping' },
      { id: 'x', method: 'roots/list', params: { _meta: {} } },
      { method: 'notifications/message', params: { level: 'info', data: 1 } },
      { method: 'notifications/progress', params: { progressToken: 3, progress: 1 } },
    ]) {
      expect(judge(message)).toEqual({ jsonrpc: '2.0', ...message })
    }
    expect(faults).toEqual([])
  })

  it('are refused or dropped when they are not, and counted', () => {
    const { judge, faults } = open()
    expect(judge({ id: 'x', method: 'roots/list', params: [1] })).toBe('refuse')
    expect(judge({ id: 'x', method: 'roots/list', params: { _meta: 1 } })).toBe('refuse')
    expect(judge({ id: { a: 1 }, method: 'roots/list' })).toBe('drop')
    expect(judge({ method: 'notifications/message', params: 'x' })).toBe('drop')
    expect(judge({ method: 5, id: 'x' })).toBe('drop')
    expect(judge({})).toBe('drop')
    expect(faults).toEqual(Array(6).fill('malformedMessages'))
  })

  it('are dropped when they tell of progress that is over or was never asked', () => {
    const { judge, faults } = open()
    const progress = { progressToken: 4, progress: 1 }
    expect(judge({ method: 'notifications/progress', params: progress })).toBe('drop')
    for (const progressToken of ['x', undefined, 99]) {
      const params = { progressToken, progress: 1 }
      expect(judge({ method: 'notifications/progress', params })).toBe('drop')
    }
    expect(faults).toEqual(['lateAnswers', ...Array<string>(3).fill('unknownAnswers')])
  })
})

describe('B13 questions about the connection itself, which have texts for ids', () => {
  const error = { code: -32_601, message: 'no' }

  /** One is asked before anything else. */
  function ask(): { pending: PendingRequests; faults: string[]; judge: (line: object) => unknown } {
    const faults: string[] = []
    const pending = new PendingRequests((fault) => faults.push(fault))
    pending.sent({ jsonrpc: '2.0', id: 'era', method: 'server/discover' })
    const judge = (line: object): unknown => {
      const verdict = pending.judge({ jsonrpc: '2.0', ...line } as JSONRPCMessage)
      return verdict.kind === 'deliver' ? verdict.message : verdict.kind
    }
    return { pending, faults, judge }
  }

  it('are answered once', () => {
    const { judge, faults } = ask()
    expect(judge({ id: 'other', result })).toBe('drop')
    expect(judge({ id: 'era', error })).toEqual({ jsonrpc: '2.0', id: 'era', error })
    expect(judge({ id: 'era', error })).toBe('drop')
    expect(faults).toEqual(['unknownAnswers', 'unknownAnswers'])
  })

  it('are what an answer without an id means before the handshake, and never later', () => {
    const { pending, judge, faults } = ask()
    expect(judge({ id: null, error })).toEqual({ jsonrpc: '2.0', id: 'era', error })
    expect(judge({ id: null, error })).toBe('drop')
    pending.sent({ jsonrpc: '2.0', id: 0, method: 'initialize' })
    pending.sent({ jsonrpc: '2.0', id: 'listen', method: 'subscriptions/listen' })
    expect(judge({ id: null, error })).toBe('drop')
    expect(faults).toEqual(['unknownAnswers', 'unknownAnswers'])
  })

  it('are no fault where an answer comes after the handshake began without it, once', () => {
    const { pending, judge, faults } = ask()
    pending.sent({ jsonrpc: '2.0', id: 0, method: 'initialize' })
    expect(judge({ id: 'era', error })).toBe('drop')
    expect(faults).toEqual([])
    expect(judge({ id: 'era', error })).toBe('drop')
    expect(faults).toEqual(['unknownAnswers'])
  })

  it('hold nothing against a server that answers them in a wrong shape', () => {
    const { judge, faults } = ask()
    expect(judge({ id: 'era', result: 5 })).toMatchObject({ id: 'era', error: { code: -32_603 } })
    expect(faults).toEqual([])
  })
})

describe('B2 an answer that was too large', () => {
  it('fails the request that waits for it, once', () => {
    const { pending, judge, faults } = open()
    const failure = new AppError('MESSAGE_TOO_LARGE', 'too large')
    expect(pending.fail('1', failure)).toMatchObject({ id: 1, error: { data: failure } })
    expect(pending.fail(1, failure)).toBeUndefined()
    expect(pending.fail(4, failure)).toBeUndefined()
    expect(judge({ id: 1, result })).toBe('drop')
    expect(faults).toEqual(['duplicateAnswers'])
  })
})

describe('A7 what is told of a fault', () => {
  it('cuts no text in the middle of a sentence, and marks a cut at its end', () => {
    const told: string[] = []
    const pending = new PendingRequests((_fault, detail) => told.push(detail))
    const long = 'secret '.repeat(100)
    pending.judge({ jsonrpc: '2.0', id: long, result })
    pending.judge({ jsonrpc: '2.0', method: long, params: 5 } as unknown as JSONRPCMessage)
    const error = { code: 1, message: long }
    pending.judge({ jsonrpc: '2.0', id: 9, error })
    expect(told[0]).toBe('An answer to something long, which was never asked.')
    expect(told[1]).toBe('A notification (something long) of a wrong shape.')
    expect(told[2]).toMatch(/ … \(cut\)$/u)
  })
})
