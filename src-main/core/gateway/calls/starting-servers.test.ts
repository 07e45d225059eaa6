import { describe, expect, it } from 'vitest'

import type { Server } from '../../servers/server'
import { StartingServers } from './starting-servers'

/** Opens three servers: one is listed, two start and were never listed. */
function open() {
  const listing = {
    servers: ['known', 'late', 'later'].map((installationId) => {
      return { installationId, alias: installationId, name: installationId.toUpperCase() }
    }),
  }
  const waits: [string, number][] = []
  const listed = new Set(['known'])
  const kinds = new Map<string, string>()
  const starting = new StartingServers({
    servers: {
      find: (id) =>
        ({
          status: { kind: kinds.get(id) ?? 'starting' },
          ready: ({ waitMs }: { readonly waitMs: number }) => {
            waits.push([id, waitMs])
            return Promise.reject(new Error('It did not start.'))
          },
        }) as unknown as Server,
    },
    tools: { isListed: (id) => listed.has(id) },
  })
  const waiting = { listing, method: 'tools/list', session: {}, signal: undefined }
  return { starting, waits, waiting, kinds, listing }
}

describe('C8: lists during the start of servers that were never listed', () => {
  it('wait 8 s for each server in one session, but not for others', async () => {
    const { starting, waits, waiting, kinds } = open()
    kinds.set('later', 'error')
    await starting.whenListed(waiting)
    await starting.whenListed(waiting)
    await starting.whenListed({ ...waiting, session: {} })
    expect(waits.map(([id]) => id)).toEqual(['late', 'late', 'late'])
    const [first = 0, second = 0, other = 0] = waits.map(([, ms]) => ms)
    expect([first > 7_000, first <= 8_000, second < first, other >= second]).toEqual(
      Array(4).fill(true),
    )
  })

  it("let a call of such a server's tool wait as long as the agent does", async () => {
    const { starting, waits, waiting } = open()
    expect(await starting.waitForName('late__tool', waiting)).toBe(true)
    expect(waits).toEqual([['late', 1_800_000]])
    expect(await starting.waitForName('other__tool', waiting)).toBe(true)
    expect(waits.slice(1).map(([id]) => id)).toEqual(['late', 'later'])
  })

  it("don't wait for an unknown name if no server starts", async () => {
    const { starting, waits, waiting, kinds, listing } = open()
    for (const id of ['late', 'later']) kinds.set(id, 'ready')
    expect(await starting.waitForName('late__tool', waiting)).toBe(false)
    expect([waits, starting.unknown(listing, 'late__tool')]).toEqual([[], undefined])
  })

  it('name the servers that still start when an unknown name is rejected', () => {
    const { starting, listing } = open()
    expect(starting.unknown(listing, 'other__tool')).toMatchObject({
      code: 'NOT_FOUND',
      message: 'other__tool isn’t known yet: LATE, LATER still starting.',
    })
  })
})
