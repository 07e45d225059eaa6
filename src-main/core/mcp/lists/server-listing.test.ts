import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { openListing } from '../../../../e2e/fixtures/open-listing'
import { pause } from '../../../../e2e/fixtures/pause'
import { writtenResult } from '../json/result-text'
import { ServerListing } from './server-listing'

const stops: (() => Promise<void>)[] = []
afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())))

/**
 * The listing of a real server that says `often` times that its tools changed while it answers its first listing, and
 * whose only tool is named after how many listings came so far and how many of them are open.
 */
async function listingOf(often: number): Promise<ServerListing> {
  return listingBy(`
    const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
    let count = 0, open = 0
    require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line)
      if (method === 'initialize') say({ id, result: { protocolVersion: params.protocolVersion,
        capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'eager', version: '1' } } })
      else if (method === 'tools/list') {
        const name = 'listing-' + ++count + '-of-' + ++open + '-open'
        if (count === 1) for (let n = 0; n < ${often}; n += 1)
          for (const kind of ['tools', 'prompts']) say({ method: 'notifications/' + kind + '/list_changed' })
        setTimeout(() => {
          open -= 1
          say({ id, result: { tools: [{ name, inputSchema: {} }] } })
        }, 400)
      }
    })`)
}

/** The listing of a real server that runs `code`. */
async function listingBy(code: string): Promise<ServerListing> {
  const { listing, stop } = await openListing(['-e', code])
  stops.push(stop)
  return listing
}

const names = (listing: ServerListing): string[] =>
  listing.capabilities.tools.map(({ name }) => name)

describe('C1 a list that changes while it is listed for the first time', () => {
  it('is read once more, after that, however often it is said', async () => {
    const listing = await listingOf(50)
    let relisted = 0
    listing.onDidChange(() => (relisted += 1))
    await listing.readAll(10_000)
    expect(names(listing)).toEqual(['listing-1-of-1-open'])
    await expect.poll(() => names(listing)).toEqual(['listing-2-of-1-open'])
    await pause(800)
    expect([names(listing), relisted]).toEqual([['listing-2-of-1-open'], 1])
  })

  it('is not read again when nothing is said', async () => {
    const listing = await listingOf(0)
    await listing.readAll(10_000)
    await pause(800)
    expect(names(listing)).toEqual(['listing-1-of-1-open'])
  })
})

/** A server with one tool, that says after each listing that its tools changed. */
const RESTLESS = `
  const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
  let count = 0
  require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (method === 'initialize') return say({ id, result: { protocolVersion: params.protocolVersion,
      capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'restless', version: '1' } } })
    if (method !== 'tools/list') return
    count += 1
    ANSWER
    setTimeout(() => say({ method: 'notifications/tools/list_changed' }), 20)
  })`

describe('C1 a list that is read again and again', () => {
  it('counts as not read when all of its pages take longer than the first listing may', async () => {
    const listing = await listingBy(
      RESTLESS.replace(
        'ANSWER',
        `const result = { tools: [{ name: 't' + count, inputSchema: {} }] }
         if (count === 1) say({ id, result })
         else return setTimeout(() => say({ id, result: { ...result, nextCursor: 'c' + count } }), 300)`,
      ),
    )
    await listing.readAll(5_000)
    await expect
      .poll(() => listing.capabilities.notices)
      .toEqual([expect.stringMatching(/^Tools: the list couldn’t be refreshed \(.+\)\. The/)])
    expect(names(listing)).toEqual(['t1'])
  })
})

describe('F9 a list whose changes only follow our own readings', () => {
  /** Announces a change as soon as its list was read. */
  const FOLLOWING = RESTLESS.replace(
    'ANSWER',
    `say({ id, result: { tools: [{ name: 't' + count, inputSchema: {} }] } })`,
  ).replace(', 20)', ', 0)')

  it('is read after waits that grow', async () => {
    const listing = await listingBy(FOLLOWING)
    const gaps: number[] = []
    let last = performance.now()
    listing.onDidChange(() => {
      gaps.push(performance.now() - last)
      last = performance.now()
    })
    await listing.readAll(10_000)
    // A computer that is busy can take a change for one after a quiet time, and begins with the shortest wait again.
    await expect.poll(() => Math.max(...gaps)).toBeGreaterThan(1_400)
  })

  it('is read soon where a change comes after a quiet time', async () => {
    const listing = await listingBy(
      RESTLESS.replace(
        'ANSWER',
        `say({ id, result: { tools: [{ name: 't' + count, inputSchema: {} }] } })
         if (count > 1) return`,
      ).replace(', 20)', ', 1_500)'),
    )
    await listing.readAll(10_000)
    await expect.poll(() => names(listing)).toEqual(['t2'])
  })

  it('counts as a departure from the protocol from the tenth change in a row, until a quiet time', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const repairs: string[] = []
    const listing = new ServerListing({
      peer: { isStateless: false, request: () => Promise.resolve(writtenResult({ tools: [] })) },
      declared: () => ({ tools: { listChanged: true } }),
      counted: (_method, send) => send(),
      isOver: () => false,
      onRepair: (repair) => repairs.push(repair),
    })
    const change = async (): Promise<number> => {
      listing.take('notifications/tools/list_changed')
      await vi.advanceTimersToNextTimerAsync()
      return repairs.length
    }
    await listing.readAll(10_000)
    for (let count = 1; count < 10; count += 1) expect(await change()).toBe(0)
    expect(await change()).toBe(1)
    expect(repairs[0]).toContain('each list request triggers notifications/tools/list_changed')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await change()).toBe(1)
  })
})
