import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { HttpStatusError } from '../../failure/remote-failure'
import { writtenResult } from '../json/result-text'
import { invalidAnswer, RejectedRequestError, timeoutFailure } from '../peer/request-failure'
import { ServerListing } from './server-listing'

const CHANGED = 'notifications/tools/list_changed'
/** Returns a single tool whose name contains the number of requests. */
const plain = (_method: string, count: number): object => ({
  tools: [{ name: `t${count}`, inputSchema: {} }],
})

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

/** Creates the listing of an in-memory server with these answers and this delay, in ms. */
function listingOf({
  answer = plain as (method: string, count: number) => unknown,
  ms = 0,
  capabilities = { tools: { listChanged: true } } as object,
  problemOf = undefined as ConstructorParameters<typeof ServerListing>[0]['problemOf'],
}) {
  const requests: { readonly method: string; readonly at: number }[] = []
  const repairs: string[] = []
  const request = async (
    method: string,
    _params: object,
    { timeoutMs = 0 }: { readonly timeoutMs?: number | undefined } = {},
  ) => {
    requests.push({ method, at: performance.now() })
    const count = requests.length
    vi.advanceTimersByTime(Math.min(ms, timeoutMs))
    if (ms > timeoutMs) throw timeoutFailure(method, timeoutMs)
    return writtenResult(await answer(method, count))
  }
  const listing = new ServerListing({
    peer: { request, isStateless: false },
    declared: () => capabilities,
    counted: (_method, send) => send(),
    hasEnded: () => false,
    problemOf,
    onRepair: (repair) => repairs.push(repair),
  })
  onTestFinished(() => listing[Symbol.dispose]())
  const begin = (budgetMs = 10_000): Promise<void> => listing.readAll(budgetMs)
  const names = (): string[] => listing.capabilities.tools.map(({ name }) => name)
  const change = (): boolean => listing.handle(CHANGED)
  const gaps = (): number[] => requests.slice(1).map(({ at }, n) => at - (requests[n]?.at ?? 0))
  return { listing, requests, repairs, begin, names, change, gaps }
}

const rejected = (message: string, code = -32_603): Error =>
  new RejectedRequestError('a list', { code, message })

describe('F2: tools that can’t be called over a connection', () => {
  it.each([
    [1, ''],
    [2, ' Another tool was ignored for a similar reason.'],
    [3, ' 2 more tools were ignored for similar reasons.'],
  ])('are ignored and named: %i', async (count, more) => {
    const names = ['good', ...Array.from({ length: count }, (_, at) => `bad${at}`)]
    const tools = names.map((name) => ({ name, inputSchema: {} }))
    const opened = listingOf({
      answer: () => ({ tools }),
      problemOf: ({ name }) => (name.startsWith('bad') ? 'its header is invalid' : undefined),
    })
    await opened.begin()
    expect(opened.names()).toEqual(['good'])
    expect(opened.listing.capabilities.notices).toEqual([
      `Tools: one tool can’t be called and was ignored (bad0: its header is invalid).${more}`,
    ])
  })
})

describe('B5: the first listing', () => {
  it('keeps the other lists if one fails, names that one, and retries it until it succeeds', async () => {
    let failures = 2
    const answer = (method: string, count: number): object => {
      if (method === 'tools/list') return plain(method, count)
      failures -= 1
      if (failures >= 0) throw failures > 0 ? rejected('The disk is away.') : timeoutFailure('', 1)
      return { prompts: [{ name: 'late' }] }
    }
    const capabilities = { tools: {}, prompts: {} }
    const { listing, begin, names, requests } = listingOf({ answer, capabilities })
    await begin()
    const notice = 'Prompts: the list couldn’t be read (The disk is away).'
    expect([names(), listing.capabilities.notices]).toEqual([['t1'], [notice]])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(listing.capabilities).toMatchObject({ prompts: [{ name: 'late' }], notices: [] })
    expect(requests).toHaveLength(4)
  })

  it.each([
    ['with doubling delays if each list is rejected', rejected('away'), [500, 1_000, 2_000]],
    ['never if its response is invalid', invalidAnswer('odd'), []],
  ])('is retried %s, and fails with the reason', async (_how, reason, waits) => {
    const { listing, gaps } = listingOf({ answer: () => Promise.reject(reason) })
    const none = (): undefined => undefined
    const failed = expect(listing.readFirst(4_000, none, none)).rejects.toBe(reason)
    await vi.advanceTimersByTimeAsync(10_000)
    await failed
    expect(gaps()).toEqual(waits)
  })

  it.each([0, 1])('requests undeclared lists once: %i tools', async (count) => {
    const unknown = rejected('Method not found', -32_601)
    const tools = [{ name: 'a', inputSchema: {} }].slice(0, count)
    const answer = (method: string): unknown =>
      method === 'tools/list' ? { tools } : Promise.reject(unknown)
    const { listing, begin, repairs, requests } = listingOf({ answer, capabilities: {} })
    await begin()
    expect(listing.capabilities).toMatchObject({ tools, notices: [] })
    const repair = 'tools/list works although capabilities.tools is missing'
    expect([repairs, requests.length]).toEqual([Array(count).fill(repair), 4])
  })
})

describe('F9: the first listing of a busy server', () => {
  /** Reads from a server with these rejections; resolves to the warnings. */
  async function readFrom(refusals: readonly HttpStatusError[], budgetMs = 25_000) {
    const left = [...refusals]
    const opened = listingOf({
      answer: (method, count) => {
        const refusal = left.shift()
        if (refusal) throw refusal
        return plain(method, count)
      },
    })
    const warnings: string[] = []
    const waits: string[] = []
    const explain = (): undefined => undefined
    const reading = opened.listing
      .readFirst(budgetMs, explain, ({ brief, warning }) => {
        waits.push(brief)
        warnings.push(warning)
      })
      .catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(budgetMs)
    await reading
    return { ...opened, waits, warnings }
  }
  const busy = (status: number, waitMs?: number): HttpStatusError =>
    new HttpStatusError(status, '', { waitMs })

  it.each([429, 503])('is retried with delays that grow from 2 s: %i', async (status) => {
    const { requests, gaps, waits, warnings } = await readFrom(
      Array.from({ length: 50 }, () => busy(status)),
    )
    expect(requests.length).toBeLessThanOrEqual(5)
    const [first = 0, second = 0, third = 0] = gaps()
    expect(first).toBeGreaterThanOrEqual(2_000)
    expect(second).toBeGreaterThanOrEqual(2 * 2_000)
    expect(third).toBeGreaterThanOrEqual(2 * second)
    expect(warnings[0]).toMatch(/^Rate limited\. Next try in 2(?:\.\d)? s/u)
    expect(waits[0]).toMatch(/^rate limited, next try in 2(?:\.\d)? s$/u)
  })

  it('is never retried earlier than the server requests', async () => {
    const { gaps, names } = await readFrom([busy(429, 9_000), busy(429, 1_000)], 60_000)
    expect(gaps()[0]).toBeGreaterThanOrEqual(9_000)
    expect(names()).toEqual(['t3'])
  })
})

describe('C1: a changing list', () => {
  it('is read again after the first reading if it changed meanwhile', async () => {
    const answer = (method: string, count: number): object => {
      for (let times = 0; times < 50 && count === 1; times += 1) change()
      return plain(method, count)
    }
    const { begin, change, names, requests } = listingOf({ answer })
    await begin()
    expect(names()).toEqual(['t1'])
    await vi.advanceTimersByTimeAsync(60_000)
    expect([names(), requests.length]).toEqual([['t2'], 2])
  })

  it('keeps its elements if all pages take longer than the time limit', async () => {
    const pages = (method: string, count: number): object => ({
      ...plain(method, count),
      ...(count > 1 && { nextCursor: `c${count}` }),
    })
    const { listing, begin, change, names } = listingOf({ answer: pages, ms: 300 })
    await begin(5_000)
    change()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(listing.capabilities.notices).toEqual([
      expect.stringMatching(/^Tools: the list couldn’t be refreshed \(.+\)\. The/u),
    ])
    expect(names()).toEqual(['t1'])
  })
})

describe('F9: a list that changes after each of our requests', () => {
  it('is read with delays that double, up to a minute', async () => {
    const answer = (method: string, count: number): object => {
      change()
      return plain(method, count)
    }
    const { begin, change, gaps } = listingOf({ answer })
    await begin()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(gaps().map((ms) => Math.round(ms / 100) * 100)).toEqual([
      ...[200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 51_200],
      ...Array<number>(gaps().length - 9).fill(60_000),
    ])
  })

  it('counts as a protocol violation from the third change in a row, until a quiet time', async () => {
    const { begin, change, repairs, requests } = listingOf({})
    const changed = async (): Promise<number> => {
      change()
      await vi.advanceTimersToNextTimerAsync()
      await vi.advanceTimersToNextTimerAsync()
      return repairs.length
    }
    await begin()
    for (let count = 1; count < 3; count += 1) expect(await changed()).toBe(0)
    expect(await changed()).toBe(1)
    expect(repairs[0]).toContain(`each list request triggers ${CHANGED}`)
    await vi.advanceTimersByTimeAsync(2_000)
    const before = requests.length
    change()
    // After a quiet time the list is read soon, and a change is no violation.
    await vi.advanceTimersByTimeAsync(300)
    expect([requests.length, repairs.length]).toEqual([before + 1, 1])
  })
})

describe('B13: a list with a TTL', () => {
  /** Opens lists with these TTLs, of a server that announces changes or not. */
  async function holding(ttls: Record<string, number>, listChanged = false) {
    const capabilities = { tools: { listChanged }, resources: {} }
    const answer = (method: string): object => ({ ttlMs: ttls[method] })
    const opened = listingOf({ answer, capabilities })
    await opened.begin()
    const later = async (ms: number): Promise<string[]> => {
      opened.requests.length = 0
      await vi.advanceTimersByTimeAsync(ms)
      return opened.requests.map(({ method }) => method)
    }
    return { ...opened, later }
  }

  it('is read again after its TTL, but at least a minute and at most a day later', async () => {
    const ttls: Record<string, number> = { 'tools/list': 1, 'resources/list': 1e15 }
    const { later } = await holding(ttls)
    expect(await later(59_000)).toEqual([])
    expect(await later(11_000)).toEqual(['tools/list'])
    expect(await later(61_000)).toEqual(['tools/list'])
    ttls['tools/list'] = 0
    expect(await later(80_000_000)).toEqual(['tools/list'])
    expect(await later(7_000_000)).toContain('resources/list')
  })

  it.each([
    ['the server announces changes', 100_000, true, false],
    ['its TTL is 0', 0, false, false],
    ['the session has ended', 100_000, false, true],
  ])('is not read again if %s', async (_why, ttlMs, listChanged, isOver) => {
    const { listing, later } = await holding({ 'tools/list': ttlMs }, listChanged)
    if (isOver) listing[Symbol.dispose]()
    expect(await later(200_000)).toEqual([])
  })
})
