import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { openListing } from '../../../../e2e/fixtures/open-listing'
import { pause } from '../../../../e2e/fixtures/pause'
import { type ResultText, writtenResult } from '../json/result-text'
import { ServerListing } from './server-listing'

const HOLDS = join(import.meta.dirname, '../../../../e2e/servers/holds.mjs')

let stack: AsyncDisposableStack
beforeEach(() => {
  stack = new AsyncDisposableStack()
})
afterEach(() => stack.disposeAsync())

/** The first listing of a server whose lists hold for some time, read again after 100 ms at the soonest. */
async function listingOf(...args: string[]): Promise<ServerListing> {
  const options = { era: 'modern', minHoldMs: 100 } as const
  const { listing, stop } = await openListing([HOLDS, ...args], options)
  stack.defer(stop)
  await listing.readAll(10_000)
  expect(names(listing)).toEqual(['listing-1'])
  return listing
}

const names = (listing: ServerListing): string[] =>
  listing.capabilities.tools.map(({ name }) => name)

describe('B13 a list that says how long it holds', () => {
  it('is read again after that, time and again', async () => {
    const listing = await listingOf('5')
    const listings = (): number => Number(names(listing)[0]?.replace('listing-', ''))
    await expect.poll(listings).toBeGreaterThanOrEqual(3)
  })

  it.each([
    ['tells of changes', ['5', 'tells']],
    ['says 0, which is for no time at all', ['0']],
  ])('is not where the server %s', async (_title, args) => {
    const listing = await listingOf(...args)
    await pause(700)
    expect(names(listing)).toEqual(['listing-1'])
  })

  it('is not once the session is over', async () => {
    const listing = await listingOf('5')
    listing[Symbol.dispose]()
    const before = names(listing)
    await pause(700)
    expect(names(listing)).toEqual(before)
  })

  it('is read no sooner than a minute after it was read, and within a day', async () => {
    vi.useFakeTimers()
    stack.defer(() => void vi.useRealTimers())
    const requested: string[] = []
    const ttls: Record<string, number> = { 'tools/list': 1, 'resources/list': 1e15 }
    const request = (method: string): Promise<ResultText> => {
      requested.push(method)
      return Promise.resolve(writtenResult({ ttlMs: ttls[method] }))
    }
    const listing = stack.use(
      new ServerListing({
        peer: { request, isStateless: true },
        declared: () => ({ tools: {}, resources: {} }),
        counted: (_method, send) => send(),
        isOver: () => false,
      }),
    )
    const later = async (ms: number): Promise<string[]> => {
      requested.length = 0
      await vi.advanceTimersByTimeAsync(ms)
      return requested
    }
    await listing.readAll(10_000)
    expect(await later(59_999)).toEqual([])
    expect(await later(10_000)).toEqual(['tools/list'])
    ttls['tools/list'] = 0
    expect(await later(80_000_000)).toEqual(['tools/list'])
    expect(await later(7_000_000)).toContain('resources/list')
  })
})
