import type { ListedServer } from '../../src-main/core/tools/directory/resolved-server'
import { ToolDirectory } from '../../src-main/core/tools/directory/tool-directory'
import type { BenchPart } from '../measure/bench'
import { median, medianRatio } from '../measure/median'
import { interleave } from '../measure/rounds'
import { type Bar, type Measurement, toRow } from '../measure/row'
import { manyServers, tool } from './many-tools'

const READ: Bar = { metric: 'directory-read-unchanged-us', unit: 'us', op: '<=', bar: 50 }
const REBUILD: Bar = {
  metric: 'rebuild-after-one-change-1000-tools-ms',
  unit: 'ms',
  op: '<=',
  bar: 5,
}
const RATIO: Bar = { metric: 'rebuild-vs-all-anew', unit: 'x', op: '<=', bar: 1 }

const SERVERS = 20
const TOOLS_EACH = 50
const READS = 1_000
const CHANGES = 20
const LIMIT_MS = 60_000

/**
 * Reading a directory of 1000 tools that is told the same again, as each write of the settings does, in microseconds;
 * and bringing it up to date after one of its 20 servers lists again, compared with rebuilding all of it, in ms.
 */
export const directorySpeed: BenchPart = async ({ rounds }) => {
  const servers = manyServers(SERVERS, TOOLS_EACH)
  const directory = new ToolDirectory()
  directory.set(servers)
  const { reads, kept, anew } = await interleave(
    {
      reads: () => Promise.resolve(readTime(directory, servers)),
      kept: () => Promise.resolve(changeTime(servers, () => directory)),
      anew: () => Promise.resolve(changeTime(servers, () => new ToolDirectory())),
    },
    { rounds, limitMs: LIMIT_MS },
  )
  const measurements: Measurement[] = [
    { row: toRow(READ, median(reads)), rounds: { 'told the same': reads }, roundUnit: 'us' },
    { row: toRow(REBUILD, median(kept)), rounds: { 'one server anew': kept }, roundUnit: 'ms' },
    {
      row: toRow(RATIO, medianRatio(kept, anew)),
      rounds: { 'one server anew': kept, 'all anew': anew },
      roundUnit: 'ms',
    },
  ]
  return measurements
}

/** Microseconds that one read takes. Throws when it finds a change. */
function readTime(directory: ToolDirectory, servers: readonly ListedServer[]): number {
  const told = { name: 'Server', resources: [], prompts: [] }
  directory.set(servers.map((server) => ({ ...server, told })))
  const { generation } = directory.snapshot
  const begin = performance.now()
  for (let read = 0; read < READS; read += 1) {
    const same = servers.map((server) => ({ ...server, told: { ...told } }))
    const isOther = directory.set(same) || directory.snapshot.generation !== generation
    if (isOther || !directory.snapshot.byExposedName.has('server-0__read_part_0'))
      throw new Error('What is told the same is another.')
  }
  return ((performance.now() - begin) * 1_000) / READS
}

/** The median of what single changes take, in ms. Throws when one is not seen. */
function changeTime(servers: readonly ListedServer[], directoryOf: () => ToolDirectory): number {
  const times: number[] = []
  for (let change = 0; change < CHANGES; change += 1) {
    const changed = relist(servers, change)
    const directory = directoryOf()
    const begin = performance.now()
    const isOther = directory.set(changed)
    times.push(performance.now() - begin)
    const { byExposedName, tools } = directory.snapshot
    if (!isOther || byExposedName.size !== tools.length || tools.length < SERVERS * TOOLS_EACH)
      throw new Error('A change was not seen.')
  }
  return median(times)
}

/** The third server lists all of its tools again: one of them is another, and every other time there is one more. */
function relist(servers: readonly ListedServer[], change: number): ListedServer[] {
  const [, , third] = servers
  if (!third) return []
  const [first, ...rest] = third.tools.map((one) => structuredClone(one))
  const own = tool(first?.tool.name ?? '', change + 2)
  const more = change % 2 === 0 ? [tool('one_more')] : []
  return servers.with(2, { ...third, tools: [own, ...more, ...rest] })
}
