import { beforeEach, describe, expect, it } from 'vitest'

import { pause } from '../../../../e2e/fixtures/pause'
import { AppError } from '../../../../src-shared/domain/app-error'
import { writtenResult } from '../json/result-text'
import type { Peer } from '../peer/peer'
import type { RequestLimits } from '../peer/request-deadline'
import { RefusedRequestError } from '../peer/request-failure'
import { SessionRequests } from './session-requests'

type Params = Record<string, unknown>

const wants = (fields: object): object => ({ resultType: 'input_required', ...fields })
const AGAIN = wants({ inputRequests: { key: { method: 'roots/list' } } })
const pagesNeeded = (...elicitations: object[]): AppError =>
  new RefusedRequestError('tools/call', {
    code: -32_042,
    message: 'Pages first',
    data: { elicitations },
  })

let sent: Params[]
let limits: RequestLimits[]
let answered: unknown[]
beforeEach(() => {
  sent = []
  limits = []
  answered = []
})

/** Sends a request to a server that answers with these, in their order. */
async function send(
  answers: readonly unknown[],
  options: { signal?: AbortSignal; mayOpen?: boolean; ms?: number; maxTotalMs?: number } = {},
): Promise<unknown> {
  const { signal, mayOpen = true, ms = 0, maxTotalMs = 9_000 } = options
  const request: Peer['request'] = async (_method, next, given) => {
    sent.push(next)
    limits.push({ timeoutMs: given?.timeoutMs ?? 0, maxTotalMs: given?.maxTotalMs ?? 0 })
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
        return Promise.resolve(mayOpen)
      },
    },
  )
  const params = { name: 'tool', arguments: { a: 1 } }
  const call = { method: 'tools/call', params, signal, timeoutMs: 1_000, maxTotalMs }
  const { result } = await requests.send(call)
  return result
}

describe('E1 the rounds of a request', () => {
  it('are one where nothing more is wanted', async () => {
    expect(await send([{ content: [] }])).toEqual({ content: [] })
    expect([sent, answered]).toEqual([[{ name: 'tool', arguments: { a: 1 } }], []])
  })

  it('take along what the last one wanted, and nothing of those before', async () => {
    const inputRequests = { key: { method: 'roots/list' } }
    await send([wants({ requestState: 'first', inputRequests }), wants({ inputRequests }), {}])
    const params = { name: 'tool', arguments: { a: 1 } }
    expect(sent).toEqual([
      params,
      { ...params, requestState: 'first', inputResponses: { key: { round: 1 } } },
      { ...params, inputResponses: { key: { round: 2 } } },
    ])
  })

  it('are ten at most, and nobody is elicited for one that does not follow', async () => {
    const answers = Array.from({ length: 20 }, () => AGAIN)
    await expect(send(answers)).rejects.toMatchObject({ code: 'INVALID_ANSWER' })
    expect(sent).toHaveLength(10)
    expect(answered).toHaveLength(sent.length - 1)
  })

  it('are ten at most also where the last one would open pages', async () => {
    const answers = Array.from({ length: 9 }, () => AGAIN)
    const last = pagesNeeded({ url: 'https://a.example/' })
    await expect(send([...answers, last])).rejects.toBe(last)
    expect([sent.length, answered.length]).toEqual([10, 9])
  })

  it('share their time', async () => {
    const answers = [AGAIN, AGAIN, { content: [] }]
    await send(answers, { ms: 20, maxTotalMs: 29_000 })
    const [first, second, third] = limits
    expect(first).toMatchObject({ timeoutMs: 1_000, maxTotalMs: 29_000 })
    expect(second?.maxTotalMs).toBeLessThan(29_000)
    expect(third?.maxTotalMs).toBeLessThan(second?.maxTotalMs ?? 0)
    sent = []
    await expect(send(answers, { ms: 20, maxTotalMs: 10 })).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
    })
    expect(sent).toHaveLength(1)
    expect(answered).toHaveLength(2)
  })

  it('end with the request', async () => {
    const signal = AbortSignal.abort()
    await expect(send([AGAIN, { content: [] }], { signal })).rejects.toMatchObject({
      code: 'REQUEST_CANCELLED',
    })
    expect(sent).toHaveLength(1)
  })

  it('are one more once pages were opened, and no more', async () => {
    const needed = pagesNeeded({ url: 'https://a.example/' })
    expect(await send([needed, { content: [] }])).toEqual({ content: [] })
    expect(answered).toEqual([{ url: 'https://a.example/' }])
    expect(sent).toHaveLength(2)
    sent = []
    await expect(send([needed, needed, { content: [] }])).rejects.toBe(needed)
    expect(sent).toHaveLength(2)
  })

  it.each<[string, Error, boolean]>([
    ['pages are not opened', pagesNeeded({ url: 'https://a.example/' }), false],
    ['no page is named', pagesNeeded(), true],
    ['more pages are named than one would open', pagesNeeded(...Array<object>(6).fill({})), true],
    ['it is refused for another reason', new AppError('REQUEST_REFUSED', 'No'), true],
    ['it is refused with the same code by us', new Error('-32042'), true],
  ])('are over when %s', async (_title, refusal, mayOpen) => {
    await expect(send([refusal, { content: [] }], { mayOpen })).rejects.toBe(refusal)
    expect(sent).toHaveLength(1)
  })
})
