import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'

import { describe, expect, it, onTestFinished } from 'vitest'

import { builtProgram } from '../../../e2e/fixtures/built-program'
import { listedServer, manyServers } from '../../../e2e/fixtures/listed-servers'
import type { LocalRegistry } from '../../../e2e/fixtures/local-registry'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { openTestRegistry } from '../../../e2e/fixtures/test-catalog'
import { openCatalogFile } from './store/catalog-file'
import { CatalogStore } from './store/catalog-store'

const PATIENT = { timeout: 20_000 }
const thread = builtProgram('src-main/core/catalog/thread/catalog-thread.ts')
const program = builtProgram('e2e/fixtures/sync-catalog.ts')

describe('D2: a killed sync', () => {
  it('resumes at its page in the next process', async () => {
    const folder = tempFolder('catalog')
    const running = await openTestRegistry(manyServers(1_000))
    running.misbehave('hang', { after: 6 })
    await killedAfter(7, folder, running)
    const report = await syncedBy(folder, running)
    expect(report).toMatchObject({ pages: 10, entries: 400, changed: 400 })
    expect(running.requests[7]).toContain('cursor=org.example%2Fserver-0599')
    expect(listedIn(folder)).toBe(1_000)
  })

  it('leaves nothing of an unfinished increment', async () => {
    const folder = tempFolder('catalog')
    const running = await openTestRegistry(manyServers(50))
    await syncedBy(folder, running)
    const updatedAt = new Date().toISOString()
    const more = Array.from({ length: 250 }, (_, index) => `org.later/server-${index}`)
    running.entries.push(...more.map((name) => listedServer({ name, updatedAt })))
    running.misbehave('hang', { after: 2 })
    await killedAfter(running.requests.length + 3, folder, running)
    expect(listedIn(folder)).toBe(50)
    const report = await syncedBy(folder, running)
    expect(report).toMatchObject({ kind: 'increment', pages: 3, changed: 250 })
  })
})

function argumentsFor(folder: string, { url }: LocalRegistry): string[] {
  return [program.file, folder, thread.url.href, url]
}

/** Kills a syncing process after this many requests, and lets the registry answer again. */
async function killedAfter(
  requests: number,
  folder: string,
  running: LocalRegistry,
): Promise<void> {
  const child = spawn(process.execPath, argumentsFor(folder, running))
  onTestFinished(() => void child.kill('SIGKILL'))
  await expect.poll(() => running.requests.length, PATIENT).toBe(requests)
  child.kill('SIGKILL')
  await once(child, 'exit')
  running.misbehave('ok')
}

/** The report of a sync in another process. */
async function syncedBy(folder: string, running: LocalRegistry): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, argumentsFor(folder, running))
  const last = stdout.trim().split('\n').at(-1) ?? ''
  return (JSON.parse(last) as { report: unknown }).report
}

/** The number of servers in a folder's catalog. */
function listedIn(folder: string): number {
  using store = new CatalogStore(openCatalogFile(folder))
  return store.search({ text: '' }).total
}
