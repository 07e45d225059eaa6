import MiniSearch from 'minisearch'

import type { BenchPart } from '../measure/bench'
import { type Bar, type Measurement, toRow } from '../measure/row'
import { setUpHarness } from './catalog-harness'
import { listedServers } from './many-servers'
import { RATED } from './rated-queries'

const FIRST_3: Bar = { metric: 'meant-in-first-3-percent', unit: '%', op: '>=', bar: 90 }
const FIRST: Bar = { metric: 'meant-first-percent', unit: '%', op: '>=', bar: 70 }

/** How often the intended server is first, or among the first three; nothing without the real index. */
export const meantServers: BenchPart = async () => {
  const listed = listedServers()
  if (listed === undefined) return []
  await using harness = await setUpHarness(listed.length)
  const catalog = await harness.open()
  await catalog.calls.sync({ sourceId: 'local', mode: 'auto' })
  const ours: string[][] = []
  for (const [text] of RATED) {
    const found = await catalog.search({ text, limit: 3 })
    // A search overtaken by a newer one has no answer; here none is.
    ours.push((found?.servers ?? []).map(({ name }) => name))
  }
  const index = new MiniSearch({ fields: ['name', 'description'], idField: 'name' })
  index.addAll(listed.map(({ name, description }) => ({ name, description })))
  const options = { prefix: true, fuzzy: 0.2, combineWith: 'AND' as const, boost: { name: 2 } }
  const others = RATED.map(([text]) =>
    index
      .search(text, options)
      .slice(0, 3)
      .map(({ id }) => String(id)),
  )
  for (const line of missed(ours)) process.stderr.write(`${line}\n`)
  return [row(FIRST_3, ours, others, 3), row(FIRST, ours, others, 1)]
}

function row(
  bar: Bar,
  ours: readonly string[][],
  others: readonly string[][],
  count: number,
): Measurement {
  const value = percent(ours, count)
  return {
    row: toRow(bar, value),
    rounds: { ours: [value], minisearch: [percent(others, count)] },
    roundUnit: '%',
  }
}

function percent(found: readonly string[][], count: number): number {
  const hits = RATED.filter(([, meant], at) =>
    found[at]?.slice(0, count).some((name) => meant.includes(name)),
  )
  return (100 * hits.length) / RATED.length
}

/** Wrong first results, for reading. */
function missed(found: readonly string[][]): string[] {
  return RATED.flatMap(([text, meant], at) => {
    const names = found[at] ?? []
    return meant.includes(names[0] ?? '') ? [] : [`${text}: ${names.join(', ') || 'nothing'}`]
  })
}
