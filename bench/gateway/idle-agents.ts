import { setTimeout as delay } from 'node:timers/promises'

import type { BenchPart } from '../measure/bench'
import { median } from '../measure/median'
import { type Bar, toRow } from '../measure/row'
import { residentMb } from '../supervise/process-use'
import { openPatchbay } from './patchbay-target'
import { Peer } from './peer'

const AGENTS = 50
const SETTLE_MS = 5_000
/** A round is ten seconds and more of waiting. */
const MAX_ROUNDS = 5

const BAR: Bar = { metric: 'memory-per-idle-agent-mb', unit: 'MB', op: '<=', bar: 1 }

/** Patchbay's additional memory per agent that is connected, has listed its tools and listens. */
export const idleAgents: BenchPart = async ({ rounds }) => {
  const growth: number[] = []
  for (let round = 0; round < Math.min(rounds, MAX_ROUNDS); round += 1)
    growth.push(await growthOfOne())
  return [{ row: toRow(BAR, median(growth)), rounds: { ours: growth }, roundUnit: 'MB' }]
}

async function growthOfOne(): Promise<number> {
  const ours = await openPatchbay({ agents: AGENTS + 1 })
  const peers: Peer[] = []
  try {
    const [first = {}, ...others] = ours.headers
    // The first agent's one-time cost isn't each agent's.
    peers.push(await idle(ours.url, first))
    await delay(SETTLE_MS)
    const before = residentMb(ours.pid)
    for (const headers of others) peers.push(await idle(ours.url, headers))
    await delay(SETTLE_MS)
    return (residentMb(ours.pid) - before) / AGENTS
  } finally {
    for (const peer of peers) peer.close()
    await ours.close()
  }
}

async function idle(url: string, headers: Readonly<Record<string, string>>): Promise<Peer> {
  const peer = await Peer.connect(url, { headers })
  await peer.ask('tools/list', {})
  await peer.listen()
  return peer
}
