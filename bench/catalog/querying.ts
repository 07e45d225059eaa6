import type { CatalogWorker } from '../../src-main/core/catalog/thread/catalog-worker'
import type { CatalogQuery } from '../../src-shared/domain/catalog/catalog-query'
import type { BenchPart } from '../measure/bench'
import { percentile } from '../measure/percentile'
import { type Bar, toRow } from '../measure/row'
import { setUpHarness } from './catalog-harness'
import { keystrokes, SLIPS, TEXTS } from './typed-texts'

const QUERY: Bar = { metric: 'query-in-worker-p95-ms', unit: 'ms', op: '<=', bar: 60 }

/** Time of a search from the main thread's request to its answer. */
export const querySpeed: BenchPart = async ({ rounds }) => {
  await using harness = await setUpHarness()
  const catalog = await harness.open()
  await catalog.calls.sync({ sourceId: 'local', mode: 'auto' })
  const texts = keystrokes([...TEXTS, ...SLIPS])
  const all: number[] = []
  const p95s: number[] = []
  for (let round = 0; round <= Math.min(rounds, 5); round += 1) {
    const times = await askEach(catalog, texts)
    // The first round warms up.
    if (round > 0) p95s.push(percentile(times, 0.95))
    if (round > 0) all.push(...times)
  }
  return [{ row: toRow(QUERY, percentile(all, 0.95)), rounds: { p95: p95s }, roundUnit: 'ms' }]
}

/** Each text with typical filters and sorting, in turn. */
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
