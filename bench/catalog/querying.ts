import MiniSearch from 'minisearch'

import type { CatalogWorker } from '../../src-main/core/catalog/thread/catalog-worker'
import type { CatalogQuery } from '../../src-shared/domain/catalog/catalog-query'
import type { BenchPart } from '../measure/bench'
import { medianRatio } from '../measure/median'
import { percentile } from '../measure/percentile'
import { interleave } from '../measure/rounds'
import { type Bar, type Measurement, toRow } from '../measure/row'
import { SERVERS, setUpHarness } from './catalog-harness'
import { type BenchEntry, manyServers } from './many-servers'
import { keystrokes, SLIPS, TEXTS } from './typed-texts'

const QUERY: Bar = { metric: 'query-in-worker-p95-ms', unit: 'ms', op: '<=', bar: 60 }
/** These two are there to be read: theirs count no facets, and find no slips or no parts of words. */
const MINISEARCH: Bar = { metric: 'query-vs-minisearch', unit: 'x', op: '<=', bar: 20 }
const FILTER: Bar = { metric: 'query-vs-array-filter', unit: 'x', op: '<=', bar: 20 }

const LIMIT_MS = 120_000
const SHOWN = 50

/** How long a search takes from the main thread's question to its answer, and how long others would take. */
export const querySpeed: BenchPart = async ({ rounds }) => {
  await using harness = await setUpHarness()
  const catalog = await harness.open()
  await catalog.sync({ sourceId: 'local', mode: 'auto' })
  const texts = keystrokes([...TEXTS, ...SLIPS])
  const all: number[] = []
  const p95s: number[] = []
  for (let round = 0; round <= Math.min(rounds, 5); round += 1) {
    const times = await askEach(catalog, texts)
    // The first round warms up.
    if (round > 0) p95s.push(percentile(times, 0.95))
    if (round > 0) all.push(...times)
  }
  const sides = await interleave(
    { ours: () => total(catalog), ...othersOf(manyServers(SERVERS)) },
    { rounds: Math.min(rounds, 5), limitMs: LIMIT_MS },
  )
  const { ours, minisearch, filter } = sides
  return [
    inMs(QUERY, percentile(all, 0.95), { p95: p95s }),
    inMs(MINISEARCH, medianRatio(ours, minisearch), { ours, minisearch }),
    inMs(FILTER, medianRatio(ours, filter), { ours, 'array filter': filter }),
  ]
}

function inMs(bar: Bar, value: number, rounds: Measurement['rounds']): Measurement {
  return { row: toRow(bar, value), rounds, roundUnit: 'ms' }
}

/** Every text with the filters and sorts that people combine it with, in turn. */
async function askEach(catalog: CatalogWorker, texts: readonly string[]): Promise<number[]> {
  const shapes: readonly Omit<CatalogQuery, 'text'>[] = [
    {},
    { filter: { kinds: ['npm'], runners: ['npx'] } },
    { sort: 'name', filter: { namespaces: ['domain'] } },
    { sort: 'updated', filter: { asksForSecrets: false }, offset: 100 },
  ]
  const times: number[] = []
  for (const [index, text] of texts.entries()) {
    const begin = performance.now()
    await catalog.search({ text, ...shapes[index % shapes.length] })
    times.push(performance.now() - begin)
  }
  return times
}

async function total(catalog: CatalogWorker): Promise<number> {
  const begin = performance.now()
  for (const text of [...TEXTS, ...SLIPS]) await catalog.search({ text })
  return performance.now() - begin
}

function othersOf(entries: readonly BenchEntry[]) {
  const documents = entries.map(({ server: { name, description } }, id) => ({
    ...{ id, name, description, text: `${name} ${description}`.toLowerCase() },
  }))
  const index = new MiniSearch({ fields: ['name', 'description'] })
  index.addAll(documents)
  const each = (search: (text: string) => unknown) => () => {
    const begin = performance.now()
    for (const text of [...TEXTS, ...SLIPS]) search(text)
    return Promise.resolve(performance.now() - begin)
  }
  return {
    minisearch: each((text) =>
      index.search(text, { prefix: true, fuzzy: 0.2, combineWith: 'AND' }).slice(0, SHOWN),
    ),
    filter: each((text) => {
      const words = text.toLowerCase().split(' ')
      return documents
        .filter((one) => words.every((word) => one.text.includes(word)))
        .slice(0, SHOWN)
    }),
  }
}
