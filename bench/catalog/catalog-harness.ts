import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'

import { buildProgram } from '../../e2e/fixtures/build-program'
import { CatalogWorker } from '../../src-main/core/catalog/thread/catalog-worker'
import { documentFile } from '../../src-main/core/installation/store/document-over-conf'
import { OFFICIAL_SOURCE } from '../../src-shared/domain/catalog/listed-ref'
import { installAll } from '../stdio/readiness'
import { changedServers, manyServers, pagesOf } from './many-servers'

/** Servers in the measured catalog. */
export const SERVERS = 30_000
/** Servers in an increment. */
const CHANGED = 1_000

/** A registry of 30,000 servers in its own process, and catalogs that follow it. */
export type CatalogHarness = AsyncDisposable & {
  /** Opens an empty catalog in a new folder, whose source `local` is the registry. */
  open(): Promise<CatalogWorker>
  /** The registry's address. */
  readonly baseUrl: string
  /** Writes the settings and the whole catalog of a user who follows the registry into a profile folder. */
  fill(profileDir: string): Promise<void>
  /** Writes only the whole catalog into a profile folder. */
  list(profileDir: string): Promise<void>
}

/** Creates this many servers, builds the catalog's thread and starts the registry. */
export async function setUpHarness(servers: number = SERVERS): Promise<CatalogHarness> {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-bench-catalog-'))
  const thread = await buildProgram('src-main/core/catalog/thread/catalog-thread.ts')
  const file = join(folder, 'pages.json')
  writePages(file, servers)
  const child = spawn(process.execPath, [resolve('bench/catalog/registry-program.mjs'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  const baseUrl = `http://127.0.0.1:${port.toString().trim()}`
  const opened: CatalogWorker[] = []
  const start = (place: string): CatalogWorker =>
    new CatalogWorker({ folder: place, createWorker: (options) => new Worker(thread.url, options) })
  const list = async (profileDir: string): Promise<void> => {
    await using catalog = start(join(profileDir, 'catalog'))
    await catalog.setSources([{ sourceId: OFFICIAL_SOURCE, baseUrl, enabled: true }])
    await catalog.calls.sync({ sourceId: OFFICIAL_SOURCE, mode: 'auto' })
  }
  return {
    baseUrl,
    list,
    open: async () => {
      const catalog = start(join(folder, String(opened.length)))
      opened.push(catalog)
      await catalog.setSources([{ sourceId: 'local', baseUrl, enabled: true }])
      return catalog
    },
    fill: async (profileDir) => {
      const { document } = await installAll([], { catalogUpkeep: false, registryUrl: baseUrl })
      writeFileSync(documentFile(profileDir), JSON.stringify(document), { mode: 0o600 })
      await list(profileDir)
    },
    [Symbol.asyncDispose]: async () => {
      for (const catalog of opened) await catalog[Symbol.asyncDispose]()
      child.kill()
      thread.remove()
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Releases the entries: the app's main thread holds none, and collecting them would count as its delay. */
function writePages(file: string, servers: number): void {
  const entries = manyServers(servers)
  const increment = pagesOf(changedServers(entries.slice(0, CHANGED)))
  writeFileSync(file, JSON.stringify({ full: pagesOf(entries), increment }))
}
