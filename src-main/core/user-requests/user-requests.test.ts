import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { AppError } from '../../../src-shared/domain/app-error'
import { type Outcome, type UserRequestInput, UserRequests } from './user-requests'

let requests: UserRequests
let outcomes: Outcome[]
const ask = (asked: Partial<UserRequestInput> = {}): Promise<unknown> =>
  requests
    .request({
      installationId: 'server',
      body: { kind: 'form', message: 'Who?', fields: [] },
      waitMs: 1_000,
      ...asked,
    })
    .then((outcome) => outcomes.push(outcome))
const idOf = (at = 0): string => requests.pending[at]?.requestId ?? ''

beforeEach(() => {
  requests = new UserRequests()
  outcomes = []
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

describe('Requests that wait for the user', () => {
  it('are ordered by arrival, until they are answered', async () => {
    let changes = 0
    requests.onDidChange(() => (changes += 1))
    const first = ask({ agent: 'Ann' })
    const second = ask({
      body: { kind: 'page', message: '', url: 'https://a.example/', host: 'a' },
    })
    expect(
      requests.pending.map(({ agent, body, until, requestedAt }) => [
        agent,
        body.kind,
        until - requestedAt,
      ]),
    ).toEqual([
      ['Ann', 'form', 1_000],
      [undefined, 'page', 1_000],
    ])
    expect(requests.pageOf(idOf(1))).toBe('https://a.example/')
    expect(() => requests.pageOf(idOf(0))).toThrow('This request has ended.')
    requests.answer(idOf(1), { kind: 'decline' })
    await second
    requests.answer(idOf(0), { kind: 'accept', content: { a: 1 } })
    await first
    expect([outcomes, requests.pending, changes, vi.getTimerCount()]).toEqual([
      [{ kind: 'decline' }, { kind: 'accept', content: { a: 1 } }],
      [],
      4,
      0,
    ])
  })

  it('accept the first answer only', async () => {
    const asked = ask()
    const id = idOf()
    requests.answer(id, { kind: 'dismiss' })
    requests.answer(id, { kind: 'accept' })
    await asked
    expect(outcomes).toEqual([{ kind: 'dismiss' }])
    expect(() => requests.answer(id, { kind: 'accept' })).toThrow('This request has ended.')
  })

  it('stay open after an invalid answer', async () => {
    const asked = ask({
      check: ({ kind }) => {
        if (kind === 'accept') throw new AppError('INVALID_VALUES', 'It does not fit.')
      },
    })
    expect(() => requests.answer(idOf(), { kind: 'accept' })).toThrow('It does not fit.')
    expect(requests.pending).toHaveLength(1)
    requests.answer(idOf(), { kind: 'decline' })
    await asked
    expect(outcomes).toEqual([{ kind: 'decline' }])
  })

  it.each<[string, (controller: AbortController) => void]>([
    ['they time out', () => vi.advanceTimersByTime(1_000)],
    ['they are withdrawn', (controller) => controller.abort()],
    ['the app ends', () => requests[Symbol.dispose]()],
  ])('are unanswered when %s', async (_title, end) => {
    const controller = new AbortController()
    const asked = ask({ signal: controller.signal })
    end(controller)
    await asked
    expect([outcomes, requests.pending]).toEqual([[{ kind: 'unanswered' }], []])
  })

  it('are never shown if they were withdrawn earlier', async () => {
    await ask({ signal: AbortSignal.abort() })
    expect([outcomes, vi.getTimerCount()]).toEqual([[{ kind: 'unanswered' }], 0])
  })

  it('may be answered from elsewhere', async () => {
    const asked = ask({ elsewhere: Promise.resolve({ kind: 'accept' }) })
    await asked
    expect([outcomes, requests.pending]).toEqual([[{ kind: 'accept' }], []])
  })
})
