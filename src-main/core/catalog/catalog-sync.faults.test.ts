import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { manyServers } from '../../../e2e/fixtures/listed-servers'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { openTestRegistry } from '../../../e2e/fixtures/test-catalog'
import { schedulerOpener } from '../../../e2e/fixtures/test-sync-scheduler'
import { memoryBackend } from '../secrets/secret-vault'

const open = schedulerOpener()

describe('D2: catalog sync with failures', () => {
  it("continues if the catalog's state can't be remembered, and reports that once", async () => {
    const memoryFolder = join(tempFolder('upkeep'), 'taken')
    writeFileSync(memoryFolder, 'a file, where a folder should be')
    const { syncScheduler, troubles, opened } = await open({ memoryFolder })
    await syncScheduler.sync()
    await syncScheduler.sync()
    expect(syncScheduler.state.servers).toBe(5)
    expect((await (await syncScheduler.worker()).search({ text: '' }))?.total).toBe(5)
    expect(opened).toHaveLength(1)
    expect(troubles).toHaveLength(1)
  })

  it("leaves no thread behind if the catalog can't be opened", async () => {
    // A function can't be sent to a thread.
    const { syncScheduler, opened } = await open({ starters: [() => undefined] })
    await expect(syncScheduler.worker()).rejects.toThrow()
    await expect(syncScheduler.worker()).rejects.toThrow()
    expect(opened).toHaveLength(2)
    expect(opened.map(({ threadId }) => threadId)).toEqual([-1, -1])
  })

  it('opens nothing after its end', async () => {
    const { syncScheduler, store, opened } = await open()
    const other = await openTestRegistry(manyServers(1))
    store.saveSettings({ ...store.settings, registryUrl: other.url })
    syncScheduler.settled()
    await syncScheduler[Symbol.asyncDispose]()
    await expect(syncScheduler.worker()).rejects.toThrow('Patchbay is closing')
    await expect(syncScheduler.sync()).rejects.toThrow('Patchbay is closing')
    expect(opened).toEqual([])
    expect(other.requests).toEqual([])
  })

  it('asks the next registry if the sync of one fails', async () => {
    const { syncScheduler, registry, sources, opened, troubles } = await open()
    const other = await openTestRegistry(manyServers(9))
    await sources.add(other.url, undefined)
    registry.misbehave('hang')
    const run = syncScheduler.sync()
    await expect.poll(() => registry.requests.length).toBe(1)
    await opened[0]?.terminate()
    await run
    expect(syncScheduler.state.sources.map(({ servers }) => servers)).toEqual([0, 9])
    expect(troubles.map(String)).toContainEqual(
      expect.stringContaining('The catalog stopped working'),
    )
  })

  it('asks a single registry on request', async () => {
    const { syncScheduler, registry, sources } = await open()
    const other = await openTestRegistry(manyServers(9))
    const sourceId = await sources.add(other.url, undefined)
    await syncScheduler.sync(sourceId)
    expect(registry.requests).toEqual([])
    expect(syncScheduler.state.sources.map(({ servers }) => servers)).toEqual([0, 9])
    await syncScheduler.sync()
    expect(syncScheduler.state.sources.map(({ servers }) => servers)).toEqual([5, 9])
  })

  it("doesn't ask a disabled registry, even by its id", async () => {
    const { syncScheduler, sources } = await open()
    const other = await openTestRegistry(manyServers(9))
    const sourceId = await sources.add(other.url, undefined)
    await sources.change(sourceId, { enabled: false })
    const progressed = new Set<string | undefined>()
    syncScheduler.onDidChange(() => progressed.add(syncScheduler.state.progress?.sourceId))
    await syncScheduler.sync()
    await syncScheduler.sync(sourceId)
    expect(other.requests).toEqual([])
    expect(progressed).toEqual(new Set(['official', undefined]))
    expect(syncScheduler.state.sources.map(({ servers }) => servers)).toEqual([5, 0])
  })

  it('stops at the page limit of the settings, and continues if that is raised', async () => {
    const registry = await openTestRegistry(manyServers(1_050))
    const { syncScheduler, store } = await open({ registry })
    store.saveSettings({ ...store.settings, registryPages: 10 })
    await syncScheduler.sync()
    expect(syncScheduler.state.sources).toMatchObject([
      { servers: 1_000, fault: { code: 'page-limit' } },
    ])
    store.saveSettings({ ...store.settings, registryPages: 11 })
    await syncScheduler.sync()
    expect(syncScheduler.state.sources).toMatchObject([{ servers: 1_050 }])
    expect(syncScheduler.state.sources[0]?.fault).toBeUndefined()
  })

  it('starts another sync after the running one if a source changed', async () => {
    const { syncScheduler, syncs } = await open()
    await Promise.all([syncScheduler.sync(), syncScheduler.resync(), syncScheduler.resync()])
    expect(syncs()).toBe(2)
  })

  it("doesn't ask a registry whose token the keychain can't provide, and says why", async () => {
    const backend = memoryBackend()
    let isLocked = false
    const secrets = {
      ...backend,
      get: (name: string) => (isLocked ? Promise.reject(new Error('locked')) : backend.get(name)),
    }
    const { syncScheduler, sources } = await open({ secrets })
    const token = 'token-of-acme'
    const acme = await openTestRegistry(manyServers(9), { token })
    await sources.add(acme.url, token)
    isLocked = true
    await syncScheduler.sync()
    expect(acme.requests).toEqual([])
    expect(syncScheduler.state.sources).toMatchObject([
      { servers: 5 },
      {
        fault: {
          code: 'token-unread',
          message: `The token of the registry at ${acme.url} can’t be read from the keychain.`,
        },
      },
    ])
    isLocked = false
    await syncScheduler.sync()
    expect(syncScheduler.state.sources[1]).toMatchObject({ servers: 9 })
    expect(syncScheduler.state.sources[1]?.fault).toBeUndefined()
  })
})
