import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { listedServer, manyServers } from '../../../e2e/fixtures/listed-servers'
import type { LocalRegistry } from '../../../e2e/fixtures/local-registry'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { openTestRegistry } from '../../../e2e/fixtures/test-catalog'
import { type OpenedScheduler, PATIENT, schedulerOpener } from '../../../e2e/fixtures/test-upkeep'
import type { CatalogPage, CatalogQuery } from '../../../src-shared/domain/catalog/catalog-query'
import { FirstPageCache } from './first-page-cache'
import { OpeningMemory } from './opening-memory'
import { RegistryCatalog } from './registry-catalog'

const DAY_MS = 86_400_000
const open = schedulerOpener()

type Run = OpenedScheduler & {
  readonly ask: (query?: CatalogQuery) => Promise<CatalogPage | undefined>
  readonly opening: FirstPageCache
  readonly close: () => Promise<void>
}

/** A run of the app on a folder. */
async function start(folder: string, registry: LocalRegistry): Promise<Run> {
  const opened = await open({ folder, registry })
  const { syncScheduler, sources, time, troubles } = opened
  const onTrouble = (error: unknown): unknown => troubles.push(error)
  const opening = new FirstPageCache({
    memory: new OpeningMemory(folder),
    syncScheduler,
    time,
    onTrouble,
  })
  const catalog = new RegistryCatalog(() => syncScheduler.worker(), sources, opening)
  return {
    ...opened,
    ask: (query = first()) => catalog.query(query, 'window'),
    opening,
    close: async () => {
      opening[Symbol.dispose]()
      await syncScheduler[Symbol.asyncDispose]()
    },
  }
}

/** What a window asks first on a day of January 2026. */
function first(day = 20): CatalogQuery {
  const month = Date.UTC(2025, 11, day + 1)
  return {
    ...{ text: '', filter: {}, offset: 0, limit: 60, runnersHere: ['npx'] },
    recent: { month, year: month - 335 * DAY_MS },
  }
}

function kept(folder: string): number {
  return new OpeningMemory(folder).read()?.pages.length ?? 0
}

/** A folder in which a first run has remembered what its window asked. */
async function remembered(registry: LocalRegistry): Promise<string> {
  const folder = tempFolder('opening')
  const run = await start(folder, registry)
  await run.syncScheduler.sync()
  await run.ask()
  await expect.poll(() => kept(folder), PATIENT).toBe(1)
  await run.close()
  return folder
}

/** Servers that were updated on each day from the middle of December 2025 on. */
function daily(count: number): object[] {
  return Array.from({ length: count }, (_, day) =>
    listedServer({
      name: `org.example/daily-${day}`,
      updatedAt: new Date(Date.UTC(2025, 11, 15 + day)).toISOString(),
    }),
  )
}

describe('D2 the first page of the catalog', () => {
  it('is there before the thread is, which wakes behind it and would say the same', async () => {
    const registry = await openTestRegistry(daily(30))
    const run = await start(await remembered(registry), registry)
    const page = await run.ask()
    expect(run.opened).toHaveLength(0)
    expect(page?.total).toBe(30)
    run.time.pass(1_000)
    await expect.poll(() => run.syncScheduler.isAwake, PATIENT).toBe(true)
    const before = run.syncScheduler.state.edition
    expect(await (await run.syncScheduler.worker()).search(first())).toEqual(page)
    expect(run.syncScheduler.state.edition).toBe(before)
    expect(run.troubles).toEqual([])
  })

  it('counts what was updated lately as of the day on which it is asked', async () => {
    const registry = await openTestRegistry(daily(30))
    const folder = await remembered(registry)
    for (const day of [21, 27]) {
      const run = await start(folder, registry)
      const counts = run.opening.find(first(day))?.facets.updated
      expect(run.opened).toHaveLength(0)
      // From the 22nd of December on, or the 28th, until the 13th of January.
      expect(counts).toEqual({ month: day === 21 ? 23 : 17, year: 30 })
      await run.close()
    }
    const later = await start(folder, registry)
    expect(later.opening.find(first(60))).toBeUndefined()
  })

  it('is asked of the thread for any other question', async () => {
    const registry = await openTestRegistry(daily(3))
    const run = await start(await remembered(registry), registry)
    const others: Partial<CatalogQuery>[] = [
      { text: 'daily' },
      { filter: { asksForSecrets: false } },
      { offset: 60 },
      { runnersHere: ['npx', 'uvx'] },
      { sort: 'name' },
      { limit: 10 },
    ]
    for (const other of others) {
      expect(run.opening.find({ ...first(), ...other }), JSON.stringify(other)).toBeUndefined()
    }
    expect(run.opening.find(first())?.total).toBe(3)
  })

  it('is kept for the question before the runners are known, whichever are found then', async () => {
    const registry = await openTestRegistry(daily(3))
    const folder = await remembered(registry)
    for (const runners of [['npx', 'uvx'] as const, ['docker'] as const]) {
      const run = await start(folder, registry)
      expect(run.opening.find(first())?.total).toBe(3)
      const found = { ...first(), runnersHere: [...runners] }
      await run.ask(found)
      await run.ask()
      await expect.poll(() => kept(folder), PATIENT).toBe(2)
      const known = (): unknown[] =>
        (new OpeningMemory(folder).read()?.pages ?? []).map(({ question }) => question.runnersHere)
      await expect.poll(known, PATIENT).toContainEqual(runners)
      expect(known()).toContainEqual(['npx'])
      await run.close()
    }
  })

  it.each([
    ['half of a file', '{"version":1,"about":'],
    ['something else', '[]'],
    ['a page without its counts', '{"version":1,"about":"","pages":[{"question":{"text":""}}]}'],
  ])('is asked of the thread where what was remembered is %s', async (_, text) => {
    const registry = await openTestRegistry(daily(3))
    const folder = await remembered(registry)
    writeFileSync(join(folder, 'opening.json'), text)
    const run = await start(folder, registry)
    expect(run.opening.find(first())).toBeUndefined()
    expect((await run.ask())?.total).toBe(3)
    await expect.poll(() => kept(folder), PATIENT).toBe(1)
  })

  it('is shown anew where the catalog’s file is not the one that it was remembered of', async () => {
    const registry = await openTestRegistry(daily(3))
    const folder = await remembered(registry)
    rmSync(join(folder, 'catalog.db'))
    const run = await start(folder, registry)
    expect((await run.ask())?.total).toBe(3)
    run.time.pass(1_000)
    await expect.poll(() => run.syncScheduler.state.edition, PATIENT).toBe(1)
    expect((await run.ask())?.total).toBe(0)
    await expect.poll(() => new OpeningMemory(folder).read()?.pages[0]?.page.total).toBe(0)
  })

  it('is never what was true before a sync, a cut, or another choice of registries', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { maxLength: 4 }), async (steps) => {
        const registry = await openTestRegistry(manyServers(150))
        const folder = await remembered(registry)
        for (const [place, step] of steps.entries()) {
          const run = await start(folder, registry)
          await take(step, run, registry, place)
          await run.close()
          registry.misbehave('ok')
        }
        const last = await start(folder, registry)
        const known = last.opening.find(first())
        const found = await (await last.syncScheduler.worker()).search(first())
        expect(known ?? found).toEqual(found)
        expect(last.troubles).toEqual([])
        await last.close()
      }),
      { numRuns: 6, examples: [[['cut off']], [['grown', 'cut off', 'asked']], [['moved']]] },
    )
  }, 120_000)
})

const STEPS = ['asked', 'grown', 'cut off', 'moved', 'nothing'] as const

/** What happens in one run of the app, which may end in the middle of it. */
async function take(
  step: (typeof STEPS)[number],
  { ask, syncScheduler, store }: Run,
  registry: LocalRegistry,
  place: number,
): Promise<void> {
  const updatedAt = new Date(Date.now() + place).toISOString()
  const name = `org.example/new-${place}`
  switch (step) {
    case 'asked':
      await ask()
      return
    case 'grown':
      registry.entries.push(listedServer({ name, updatedAt }))
      await syncScheduler.sync()
      return
    case 'cut off': {
      const worker = await syncScheduler.worker()
      const many = Array.from({ length: 150 }, (_, index) => `${name}-${index}`)
      registry.entries.push(...many.map((one) => listedServer({ name: one, updatedAt })))
      registry.misbehave('hang', { after: 1 })
      const hasBegun = new Promise<void>((resolve) => {
        worker.onDidProgress(({ entries }) => entries > 0 && resolve())
      })
      void syncScheduler.sync()
      await hasBegun
      return
    }
    case 'moved': {
      const other = await openTestRegistry([])
      store.saveSettings({ ...store.settings, registryUrl: other.url })
      syncScheduler.settled()
      await expect.poll(() => other.requests.length, PATIENT).toBeGreaterThan(0)
      return
    }
    case 'nothing':
  }
}
