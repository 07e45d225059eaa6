import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { builtThread } from '../../../e2e/fixtures/built-program'
import { fixtureServer } from '../../../e2e/fixtures/fixture-server'
import type { Harness } from '../../../e2e/fixtures/harness'
import { listedServer, manyServers } from '../../../e2e/fixtures/listed-servers'
import {
  type LocalRegistry,
  type LocalRegistryOptions,
  startLocalRegistry,
} from '../../../e2e/fixtures/local-registry'
import { openHarness } from '../../../e2e/fixtures/open-harness'
import type { CatalogState } from '../../../src-shared/domain/catalog/catalog-state'

const FILESYSTEM = 'io.github.modelcontextprotocol/filesystem'
const createCatalogWorker = builtThread('catalog')

function open(memory?: Harness['memory'], profileDir?: string): Harness {
  const place = profileDir === undefined ? {} : { profileDir }
  return openHarness(memory, { createCatalogWorker, ...place })
}

async function serve(
  entries: readonly object[],
  options?: LocalRegistryOptions,
): Promise<LocalRegistry> {
  const registry = await startLocalRegistry(entries, options)
  onTestFinished(registry.close)
  return registry
}

async function stateOf(harness: Harness): Promise<CatalogState> {
  return (await harness.call('app.snapshot', {})).catalog
}

/** Follows a registry and waits until its list or fault is there. */
async function follow(harness: Harness, registry: LocalRegistry): Promise<CatalogState> {
  await harness.call('settings.update', { registryUrl: registry.url })
  await expect.poll(() => isSettled(harness)).toBe(true)
  return stateOf(harness)
}

async function isSettled(harness: Harness): Promise<boolean> {
  const { progress, sources } = await stateOf(harness)
  const ended = sources.filter(({ completedAt, fault }) => completedAt !== undefined || fault)
  return progress === undefined && ended.length === sources.filter(({ enabled }) => enabled).length
}

async function namesOf(harness: Harness, text: string): Promise<string[]> {
  const page = await harness.call('catalog.query', { text, searchBox: 'test', limit: 500 })
  return (page?.servers ?? []).map(({ sourceId, name }) => `${sourceId} ${name}`)
}

function damage(path: string): void {
  writeFileSync(path, 'no database at all, but text')
}

/** Locks a catalog's file as another program until the test ends. */
function hold(path: string): void {
  const other = new DatabaseSync(path)
  onTestFinished(() => other.close())
  other.exec('BEGIN EXCLUSIVE')
}

function age(path: string): void {
  using other = new DatabaseSync(path)
  other.exec('PRAGMA user_version = 99')
}

describe('D2: the catalog of a running app', () => {
  it('lists the starter servers before any sync, and asks no registry automatically', async () => {
    const harness = open()
    expect(await namesOf(harness, '')).toHaveLength(14)
    expect((await namesOf(harness, 'filesystem'))[0]).toBe(`starter ${FILESYSTEM}`)
    // All but one are hosted there; none is about it.
    expect(await namesOf(harness, 'github')).toEqual([])
    const detail = await harness.call('catalog.detail', { sourceId: 'starter', name: FILESYSTEM })
    expect(detail.entry).toMatchObject({ entryId: `starter:${FILESYSTEM}`, source: 'starter' })
    expect(await stateOf(harness)).toMatchObject({ servers: 14, starters: 14 })
  })

  it("shows each name once: a registry's own entry replaces the starter, even if taken down", async () => {
    const registry = await serve([
      listedServer({ name: FILESYSTEM, title: 'The real one' }),
      listedServer({ name: 'a.example/other' }),
    ])
    const harness = open()
    expect((await follow(harness, registry)).starters).toBe(13)
    // Only an increment reports servers that a registry took down.
    const gone = { name: 'io.github.modelcontextprotocol/memory', status: 'deleted' } as const
    registry.entries.push(listedServer({ ...gone, updatedAt: new Date().toISOString() }))
    await harness.call('catalog.sync', {})
    await expect.poll(async () => (await stateOf(harness)).starters).toBe(12)
    const names = await namesOf(harness, '')
    expect(names.filter((name) => name.endsWith(FILESYSTEM))).toEqual([`official ${FILESYSTEM}`])
    expect(names.join()).not.toContain('modelcontextprotocol/memory')
    expect((await stateOf(harness)).servers).toBe(14)
  })

  it('lists pasted entries first, and omits them with a registry filter', async () => {
    const harness = open()
    const { server: pasted } = await harness.paste(fixtureServer('plain.mjs', { title: 'Mine' }))
    expect((await namesOf(harness, ''))[0]).toBe(`pasted ${pasted.name}`)
    expect(await namesOf(harness, 'filesystem')).not.toContain(`pasted ${pasted.name}`)
    const query = { text: '', searchBox: 'x', limit: 5 }
    const page = await harness.call('catalog.query', { ...query, offset: 13 })
    expect([page?.total, page?.servers.length]).toEqual([15, 2])
    const filtered = await harness.call('catalog.query', { ...query, filter: { kinds: ['npm'] } })
    expect(filtered?.total).toBe(14)
    const ref = { sourceId: 'pasted', name: pasted.name }
    expect((await harness.call('catalog.detail', ref)).entry.source).toBe('pasted')
    expect((await harness.call('catalog.versions', ref)).versions).toHaveLength(1)
  })

  it("says why a registry wasn't read, keeps its list, and recovers with the next sync", async () => {
    const registry = await serve(manyServers(250))
    const harness = open()
    expect((await follow(harness, registry)).servers).toBe(264)
    registry.misbehave('html')
    await harness.call('catalog.sync', {})
    await expect.poll(async () => (await stateOf(harness)).sources[0]?.fault?.code).toBe('web-page')
    expect(await namesOf(harness, 'server-0249')).toEqual(['official org.example/server-0249'])
    registry.misbehave('ok')
    await harness.call('catalog.sync', {})
    await expect.poll(async () => (await stateOf(harness)).sources[0]?.fault).toBeUndefined()
  })

  it("resumes a stopped sync in the app's next run", async () => {
    const registry = await serve(manyServers(450))
    const harness = open()
    registry.misbehave('hang', { after: 2 })
    await harness.call('settings.update', { registryUrl: registry.url })
    await expect.poll(async () => (await stateOf(harness)).progress?.pages).toBe(2)
    await harness.call('catalog.cancelSync', {})
    await expect.poll(async () => (await stateOf(harness)).progress).toBeUndefined()
    expect((await stateOf(harness)).sources[0]).toMatchObject({
      waitingPages: 2,
      fault: { code: 'cancelled' },
    })
    await harness.patchbay.close()
    registry.misbehave('ok')
    const asked = registry.requests.length
    const later = open(harness.memory, harness.profileDir)
    await later.call('catalog.sync', {})
    await expect.poll(async () => (await stateOf(later)).servers).toBe(464)
    expect(registry.requests[asked]).toContain('cursor=')
  })

  it('follows a second registry with its token, keeps both lists apart, and forgets it entirely', async () => {
    const registry = await serve([listedServer({ name: 'a.example/one', version: '1.0.0' })])
    const own = await serve([listedServer({ name: 'a.example/one', version: '9.0.0' })], {
      token: 'token-of-acme',
    })
    const harness = open()
    await follow(harness, registry)
    const { sourceId } = await harness.call('catalog.addSource', {
      baseUrl: own.url,
      token: 'token-of-acme',
    })
    await expect.poll(async () => (await namesOf(harness, 'a.example/one')).length).toBe(2)
    expect(JSON.stringify(harness.memory.document)).not.toContain('token-of-acme')
    expect(JSON.stringify(await harness.call('app.snapshot', {}))).not.toContain('token-of-acme')
    const entry = await harness.call('catalog.readVersion', {
      ...{ sourceId, name: 'a.example/one', version: '9.0.0' },
    })
    expect(await harness.call('catalog.read', { entryId: entry.entryId })).toEqual(entry)
    await expect.poll(() => isSettled(harness)).toBe(true)
    const asked = registry.requests.length
    await harness.call('catalog.changeSource', { sourceId, token: 'another' })
    const faultOf = async () => (await stateOf(harness)).sources[1]?.fault?.code
    await expect.poll(faultOf).toBe('sign-in-needed')
    expect(registry.requests).toHaveLength(asked)
    await harness.call('catalog.removeSource', { sourceId })
    await expect.poll(async () => (await namesOf(harness, 'a.example/one')).length).toBe(1)
    expect(await harness.memory.secrets.get(`registry/${sourceId}`)).toBeNull()
  })

  it('lists and compares the versions of a server, and names what is unknown', async () => {
    const name = 'org.example/notes'
    const versionOf = (version: string, day: string): object =>
      listedServer({
        ...{ name, version, description: `Version ${version}.`, isLatest: version === '2.0.0' },
        publishedAt: `2026-05-${day}T00:00:00Z`,
      })
    const registry = await serve([versionOf('1.0.0', '01'), versionOf('2.0.0', '02')])
    const harness = open()
    await follow(harness, registry)
    const ref = { sourceId: 'official', name }
    const { versions } = await harness.call('catalog.versions', ref)
    expect(versions.map(({ version }) => version)).toEqual(['2.0.0', '1.0.0'])
    const read = { ...ref, from: '1.0.0', to: '2.0.0' }
    expect(
      (await harness.call('catalog.compareVersions', read)).filter(({ kind }) => kind !== 'same'),
    ).toEqual([
      { kind: 'removed', text: '  "version": "1.0.0",' },
      { kind: 'removed', text: '  "description": "Version 1.0.0.",' },
      { kind: 'added', text: '  "version": "2.0.0",' },
      { kind: 'added', text: '  "description": "Version 2.0.0.",' },
    ])
    await expect(
      harness.call('catalog.compareVersions', { ...read, to: '3.0.0' }),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: `${name} has no known version 3.0.0.`,
    })
    const gone = { sourceId: 'official', name: 'org.example/gone' }
    const notListed = { code: 'NOT_FOUND', message: 'org.example/gone is no longer listed.' }
    await expect(harness.call('catalog.detail', gone)).rejects.toMatchObject(notListed)
    await expect(harness.call('catalog.versions', gone)).rejects.toMatchObject(notListed)
  })

  it('checks for an update on request, and tells a registry without the server from one that fails', async () => {
    const registry = await serve([{ ...fixtureServer('plain.mjs'), version: '2.0.0' }])
    const harness = open()
    const installationId = await harness.install(fixtureServer('plain.mjs'))
    await follow(harness, registry)
    const check = () => harness.call('update.check', { installationId })
    expect(await check()).toMatchObject({ server: { version: '2.0.0' } })
    registry.entries.splice(0)
    await check()
    registry.misbehave('html')
    await expect(check()).rejects.toMatchObject({ code: 'REGISTRY_BAD_ANSWER' })
    await registry.close()
    await expect(check()).rejects.toMatchObject({ code: 'REGISTRY_UNREACHABLE' })
  })

  it("offers a newer version from the server's own registry without a request", async () => {
    const old = fixtureServer('plain.mjs')
    const newer = { ...fixtureServer('plain.mjs'), version: '2.0.0' }
    const registry = await serve([newer])
    const harness = open()
    const id = await harness.install(old)
    await follow(harness, registry)
    await expect.poll(async () => (await harness.view(id)).update?.version).toBe('2.0.0')
    const { update } = await harness.view(id)
    const review = { installationId: id, entryId: update?.entryId ?? '' }
    expect((await harness.call('update.review', review)).server.version).toBe('2.0.0')
  })

  it.each([
    ['is damaged', damage],
    ['is held by another program', hold],
    ['is from a later version', age],
  ])(
    'starts over if its file %s, reports that, and keeps favorites and installations',
    async (_, spoil) => {
      const registry = await serve([...manyServers(3), fixtureServer('plain.mjs')])
      const harness = open()
      await follow(harness, registry)
      const ref = { sourceId: 'official', name: 'org.example/server-0001' }
      await harness.call('catalog.mark', { ...ref, isFavorite: true })
      const entry = await harness.call('catalog.readVersion', {
        ...{ sourceId: 'official', name: 'test.fixture/plain', version: '1.0.0' },
      })
      const id = await harness.setUp(entry)
      await harness.until(id, 'ready')
      await harness.patchbay.close()
      spoil(join(harness.profileDir, 'catalog', 'catalog.db'))
      const later = open(harness.memory, harness.profileDir)
      expect(await namesOf(later, '')).toHaveLength(14)
      const { notices, catalog } = await later.call('app.snapshot', {})
      expect(notices).toContainEqual(
        expect.objectContaining({
          noticeId: 'catalog-set-aside',
          message: expect.stringContaining('Your servers are unchanged.') as string,
        }),
      )
      expect(catalog.favorites).toEqual([ref])
      expect(await later.until(id, 'ready')).toMatchObject({ counts: { tools: 1 } })
      await later.call('catalog.sync', {})
      await expect.poll(async () => (await stateOf(later)).servers).toBe(18)
    },
  )

  it("reports failures of the catalog's thread", async () => {
    const createCatalogWorker = vi.fn(() => {
      throw new Error('no thread here')
    })
    const harness = openHarness(undefined, { createCatalogWorker })
    await expect(harness.call('catalog.query', { text: '', searchBox: 'x' })).rejects.toThrow()
    await harness.call('catalog.sync', {})
    await expect
      .poll(async () =>
        (await harness.call('app.snapshot', {})).notices.map(({ message }) => message),
      )
      .toEqual(['no thread here'])
    expect(createCatalogWorker.mock.calls.length).toBeGreaterThanOrEqual(2)
  })
})
