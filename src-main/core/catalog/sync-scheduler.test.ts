import { describe, expect, it, onTestFinished } from 'vitest'

import { manyServers } from '../../../e2e/fixtures/listed-servers'
import { type LocalRegistry, startLocalRegistry } from '../../../e2e/fixtures/local-registry'
import { pause } from '../../../e2e/fixtures/pause'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { openTestRegistry } from '../../../e2e/fixtures/test-catalog'
import { schedulerOpener, untilStill } from '../../../e2e/fixtures/test-sync-scheduler'

const HOUR_MS = 3_600_000
const open = schedulerOpener()

describe('D2: automatic catalog sync', () => {
  it('begins a while after the app starts, then runs hourly', async () => {
    const { syncScheduler, time, syncs, troubles, opened } = await open()
    syncScheduler.begin(5_000)
    time.pass(4_999)
    expect(opened).toHaveLength(0)
    time.pass(1)
    await expect.poll(syncs).toBe(1)
    await untilStill(syncScheduler)
    time.pass(HOUR_MS - 120_000)
    await untilStill(syncScheduler)
    expect(syncs()).toBe(1)
    time.pass(180_000)
    await expect.poll(syncs).toBe(2)
    await untilStill(syncScheduler)
    expect(troubles).toEqual([])
  })

  it('requests nothing if the user turned it off, but still reads the local catalog', async () => {
    const { syncScheduler, registry, time, store } = await open()
    store.saveSettings({ ...store.settings, catalogUpkeep: false })
    syncScheduler.begin(0)
    time.pass(3 * HOUR_MS)
    await untilStill(syncScheduler)
    expect(syncScheduler.state.servers).toBe(0)
    expect(registry.requests).toEqual([])
    await syncScheduler.sync()
    expect(syncScheduler.state.servers).toBe(5)
  })

  it('requests only new, moved or enabled sources if the user turned it off', async () => {
    const { syncScheduler, registry, store, sources } = await open()
    store.saveSettings({ ...store.settings, catalogUpkeep: false })
    const running = await Promise.all([9, 7].map((count) => openTestRegistry(manyServers(count))))
    const [other, elsewhere] = running as [LocalRegistry, LocalRegistry]
    /** The number of requests that a change causes at each registry. */
    const asked = async (change: () => unknown): Promise<number[]> => {
      const all = [registry, other, elsewhere]
      const before = all.map(({ requests }) => requests.length)
      await change()
      const { edition } = syncScheduler.state
      syncScheduler.settled()
      await expect.poll(() => syncScheduler.state.edition).toBeGreaterThan(edition)
      // Ends with the running sync.
      await syncScheduler.resync([])
      return all.map(({ requests }, place) => requests.length - (before[place] ?? 0))
    }
    let id = ''
    expect(await asked(async () => (id = await sources.add(other.url, undefined)))).toEqual([
      0, 1, 0,
    ])
    expect(await asked(() => sources.change(id, { enabled: false }))).toEqual([0, 0, 0])
    expect(await asked(() => sources.change(id, { enabled: true }))).toEqual([0, 1, 0])
    const lead = (registryUrl: string): void =>
      store.saveSettings({ ...store.settings, registryUrl })
    expect(await asked(() => lead(elsewhere.url))).toEqual([0, 0, 1])
    expect(await asked(() => sources.remove(id))).toEqual([0, 0, 0])
    expect(syncScheduler.state.servers).toBe(7)
  })

  it('continues what a user requested after the registries changed', async () => {
    const { syncScheduler, registry, store, sources } = await open()
    store.saveSettings({ ...store.settings, catalogUpkeep: false })
    const other = await openTestRegistry(manyServers(9))
    const id = await sources.add(other.url, undefined)
    registry.misbehave('hang', { times: 1 })
    const run = syncScheduler.sync()
    await expect.poll(() => registry.requests.length).toBe(1)
    await sources.remove(id)
    syncScheduler.settled()
    await run
    await expect
      .poll(() => syncScheduler.state)
      .toMatchObject({ sources: [{ servers: 5 }], servers: 5 })
    expect(other.requests).toEqual([])
  })

  it("removes a registry's servers immediately, even while another one is being fetched", async () => {
    const { syncScheduler, sources } = await open()
    const [other, slow] = (await Promise.all(
      [9, 7].map((count) => openTestRegistry(manyServers(count))),
    )) as [LocalRegistry, LocalRegistry]
    const id = await sources.add(other.url, undefined)
    syncScheduler.settled()
    await expect.poll(() => syncScheduler.state.servers).toBe(14)
    slow.misbehave('hang')
    await sources.add(slow.url, undefined)
    syncScheduler.settled()
    await expect.poll(() => slow.requests.length).toBe(1)
    await sources.remove(id)
    syncScheduler.settled()
    await expect.poll(() => syncScheduler.state.servers).toBe(5)
    await expect.poll(() => slow.requests.length).toBe(2)
    slow.misbehave('ok')
    syncScheduler.cancelSync()
    await syncScheduler.resync()
    expect(syncScheduler.state.servers).toBe(12)
  })

  it("doesn't open the catalog for a start within the hour, but knows its state", async () => {
    const place = { folder: tempFolder('upkeep'), registry: await openTestRegistry(manyServers(5)) }
    const name = 'org.example/server-0000'
    const first = await open(place)
    await first.syncScheduler.sync()
    const before = first.syncScheduler.state
    expect(before.servers).toBe(5)
    await first.syncScheduler[Symbol.asyncDispose]()

    const again = await open(place)
    // The thread uses the real time of a sync.
    again.time.pass(Date.now() - again.time.now())
    expect(again.syncScheduler.state).toMatchObject({ servers: 5, sources: before.sources })
    again.syncScheduler.begin(0)
    again.time.pass(HOUR_MS / 2)
    await pause(100)
    expect(again.opened).toHaveLength(0)
    again.time.pass(HOUR_MS)
    await expect.poll(() => again.opened.length).toBe(1)
    await untilStill(again.syncScheduler)
    await again.syncScheduler[Symbol.asyncDispose]()

    const other = await open({ ...place, installed: [name] })
    other.time.pass(Date.now() - other.time.now())
    other.syncScheduler.begin(0)
    other.time.pass(1)
    await expect.poll(() => other.opened.length).toBe(1)
    await untilStill(other.syncScheduler)
    const stands = [expect.objectContaining({ name, sourceId: 'official', status: 'active' })]
    expect(other.syncScheduler.statuses.list).toEqual(stands)
    await other.syncScheduler[Symbol.asyncDispose]()

    const last = await open({ ...place, installed: [name] })
    last.time.pass(Date.now() - last.time.now())
    expect(last.syncScheduler.statuses.list).toEqual(stands)
    last.syncScheduler.begin(0)
    last.time.pass(HOUR_MS / 2)
    await pause(100)
    expect(last.opened).toEqual([])
  })

  it('joins calls to the running sync', async () => {
    const { syncScheduler, syncs } = await open()
    await Promise.all([syncScheduler.sync(), syncScheduler.sync()])
    expect(syncs()).toBe(1)
  })

  it('uses a changed address in the settings immediately', async () => {
    const { syncScheduler, store } = await open()
    await syncScheduler.sync()
    const other = await startLocalRegistry(manyServers(9))
    onTestFinished(other.close)
    store.saveSettings({ ...store.settings, registryUrl: other.url })
    syncScheduler.settled()
    await expect.poll(() => syncScheduler.state.servers).toBe(9)
  })

  it('reports each change of its state, and none after its end', async () => {
    const { syncScheduler } = await open()
    let reported = 0
    syncScheduler.onDidChange(() => (reported += 1))
    await syncScheduler.sync()
    expect(reported).toBeGreaterThan(2)
    await syncScheduler[Symbol.asyncDispose]()
    const before = reported
    syncScheduler.listChanged()
    expect(reported).toBe(before)
  })
})
