import type { BenchPart } from '../measure/bench'
import { type Bar, toRow } from '../measure/row'
import { residentMb } from '../supervise/process-use'
import { openPatchbay } from './patchbay-target'
import { SdkAgent } from './sdk-agent'

const AGENTS = 3
const SERVERS = 10
const CALLS = 40_000
const PARALLEL = 24

const BAR: Bar = { metric: 'loaded-rss-mb-40000-calls', unit: 'MB', op: '<=', bar: 230 }

/** Memory of Patchbay's own process after 40,000 small calls of three agents to ten servers. */
export const loadedMemory: BenchPart = async () => {
  const patchbay = await openPatchbay({ agents: AGENTS, servers: SERVERS })
  const { headers, url, pid } = patchbay
  const agents = await Promise.all(headers.map((one) => SdkAgent.connect({ url, headers: [one] })))
  try {
    let made = 0
    const callOn = async (): Promise<void> => {
      while (made < CALLS) {
        const index = made % SERVERS
        made += 1
        const name = `bench${index === 0 ? '' : String(index)}__small`
        await agents[made % AGENTS]?.call(name, {})
      }
    }
    await Promise.all(Array.from({ length: PARALLEL }, callOn))
    const held = residentMb(pid)
    return [{ row: toRow(BAR, held), rounds: { ours: [held] }, roundUnit: 'MB' }]
  } finally {
    for (const agent of agents) agent.close()
    await patchbay.close()
  }
}
