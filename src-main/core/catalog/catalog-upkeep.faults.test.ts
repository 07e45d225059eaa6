import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { manyServers } from '../../../e2e/fixtures/listed-servers'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { openTestRegistry } from '../../../e2e/fixtures/test-catalog'
import { PATIENT, upkeepOpener } from '../../../e2e/fixtures/test-upkeep'
import { memoryBackend } from '../secrets/memory-backend'

const open = upkeepOpener()

describe('D2 the upkeep of the catalog when something fails', () => {
  it('goes on where it cannot remember how the catalog stands, and tells that once', async () => {
    const memoryFolder = join(tempFolder('upkeep'), 'taken')
    writeFileSync(memoryFolder, 'a file, where a folder should be')
    const { upkeep, troubles, opened } = await open({ memoryFolder })
    await upkeep.sync()
    await upkeep.sync()
    expect(upkeep.state.servers).toBe(5)
    expect((await (await upkeep.worker()).search({ text: '' }))?.total).toBe(5)
    expect(opened).toHaveLength(1)
    expect(troubles).toHaveLength(1)
  })

  it('leaves no thread behind when the catalog cannot be opened', async () => {
    // No function can be sent to a thread.
    const { upkeep, opened } = await open({ starters: [() => undefined] })
    await expect(upkeep.worker()).rejects.toThrow()
    await expect(upkeep.worker()).rejects.toThrow()
    expect(opened).toHaveLength(2)
    expect(opened.map(({ threadId }) => threadId)).toEqual([-1, -1])
  })

  it('opens nothing once it has ended', async () => {
    const { upkeep, store, opened } = await open()
    const other = await openTestRegistry(manyServers(1))
    store.saveSettings({ ...store.settings, registryUrl: other.url })
    upkeep.settled()
    await upkeep[Symbol.asyncDispose]()
    await expect(upkeep.worker()).rejects.toThrow('Patchbay is closing')
    await expect(upkeep.sync()).rejects.toThrow('Patchbay is closing')
    expect(opened).toEqual([])
    expect(other.requests).toEqual([])
  })

  it('asks the next registry when the sync of one fails', async () => {
    const { upkeep, registry, sources, opened, troubles } = await open()
    const other = await openTestRegistry(manyServers(9))
    await sources.add(other.url, undefined)
    registry.misbehave('hang')
    const run = upkeep.sync()
    await expect.poll(() => registry.requests.length, PATIENT).toBe(1)
    await opened[0]?.terminate()
    await run
    expect(upkeep.state.sources.map(({ servers }) => servers)).toEqual([0, 9])
    expect(troubles.map(String)).toContainEqual(
      expect.stringContaining('The catalog stopped working'),
    )
  })

  it('asks one registry alone where that is wanted', async () => {
    const { upkeep, registry, sources } = await open()
    const other = await openTestRegistry(manyServers(9))
    const sourceId = await sources.add(other.url, undefined)
    await upkeep.sync(sourceId)
    expect(registry.requests).toEqual([])
    expect(upkeep.state.sources.map(({ servers }) => servers)).toEqual([0, 9])
    await upkeep.sync()
    expect(upkeep.state.sources.map(({ servers }) => servers)).toEqual([5, 9])
  })

  it('does not ask a registry that is switched off, though it is asked for by its id', async () => {
    const { upkeep, sources } = await open()
    const other = await openTestRegistry(manyServers(9))
    const sourceId = await sources.add(other.url, undefined)
    await sources.change(sourceId, { enabled: false })
    const progressed = new Set<string | undefined>()
    upkeep.onDidChange(() => progressed.add(upkeep.state.progress?.sourceId))
    await upkeep.sync()
    await upkeep.sync(sourceId)
    expect(other.requests).toEqual([])
    expect(progressed).toEqual(new Set(['official', undefined]))
    expect(upkeep.state.sources.map(({ servers }) => servers)).toEqual([5, 0])
  })

  it('ends at the pages that the settings allow, and goes beyond them once they allow more', async () => {
    const registry = await openTestRegistry(manyServers(1_050))
    const { upkeep, store } = await open({ registry })
    store.saveSettings({ ...store.settings, registryPages: 10 })
    await upkeep.sync()
    expect(upkeep.state.sources).toMatchObject([{ servers: 1_000, fault: { code: 'page-limit' } }])
    store.saveSettings({ ...store.settings, registryPages: 11 })
    await upkeep.sync()
    expect(upkeep.state.sources).toMatchObject([{ servers: 1_050 }])
    expect(upkeep.state.sources[0]).not.toHaveProperty('fault')
  })

  it('lets another sync follow the one under way where a source is another since', async () => {
    const { upkeep, syncs } = await open()
    await Promise.all([upkeep.sync(), upkeep.syncAnew(), upkeep.syncAnew()])
    expect(syncs()).toBe(2)
  })

  it('does not ask a registry whose token the keychain does not give, and says why', async () => {
    const backend = memoryBackend()
    let isLocked = false
    const secrets = {
      ...backend,
      get: (name: string) => (isLocked ? Promise.reject(new Error('locked')) : backend.get(name)),
    }
    const { upkeep, sources } = await open({ secrets })
    const token = 'token-of-acme'
    const acme = await openTestRegistry(manyServers(9), { token })
    await sources.add(acme.url, token)
    isLocked = true
    await upkeep.sync()
    expect(acme.requests).toEqual([])
    expect(upkeep.state.sources).toMatchObject([
      { servers: 5 },
      {
        fault: {
          code: 'token-unread',
          message: `The token of the registry at ${acme.url} can’t be read from the keychain.`,
        },
      },
    ])
    isLocked = false
    await upkeep.sync()
    expect(upkeep.state.sources[1]).toMatchObject({ servers: 9 })
    expect(upkeep.state.sources[1]).not.toHaveProperty('fault')
  })
})
