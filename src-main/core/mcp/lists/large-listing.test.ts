import { describe, expect, it } from 'vitest'

import { turnsDuring } from '../../../../e2e/fixtures/turns-during'
import { writtenResult } from '../json/result-text'
import { ServerListing } from './server-listing'

function listingOf(count: number): ServerListing {
  const properties = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`p${at}`, { type: 'string', description: 'A text.' }]),
  )
  const tools = Array.from({ length: count }, (_, at) => {
    return { name: `t${at}`, inputSchema: { type: 'object', properties } }
  })
  return new ServerListing({
    peer: { request: () => Promise.resolve(writtenResult({ tools })), isStateless: false },
    declared: () => ({ tools: {} }),
    counted: (_method, send) => send(),
    hasEnded: () => false,
  })
}

describe('F9: a server with 20,000 tools', () => {
  it("doesn't block the event loop while the maximum number of tools is read", async () => {
    const listing = listingOf(20_000)
    const turns = await turnsDuring(() => listing.readAll(60_000))
    expect(listing.capabilities.tools).toHaveLength(10_000)
    expect(turns).toBeGreaterThanOrEqual(3)
    listing[Symbol.dispose]()
  })

  it('differs from one with few tools, which takes a single turn', async () => {
    const listing = listingOf(20)
    expect(await turnsDuring(() => listing.readAll(60_000))).toBe(0)
    listing[Symbol.dispose]()
  })
})
