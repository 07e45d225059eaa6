import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { openListing } from '../../../../e2e/fixtures/open-listing'
import { pause } from '../../../../e2e/fixtures/pause'
import { ListExpiry } from './list-expiry'
import { LISTS } from './lists'
import type { ServerListing } from './server-listing'

const HOLDS = join(import.meta.dirname, '../../../../e2e/servers/holds.mjs')

let stack: AsyncDisposableStack
beforeEach(() => {
  stack = new AsyncDisposableStack()
})
afterEach(() => stack.disposeAsync())

/** The first listing of a server whose lists hold for some time, read again after 100 ms at the soonest. */
async function listingOf(...args: string[]): Promise<ServerListing> {
  const options = { era: 'modern', shortestHoldMs: 100 } as const
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

  it('is read no sooner than a minute after it was read, and within a day', () => {
    vi.useFakeTimers()
    stack.defer(() => void vi.useRealTimers())
    const due: string[] = []
    const expiry = stack.use(new ListExpiry(({ key }) => due.push(key)))
    const [tools, resources] = LISTS
    if (!tools || !resources) throw new Error('no lists')
    expiry.begin(tools, 1)
    expiry.begin(resources, 1e15)
    vi.advanceTimersByTime(59_999)
    expect(due).toEqual([])
    vi.advanceTimersByTime(1)
    expect(due).toEqual(['tools'])
    vi.advanceTimersByTime(86_400_000)
    expect(due).toEqual(['tools', 'resources'])
  })
})
