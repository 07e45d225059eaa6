import { describe, expect, it } from 'vitest'

import { listedServer, manyServers } from '../../../../e2e/fixtures/listed-servers'
import {
  listedNames,
  openTestRegistry,
  openTestStore,
  syncFrom,
} from '../../../../e2e/fixtures/test-catalog'

const WHOLE = { mode: 'full' } as const

describe('D2: a registry with an implausible list', () => {
  it('removes nothing if none of its entries is readable, however many pages there are', async () => {
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

  it('removes no server whose name came, even if its entry is far too large', async () => {
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

  it('removes most of a long list only if it lacks them twice in a row', async () => {
    const store = openTestStore()
    const running = await openTestRegistry(manyServers(30))
    await syncFrom(store, running)
    running.entries.length = 14
    const first = await syncFrom(store, running, WHOLE)
    expect(first).toMatchObject({ removed: 0, fault: { code: 'shrunken-list' } })
    expect(first.fault?.message).toContain('returned only 14 of 30 servers')
    expect(listedNames(store)).toHaveLength(30)
    // A full list came in between, so the count starts again.
    running.entries.push(...manyServers(30).slice(14))
    expect((await syncFrom(store, running, WHOLE)).fault).toBeUndefined()
    running.entries.length = 14
    expect((await syncFrom(store, running, WHOLE)).fault?.code).toBe('shrunken-list')
    const last = await syncFrom(store, running, WHOLE)
    expect(last).toMatchObject({ removed: 16 })
    expect(last.fault).toBeUndefined()
    expect(listedNames(store)).toHaveLength(14)
  })

  it('is trusted immediately if half of the list stays or the list is short', async () => {
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

describe('D2: a registry that fails at the page where a sync resumes', () => {
  it('is asked for the whole list after two failures', async () => {
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

  it('loses nothing if every page fails', async () => {
    const store = openTestStore()
    const running = await openTestRegistry(manyServers(250))
    running.misbehave('error-500', { after: 1 })
    for (let run = 0; run < 4; run += 1) await syncFrom(store, running)
    expect(store.sources.list()).toMatchObject([{ waitingPages: 1, servers: 100 }])
    running.misbehave('ok')
    expect(await syncFrom(store, running)).toMatchObject({ pages: 3, entries: 150 })
  })
})
