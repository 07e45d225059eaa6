import { describe, expect, it } from 'vitest'

import { listedServer, manyServers } from '../../../../e2e/fixtures/listed-servers'
import {
  listedNames,
  openTestRegistry,
  openTestStore,
  syncFrom,
} from '../../../../e2e/fixtures/test-catalog'

const WHOLE = { mode: 'full' } as const

describe('D2 a registry whose list is hard to believe', () => {
  it('takes nothing away when none of its entries can be read, however many pages they have', async () => {
    for (const count of [5, 250]) {
      const store = openTestStore()
      const running = await openTestRegistry(manyServers(5))
      await syncFrom(store, running)
      const tooLong = (at: number) => `${'x'.repeat(401)}${String(at).padStart(3, '0')}`
      const odd = Array.from({ length: count }, (_, at) => ({ server: { name: tooLong(at) } }))
      running.entries.splice(0, 5, ...odd)
      for (let run = 0; run < 2; run += 1) {
        const report = await syncFrom(store, running, WHOLE)
        expect(report).toMatchObject({ removed: 0, fault: { code: 'unreadable-list' } })
      }
      expect(listedNames(store)).toHaveLength(5)
    }
  })

  it('loses no server whose name came, though its entry is far too large', async () => {
    const store = openTestStore()
    const running = await openTestRegistry(manyServers(3))
    await syncFrom(store, running)
    const name = 'org.example/server-0001'
    running.entries.splice(1, 2, listedServer({ name, description: 'x'.repeat(600_000) }))
    const report = await syncFrom(store, running, WHOLE)
    expect(report).toMatchObject({ leftOut: 1, removed: 1 })
    expect(report.fault).toBeUndefined()
    expect(listedNames(store)).toEqual(['org.example/server-0000', name])
  })

  it('takes most of a long list away only when it says so twice in a row', async () => {
    const store = openTestStore()
    const running = await openTestRegistry(manyServers(30))
    await syncFrom(store, running)
    running.entries.length = 14
    const first = await syncFrom(store, running, WHOLE)
    expect(first).toMatchObject({ removed: 0, fault: { code: 'shrunken-list' } })
    expect(first.fault?.message).toContain('returned only 14 of 30 servers')
    expect(listedNames(store)).toHaveLength(30)
    // It came to its senses in between, so what it says next is new.
    running.entries.push(...manyServers(30).slice(14))
    expect((await syncFrom(store, running, WHOLE)).fault).toBeUndefined()
    running.entries.length = 14
    expect((await syncFrom(store, running, WHOLE)).fault?.code).toBe('shrunken-list')
    const last = await syncFrom(store, running, WHOLE)
    expect(last).toMatchObject({ removed: 16 })
    expect(last.fault).toBeUndefined()
    expect(listedNames(store)).toHaveLength(14)
  })

  it('is believed immediately where half of a list stays, or the list is short', async () => {
    for (const [before, after] of [
      [30, 15],
      [20, 1],
    ] as const) {
      const store = openTestStore()
      const running = await openTestRegistry(manyServers(before))
      await syncFrom(store, running)
      running.entries.length = after
      expect((await syncFrom(store, running, WHOLE)).fault).toBeUndefined()
      expect(listedNames(store)).toHaveLength(after)
    }
  })
})

describe('D2 a registry that fails at the page a sync goes on from', () => {
  it('is asked for all of it when it failed there twice', async () => {
    const store = openTestStore()
    const running = await openTestRegistry(manyServers(250))
    running.misbehave('error-500', { after: 1, times: 2 })
    await syncFrom(store, running)
    const second = await syncFrom(store, running)
    expect(second).toMatchObject({ fault: { code: 'server-error' }, entries: 0 })
    expect(store.sources.list()).toMatchObject([{ waitingPages: 1 }])
    running.misbehave('error-500', { times: 1 })
    const third = await syncFrom(store, running)
    expect(third.fault).toBeUndefined()
    expect(third).toMatchObject({ pages: 3, entries: 250 })
    expect(listedNames(store)).toHaveLength(250)
  })

  it('loses nothing where it fails at every page', async () => {
    const store = openTestStore()
    const running = await openTestRegistry(manyServers(250))
    running.misbehave('error-500', { after: 1 })
    for (let run = 0; run < 4; run += 1) await syncFrom(store, running)
    expect(store.sources.list()).toMatchObject([{ waitingPages: 1, servers: 100 }])
    running.misbehave('ok')
    expect(await syncFrom(store, running)).toMatchObject({ pages: 3, entries: 150 })
  })
})
