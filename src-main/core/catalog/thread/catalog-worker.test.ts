import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

import { describe, expect, it, onTestFinished } from 'vitest'

import { builtThread } from '../../../../e2e/fixtures/built-program'
import { listedServer, manyServers } from '../../../../e2e/fixtures/listed-servers'
import type { LocalRegistry } from '../../../../e2e/fixtures/local-registry'
import { pause } from '../../../../e2e/fixtures/pause'
import { answerFrom } from '../../../../e2e/fixtures/registry-answers'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { openTestRegistry } from '../../../../e2e/fixtures/test-catalog'
import { CatalogWorker, type CatalogWorkerOptions } from './catalog-worker'

const PATIENT = { timeout: 20_000 }
const createWorker = builtThread('catalog')

function openCatalog(
  folder: string,
  more: Partial<CatalogWorkerOptions> = {},
): { catalog: CatalogWorker; threads: Worker[] } {
  const threads: Worker[] = []
  const catalog = new CatalogWorker({
    folder,
    createWorker: (options) => {
      const worker = createWorker(options)
      threads.push(worker)
      return worker
    },
    retry: { attempts: 1, firstPauseMs: 1, longestPauseMs: 1 },
    ...more,
  })
  onTestFinished(() => catalog[Symbol.asyncDispose]())
  return { catalog, threads }
}

function sourceOf({ url }: LocalRegistry) {
  return { sourceId: 'local', baseUrl: url, enabled: true }
}

describe('D2: the catalog on its thread', () => {
  it('syncs, searches and reads, and keeps everything for the next start', async () => {
    const folder = tempFolder('catalog')
    const running = await openTestRegistry(manyServers(150))
    const first = openCatalog(folder).catalog
    const pages: number[] = []
    first.onDidProgress((progress) => pages.push(progress.pages))
    expect(await first.setSources([sourceOf(running)])).toMatchObject([{ servers: 0 }])
    const report = await first.calls.sync({ sourceId: 'local', mode: 'auto' })
    expect(report).toMatchObject({ kind: 'full', changed: 150 })
    expect(pages).toEqual([1, 2])
    expect(await first.calls.sync({ sourceId: 'unknown', mode: 'auto' })).toBeUndefined()
    await first[Symbol.asyncDispose]()
    await running.close()

    const { catalog } = openCatalog(folder)
    const page = await catalog.search({ text: 'server 0042' })
    expect(page).toMatchObject({ total: 1, servers: [{ name: 'org.example/server-0042' }] })
    const key = { sourceId: 'local', name: 'org.example/server-0042' }
    const document = await catalog.calls.read(key)
    expect(JSON.parse(document?.raw ?? '')).toMatchObject({
      server: { name: key.name, packages: [{ identifier: 'example-server-0042' }] },
    })
    expect(await catalog.calls.read({ ...key, name: 'no/one' })).toBeUndefined()
    expect(await catalog.calls.statuses([key.name])).toMatchObject([{ status: 'active' }])
  })

  it('ends its idle thread, and starts another with the same content', async () => {
    const running = await openTestRegistry(manyServers(30))
    const { catalog, threads } = openCatalog(tempFolder('catalog'), { idleMs: 50 })
    expect(threads).toEqual([])
    await catalog.setSources([sourceOf(running)])
    await catalog.calls.sync({ sourceId: 'local', mode: 'auto' })
    expect(threads).toHaveLength(1)
    const restarts: Error[] = []
    catalog.onDidRestart((error) => restarts.push(error))
    // An ended thread has no id.
    await expect.poll(() => threads[0]?.threadId, PATIENT).toBe(-1)
    await catalog.calls.prepareSearch()
    expect([threads.length, restarts]).toEqual([2, []])
    const [found, sources] = await Promise.all([
      catalog.search({ text: 'server 0007' }),
      catalog.calls.sources(),
    ])
    expect(found).toMatchObject({ total: 1 })
    expect(sources).toMatchObject([{ sourceId: 'local', servers: 30 }])
  })

  it('stays awake during a sync', async () => {
    const entries = manyServers(250)
    const running = await openTestRegistry(entries, {
      intercept: (request, response) => {
        void pause(200).then(() => answerFrom(entries, request, response))
        return true
      },
    })
    const { catalog, threads } = openCatalog(tempFolder('catalog'), { idleMs: 50 })
    const [, report] = await Promise.all([
      catalog.setSources([sourceOf(running)]),
      catalog.calls.sync({ sourceId: 'local', mode: 'auto' }),
    ])
    expect(report).toMatchObject({ changed: 250, pages: 3 })
    expect(threads).toHaveLength(1)
  })

  it('passes the token to the registry for one sync, and stores it nowhere', async () => {
    const folder = tempFolder('catalog')
    const running = await openTestRegistry(manyServers(3), { token: 'gate-key-731' })
    const { catalog } = openCatalog(folder)
    await catalog.setSources([sourceOf(running)])
    const rejected = await catalog.calls.sync({ sourceId: 'local', mode: 'auto' })
    expect(rejected?.fault?.code).toBe('sign-in-needed')
    const order = { sourceId: 'local', mode: 'auto', token: 'gate-key-731' } as const
    expect(await catalog.calls.sync(order)).toMatchObject({ changed: 3 })
    await catalog[Symbol.asyncDispose]()
    const written = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
    expect(written.length).toBeGreaterThan(0)
    expect(written.join('')).not.toContain('gate-key-731')
  })

  it('requests versions, and shows the last ones offline', async () => {
    const versions = ['1.0.0', '1.1.0'].map((version, index) =>
      listedServer({
        ...{ name: 'a.b/c', version, isLatest: index === 1 },
        publishedAt: `2026-01-0${index + 1}T00:00:00Z`,
      }),
    )
    const running = await openTestRegistry(versions)
    const { catalog } = openCatalog(tempFolder('catalog'))
    await catalog.setSources([sourceOf(running)])
    const key = { sourceId: 'local', name: 'a.b/c' }
    const expected = [
      { version: '1.1.0', isLatest: true },
      { version: '1.0.0', isLatest: false },
    ]
    expect((await catalog.calls.versions(key))?.versions).toMatchObject(expected)
    expect(await catalog.calls.versions(key)).not.toHaveProperty('fault')
    await running.close()
    const offline = await catalog.calls.versions(key)
    expect(offline?.versions).toMatchObject(expected)
    expect(offline?.fault?.code).toBe('unreachable')
    expect((await catalog.calls.versions({ ...key, name: 'x.y/z' }))?.versions).toEqual([])
  })

  it('ends a canceled sync and its hanging request', async () => {
    const running = await openTestRegistry(manyServers(300))
    running.misbehave('hang', { after: 1 })
    const { catalog } = openCatalog(tempFolder('catalog'))
    await catalog.setSources([sourceOf(running)])
    const calling = new AbortController()
    const hasBegun = Promise.withResolvers<undefined>()
    catalog.onDidProgress(() => hasBegun.resolve(undefined))
    const syncing = catalog.calls.sync({ sourceId: 'local', mode: 'auto' }, calling.signal)
    await hasBegun.promise
    await expect.poll(() => running.requests.length).toBe(2)
    calling.abort()
    expect(await syncing).toMatchObject({ pages: 1, fault: { code: 'cancelled' } })
    expect((await catalog.search({ text: '' }))?.total).toBe(100)
  })

  it('answers only the newest of rapid searches', async () => {
    const running = await openTestRegistry(manyServers(100))
    const { catalog } = openCatalog(tempFolder('catalog'))
    await catalog.setSources([sourceOf(running)])
    await catalog.calls.sync({ sourceId: 'local', mode: 'auto' })
    const typed = ['s', 'se', 'ser', 'server 0007'].map((text) => catalog.search({ text }))
    const other = catalog.search({ text: 'server 0008' }, 'another window')
    const answers = await Promise.all(typed)
    expect(answers.slice(0, -1)).toEqual([undefined, undefined, undefined])
    expect(answers.at(-1)).toMatchObject({ total: 1 })
    expect(await other).toMatchObject({ total: 1 })
  })

  it('answers searches during an increment', async () => {
    const running = await openTestRegistry(manyServers(200))
    const { catalog } = openCatalog(tempFolder('catalog'))
    await catalog.setSources([sourceOf(running)])
    await catalog.calls.sync({ sourceId: 'local', mode: 'auto' })
    running.misbehave('hang')
    const calling = new AbortController()
    const sync = catalog.calls.sync({ sourceId: 'local', mode: 'auto' }, calling.signal)
    await expect.poll(() => running.requests.length, PATIENT).toBe(3)
    expect((await catalog.search({ text: 'server' }))?.total).toBe(200)
    calling.abort()
    expect(await sync).toMatchObject({ kind: 'increment', fault: { code: 'cancelled' } })
  })

  it('is restarted after a crash, reports it, and fails only waiting calls', async () => {
    const running = await openTestRegistry(manyServers(10))
    const { catalog, threads } = openCatalog(tempFolder('catalog'))
    const reported: string[] = []
    catalog.onDidRestart((error) => reported.push(error.message))
    await catalog.setSources([sourceOf(running)])
    await catalog.calls.sync({ sourceId: 'local', mode: 'auto' })
    running.misbehave('hang')
    const waiting = catalog.calls.sync({ sourceId: 'local', mode: 'full' })
    await expect.poll(() => running.requests.length, PATIENT).toBe(2)
    await threads[0]?.terminate()
    await expect(waiting).rejects.toThrow('The catalog stopped working')
    expect(reported).toHaveLength(1)
    running.misbehave('ok')
    expect(await catalog.calls.sync({ sourceId: 'local', mode: 'auto' })).toMatchObject({
      entries: 0,
    })
    expect((await catalog.search({ text: 'server' }))?.total).toBe(10)
  })

  it('gives up after the fourth crash in a minute, and says so', async () => {
    const threads: Worker[] = []
    const { catalog } = openCatalog(tempFolder('catalog'), {
      createWorker: (options) => {
        const worker = new Worker('throw new Error("no such module")', { ...options, eval: true })
        threads.push(worker)
        return worker
      },
    })
    await expect(catalog.calls.sources()).rejects.toThrow('no such module')
    await expect.poll(() => threads.length, PATIENT).toBe(4)
    await expect
      .poll(() => catalog.calls.sources().catch((error: unknown) => String(error)), PATIENT)
      .toContain('it crashed repeatedly')
  })

  it('replaces its file and reports it if that is damaged while open', async () => {
    const folder = tempFolder('catalog')
    const running = await openTestRegistry(manyServers(400))
    const { catalog } = openCatalog(folder)
    const reported: string[] = []
    catalog.onDidDiscard((reason) => reported.push(reason))
    await catalog.setSources([sourceOf(running)])
    await catalog.calls.sync({ sourceId: 'local', mode: 'auto' })
    for (const ending of ['', '-wal']) {
      writeFileSync(join(folder, `catalog.db${ending}`), Buffer.alloc(300_000, 'x'))
    }
    const report = await catalog.calls.sync({ sourceId: 'local', mode: 'full' })
    expect(report).toMatchObject({ changed: 400 })
    expect(reported).toEqual(['corrupt'])
    expect((await catalog.search({ text: 'server' }))?.total).toBe(400)
  })
})
