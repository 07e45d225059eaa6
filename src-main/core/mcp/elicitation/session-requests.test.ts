import { beforeEach, describe, expect, it } from 'vitest'

import { pause } from '../../../../e2e/fixtures/pause'
import { AppError } from '../../../../src-shared/domain/app-error'
import { writtenResult } from '../json/result-text'
import type { Peer } from '../peer/peer'
import type { PeerRequestOptions } from '../peer/pending-requests'
import { RejectedRequestError } from '../peer/request-failure'
import type { RequestOrigin } from './elicitation'
import { SessionRequests } from './session-requests'

type Params = Record<string, unknown>

const PARAMS = { name: 'tool', arguments: { a: 1 } }
const DONE = { content: [] }
const wants = (fields: object): object => ({ resultType: 'input_required', ...fields })
const inputRequests = { key: { method: 'roots/list' } }
const AGAIN = wants({ inputRequests })
const PAGE = { url: 'https://a.example/' }
const pagesNeeded = (...elicitations: object[]): AppError =>
  new RejectedRequestError('tools/call', {
    code: -32_042,
    message: 'Pages first',
    data: { elicitations },
  })

let sent: Params[]
let limits: (PeerRequestOptions | undefined)[]
let answered: unknown[]
beforeEach(() => {
  sent = []
  limits = []
  answered = []
})

/** Sends a request to a stateless server that gives these answers in order. */
async function send(
  answers: readonly unknown[],
  options: {
    signal?: AbortSignal
    opens?: 'done' | 'opened' | 'no'
    requestOrigin?: RequestOrigin
    ms?: number
    maxTotalMs?: number
  } = {},
): Promise<unknown> {
  const { signal, requestOrigin, opens = 'done', ms = 0, maxTotalMs = 9_000 } = options
  const request: Peer['request'] = async (_method, next, given) => {
    sent.push(next)
    limits.push(given)
    await pause(ms)
    const answer = answers[sent.length - 1]
    if (answer instanceof Error) throw answer
    return writtenResult(answer)
  }
  const requests = new SessionRequests(
    { isStateless: true, notify: () => Promise.resolve(), request },
    {
      onDidChangeRoots: () => ({ [Symbol.dispose]: () => undefined }),
      read: (method) => () => {
        answered.push(method)
        return Promise.resolve({ round: sent.length })
      },
      openPage: (page) => {
        answered.push(page)
        return Promise.resolve(opens)
      },
      handPages: (pages) => void answered.push(...pages),
      untilPages: () => {
        answered.push('wait')
        return Promise.resolve()
      },
    },
  )
  const call = {
    method: 'tools/call',
    params: PARAMS,
    signal,
    requestOrigin,
    timeoutMs: 1_000,
    maxTotalMs,
  }
  return (await requests.send(call)).result
}

describe('E1: the rounds of a request', () => {
  it('carry the responses of the last round only', async () => {
    await send([wants({ requestState: 'first', inputRequests }), AGAIN, {}])
    expect(sent).toEqual([
      PARAMS,
      { ...PARAMS, requestState: 'first', inputResponses: { key: { round: 1 } } },
      { ...PARAMS, inputResponses: { key: { round: 2 } } },
    ])
  })

  it.each<[string, unknown, object]>([
    ['no elicitation is shown for another one', AGAIN, { code: 'INVALID_ANSWER' }],
    ['no page is opened for another one', pagesNeeded(PAGE), { code: 'REQUEST_REFUSED' }],
  ])('are limited to ten, and %s', async (_what, last, failure) => {
    const answers = [...Array<unknown>(9).fill(AGAIN), last, DONE]
    await expect(send(answers)).rejects.toMatchObject(failure)
    expect([sent.length, answered.length]).toEqual([10, 9])
  })

  it('share their time limit', async () => {
    const answers = [AGAIN, AGAIN, DONE]
    await send(answers, { ms: 20, maxTotalMs: 29_000 })
    const [first, second, third] = limits.map((one) => one?.maxTotalMs ?? 0)
    expect(limits[0]).toMatchObject({ timeoutMs: 1_000, maxTotalMs: 29_000 })
    expect([first, second, third].toSorted((a = 0, b = 0) => b - a)).toEqual([first, second, third])
    expect(third).toBeLessThan(28_990)
    sent = []
    const late = send(answers, { ms: 20, maxTotalMs: 10 })
    await expect(late).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' })
    expect([sent.length, answered.length]).toEqual([1, 2])
  })

  it('end with the request', async () => {
    const given = send([AGAIN, DONE], { signal: AbortSignal.abort() })
    await expect(given).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
    expect(sent).toHaveLength(1)
  })

  it('include one retry after pages were opened, and no more', async () => {
    const needed = pagesNeeded(PAGE)
    expect(await send([needed, DONE])).toEqual(DONE)
    expect([sent.length, answered]).toEqual([2, [PAGE]])
    sent = []
    await expect(send([needed, needed, DONE])).rejects.toBe(needed)
    expect(sent).toHaveLength(2)
  })

  it("include some retries after an agent opened the pages, and end with the server's error", async () => {
    const needed = pagesNeeded(PAGE)
    expect(await send([needed, needed, needed, DONE], { opens: 'opened' })).toEqual(DONE)
    expect(answered).toEqual([PAGE, 'wait', 'wait'])
    sent = []
    const never = Array<Error>(20).fill(needed)
    await expect(send(never, { opens: 'opened' })).rejects.toBe(needed)
    expect(sent.length).toBeLessThan(20)
  })

  it('include no retry if the agent itself opens the pages of an error', async () => {
    const needed = pagesNeeded(PAGE)
    const requestOrigin = { agent: 'Ann', session: {}, opensPages: true }
    await expect(send([needed, DONE], { requestOrigin })).rejects.toBe(needed)
    expect([sent.length, answered]).toEqual([1, [PAGE]])
  })

  it.each<[string, Error, ('done' | 'no')?]>([
    ['pages are not opened', pagesNeeded(PAGE), 'no'],
    ['no page is listed', pagesNeeded()],
    ['too many pages are listed', pagesNeeded(...Array<object>(6).fill({}))],
    ['the request is rejected for another reason', new AppError('REQUEST_REFUSED', 'No')],
    ['Patchbay rejects with the same code', new Error('-32042')],
  ])('end if %s', async (_title, refusal, opens) => {
    await expect(send([refusal, DONE], opens && { opens })).rejects.toBe(refusal)
    expect(sent).toHaveLength(1)
  })
})

describe('E1: the requests in a result', () => {
  const entries = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [at, { method: 'roots/list' }]))

  it('are at most twenty', async () => {
    await send([wants({ inputRequests: entries(20) }), DONE])
    expect(answered).toHaveLength(20)
    sent = []
    answered = []
    await expect(send([wants({ inputRequests: entries(21) }), DONE])).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
      message: expect.stringContaining('21 requests at a time') as string,
    })
    expect([sent.length, answered]).toEqual([1, []])
  })

  it.each([
    ['null', null],
    ['a text', 'roots/list'],
    ['a request without a method', { params: {} }],
    ['a method that is no text', { method: 7 }],
  ])('end the call before any is answered if one is %s', async (_what, entry) => {
    const mixed = {
      first: { method: 'roots/list' },
      second: entry,
      third: { method: 'roots/list' },
    }
    await expect(send([wants({ inputRequests: mixed }), DONE])).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
      message: expect.stringContaining('This is not a valid request.') as string,
    })
    expect([sent.length, answered]).toEqual([1, []])
  })
})

describe('E1: a request that a server may not send', () => {
  it.each([
    ['outside a result, without sessions', true, {}],
    ['to a connection that answers none', false, undefined],
  ])('is rejected: %s', async (_what, isStateless, server) => {
    const peer = { isStateless, notify: () => Promise.resolve(), request: () => expect.fail() }
    const methods: string[] = []
    const requests = new SessionRequests(
      peer,
      server && {
        onDidChangeRoots: () => ({ [Symbol.dispose]: () => undefined }),
        read: (method) => () => Promise.resolve({ methods: methods.push(method) }),
        openPage: () => expect.fail(),
        handPages: () => expect.fail(),
        untilPages: () => expect.fail(),
      },
    )
    const { signal } = new AbortController()
    const asking = requests.answer({ method: 'roots/list', params: {}, signal })
    await expect(asking).rejects.toMatchObject({ code: -32_601, message: 'Method not found' })
    expect(methods).toEqual([])
  })
})
