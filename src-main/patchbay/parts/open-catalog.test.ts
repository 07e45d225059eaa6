import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import { buildCatalogThread, type CatalogThread } from '../../../e2e/fixtures/catalog-thread'
import { type Desk, Desks } from '../../../e2e/fixtures/desk'
import { fixtureServer } from '../../../e2e/fixtures/fixture-server'
import { listedServer, manyServers } from '../../../e2e/fixtures/listed-servers'
import {
  type LocalRegistry,
  type LocalRegistryOptions,
  startLocalRegistry,
} from '../../../e2e/fixtures/local-registry'
import type { CatalogState } from '../../../src-shared/domain/catalog/catalog-state'

const PATIENT = { timeout: 60_000 }
const FILESYSTEM = 'io.github.modelcontextprotocol/filesystem'
const desks = new Desks()
const threads: CatalogThread[] = []

beforeAll(async () => {
  threads.push(await buildCatalogThread())
}, 60_000)
afterEach(() => desks.closeAll())
afterAll(() => {
  for (const { remove } of threads) remove()
})

function open(memory?: Desk['memory'], profileDir?: string): Desk {
  const place = profileDir === undefined ? {} : { profileDir }
  return desks.open(memory, { ...threads[0], ...place })
}

async function serve(
  entries: readonly object[],
  options?: LocalRegistryOptions,
): Promise<LocalRegistry> {
  const registry = await startLocalRegistry(entries, options)
  onTestFinished(registry.close)
  return registry
}

async function stateOf(desk: Desk): Promise<CatalogState> {
  return (await desk.call('app.snapshot', {})).catalog
}

/** Follows a registry and waits until what it lists is there, or why not. */
async function follow(desk: Desk, registry: LocalRegistry): Promise<CatalogState> {
  await desk.call('settings.update', { registryUrl: registry.url })
  await expect.poll(() => isSettled(desk), PATIENT).toBe(true)
  return stateOf(desk)
}

async function isSettled(desk: Desk): Promise<boolean> {
  const { progress, sources } = await stateOf(desk)
  const ended = sources.filter(({ completedAt, fault }) => completedAt !== undefined || fault)
  return progress === undefined && ended.length === sources.filter(({ enabled }) => enabled).length
}

async function namesOf(desk: Desk, text: string): Promise<string[]> {
  const page = await desk.call('catalog.query', { text, lane: 'test', limit: 500 })
  return (page?.servers ?? []).map(({ sourceId, name }) => `${sourceId} ${name}`)
}

function damage(path: string): void {
  writeFileSync(path, 'no database at all, but text')
}

/** Another program writes to a catalog's file until the running test is over. */
function hold(path: string): void {
  const other = new DatabaseSync(path)
  onTestFinished(() => other.close())
  other.exec('BEGIN EXCLUSIVE')
}

function age(path: string): void {
  using other = new DatabaseSync(path)
  other.exec('PRAGMA user_version = 99')
}

describe('D2 the catalog of a desk', () => {
  it('lists the starter servers before anything was fetched, and asks no registry by itself', async () => {
    const desk = open()
    expect(await namesOf(desk, '')).toHaveLength(14)
    expect((await namesOf(desk, 'filesystem'))[0]).toBe(`starter ${FILESYSTEM}`)
    // All of them but one are published there; none of them is about it.
    expect(await namesOf(desk, 'github')).toEqual([])
    const detail = await desk.call('catalog.detail', { sourceId: 'starter', name: FILESYSTEM })
    expect(detail.entry).toMatchObject({ entryId: `starter:${FILESYSTEM}`, source: 'starter' })
    expect(await stateOf(desk)).toMatchObject({ servers: 14, starters: 14 })
  })

  it('shows one name once: the registry’s own entry takes the place of the starter, also where it took it down', async () => {
    const registry = await serve([
      listedServer({ name: FILESYSTEM, title: 'The real one' }),
      listedServer({ name: 'a.example/other' }),
    ])
    const desk = open()
    expect((await follow(desk, registry)).starters).toBe(13)
    // Only with an increment does a registry tell what it took down.
    const gone = { name: 'io.github.modelcontextprotocol/memory', status: 'deleted' } as const
    registry.entries.push(listedServer({ ...gone, updatedAt: new Date().toISOString() }))
    await desk.call('catalog.sync', {})
    await expect.poll(async () => (await stateOf(desk)).starters, PATIENT).toBe(12)
    const names = await namesOf(desk, '')
    expect(names.filter((name) => name.endsWith(FILESYSTEM))).toEqual([`official ${FILESYSTEM}`])
    expect(names.join()).not.toContain('modelcontextprotocol/memory')
    expect((await stateOf(desk)).servers).toBe(14)
  })

  it('lists what was pasted first, and leaves it out where filters are about what is listed', async () => {
    const desk = open()
    const { server: pasted } = await desk.paste(fixtureServer('plain.mjs', { title: 'Mine' }))
    expect((await namesOf(desk, ''))[0]).toBe(`pasted ${pasted.name}`)
    expect(await namesOf(desk, 'filesystem')).not.toContain(`pasted ${pasted.name}`)
    const query = { text: '', lane: 'x', limit: 5 }
    const page = await desk.call('catalog.query', { ...query, offset: 13 })
    expect([page?.total, page?.servers.length]).toEqual([15, 2])
    const filtered = await desk.call('catalog.query', { ...query, filter: { kinds: ['npm'] } })
    expect(filtered?.total).toBe(14)
    const ref = { sourceId: 'pasted', name: pasted.name }
    expect((await desk.call('catalog.detail', ref)).entry.source).toBe('pasted')
    expect((await desk.call('catalog.versions', ref)).versions).toHaveLength(1)
  })

  it('says why a registry was not read, keeps what it had, and is mended by the next sync', async () => {
    const registry = await serve(manyServers(250))
    const desk = open()
    expect((await follow(desk, registry)).servers).toBe(264)
    registry.misbehave('html')
    await desk.call('catalog.sync', {})
    await expect
      .poll(async () => (await stateOf(desk)).sources[0]?.fault?.code, PATIENT)
      .toBe('web-page')
    expect(await namesOf(desk, 'server-0249')).toEqual(['official org.example/server-0249'])
    registry.misbehave('ok')
    await desk.call('catalog.sync', {})
    await expect.poll(async () => (await stateOf(desk)).sources[0]?.fault, PATIENT).toBeUndefined()
  })

  it('goes on with what a stopped sync left, in the next run of the app', async () => {
    const registry = await serve(manyServers(450))
    const desk = open()
    registry.misbehave('hang', { after: 2 })
    await desk.call('settings.update', { registryUrl: registry.url })
    await expect.poll(async () => (await stateOf(desk)).progress?.pages, PATIENT).toBe(2)
    await desk.call('catalog.cancelSync', {})
    await expect.poll(async () => (await stateOf(desk)).progress, PATIENT).toBeUndefined()
    expect((await stateOf(desk)).sources[0]).toMatchObject({
      waitingPages: 2,
      fault: { code: 'cancelled' },
    })
    await desk.patchbay.close()
    registry.misbehave('ok')
    const asked = registry.requests.length
    const later = open(desk.memory, desk.profileDir)
    await later.call('catalog.sync', {})
    await expect.poll(async () => (await stateOf(later)).servers, PATIENT).toBe(464)
    expect(registry.requests[asked]).toContain('cursor=')
  })

  it('follows a second registry with its token, keeps both lists apart, and forgets it whole', async () => {
    const registry = await serve([listedServer({ name: 'a.example/one', version: '1.0.0' })])
    const own = await serve([listedServer({ name: 'a.example/one', version: '9.0.0' })], {
      token: 'token-of-acme',
    })
    const desk = open()
    await follow(desk, registry)
    const { sourceId } = await desk.call('catalog.addSource', {
      baseUrl: own.url,
      token: 'token-of-acme',
    })
    await expect.poll(async () => (await namesOf(desk, 'a.example/one')).length, PATIENT).toBe(2)
    expect(JSON.stringify(desk.memory.document)).not.toContain('token-of-acme')
    expect(JSON.stringify(await desk.call('app.snapshot', {}))).not.toContain('token-of-acme')
    const entry = await desk.call('catalog.readVersion', {
      ...{ sourceId, name: 'a.example/one', version: '9.0.0' },
    })
    expect(await desk.call('catalog.read', { entryId: entry.entryId })).toEqual(entry)
    await expect.poll(() => isSettled(desk), PATIENT).toBe(true)
    const asked = registry.requests.length
    await desk.call('catalog.changeSource', { sourceId, token: 'another' })
    const faultOf = async () => (await stateOf(desk)).sources[1]?.fault?.code
    await expect.poll(faultOf, PATIENT).toBe('sign-in-needed')
    expect(registry.requests).toHaveLength(asked)
    await desk.call('catalog.removeSource', { sourceId })
    await expect.poll(async () => (await namesOf(desk, 'a.example/one')).length, PATIENT).toBe(1)
    expect(await desk.memory.secrets.get(`registry/${sourceId}`)).toBeNull()
  })

  it('offers an installed server what its own registry lists as newer, before anybody asks', async () => {
    const old = fixtureServer('plain.mjs')
    const newer = { ...fixtureServer('plain.mjs'), version: '2.0.0' }
    const registry = await serve([newer])
    const desk = open()
    const id = await desk.install(old)
    await follow(desk, registry)
    await expect.poll(async () => (await desk.view(id)).update?.version, PATIENT).toBe('2.0.0')
    const { update } = await desk.view(id)
    const review = { installationId: id, entryId: update?.entryId ?? '' }
    expect((await desk.call('update.review', review)).server.version).toBe('2.0.0')
  })

  it.each([
    ['is damaged', damage],
    ['is held by another program', hold],
    ['is from a later version', age],
  ])(
    'begins anew where its file %s, says so, and keeps favourites and every installation',
    async (_, spoil) => {
      const registry = await serve([...manyServers(3), fixtureServer('plain.mjs')])
      const desk = open()
      await follow(desk, registry)
      const ref = { sourceId: 'official', name: 'org.example/server-0001' }
      await desk.call('catalog.mark', { ...ref, isFavourite: true })
      const entry = await desk.call('catalog.readVersion', {
        ...{ sourceId: 'official', name: 'test.fixture/plain', version: '1.0.0' },
      })
      const id = await desk.setUp(entry)
      await desk.until(id, 'ready')
      await desk.patchbay.close()
      spoil(join(desk.profileDir, 'catalog', 'catalog.db'))
      const later = open(desk.memory, desk.profileDir)
      expect(await namesOf(later, '')).toHaveLength(14)
      const { notices, catalog } = await later.call('app.snapshot', {})
      expect(notices).toContainEqual(
        expect.objectContaining({
          noticeId: 'catalog-set-aside',
          message: expect.stringContaining('Your servers are unchanged.') as string,
        }),
      )
      expect(catalog.favourites).toEqual([ref])
      expect(await later.until(id, 'ready')).toMatchObject({ counts: { tools: 1 } })
      await later.call('catalog.sync', {})
      await expect.poll(async () => (await stateOf(later)).servers, PATIENT).toBe(18)
    },
  )

  it('says what the thread of the catalog suffers from, instead of failing in silence', async () => {
    const createCatalogWorker = vi.fn(() => {
      throw new Error('no thread here')
    })
    const desk = desks.open(undefined, { createCatalogWorker })
    await expect(desk.call('catalog.query', { text: '', lane: 'x' })).rejects.toThrow()
    await desk.call('catalog.sync', {})
    await expect
      .poll(async () => (await desk.call('app.snapshot', {})).notices.map(({ message }) => message))
      .toEqual(['no thread here'])
    expect(createCatalogWorker.mock.calls.length).toBeGreaterThanOrEqual(2)
  })
})
