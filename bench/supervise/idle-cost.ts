import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { launchServe } from '../../e2e/ways-in/browser'
import type { BenchPart } from '../measure/bench'
import { median } from '../measure/median'
import { type Bar, toRow } from '../measure/row'
import { openServedPage } from '../measure/served-page'
import { cpuMs, residentMb } from './process-use'
import { fillWithTwenty, untilTwentyReady } from './twenty-servers'

const FIRST_RUN_MS = 60_000
const SETTLE_MS = 10_000
const WINDOW_MS = 20_000
/** A round is half a minute of waiting. */
const MAX_ROUNDS = 3

const RSS: Bar = { metric: 'idle-rss-mb-20-servers', unit: 'MB', op: '<=', bar: 110 }
const CPU: Bar = { metric: 'idle-cpu-percent-20-servers', unit: '%', op: '<=', bar: 0.5 }

/**
 * Memory and processor time of `patchbay serve` without its children while twenty servers are Ready and shown by an idle page: memory 10 s
 * after the last one was Ready, then processor time over 20 s. It isn't the profile's first run, so the catalog is known and closed, and
 * the tools are counted.
 */
export const idleCost: BenchPart = async ({ rounds }) => {
  const rss: number[] = []
  const cpu: number[] = []
  for (let round = 0; round < Math.min(rounds, MAX_ROUNDS); round += 1) {
    const use = await idleRound()
    rss.push(use.rssMb)
    cpu.push(use.cpuPercent)
  }
  return [
    { row: toRow(RSS, median(rss)), rounds: { serve: rss }, roundUnit: 'MB' },
    { row: toRow(CPU, median(cpu)), rounds: { serve: cpu }, roundUnit: '%' },
  ]
}

async function idleRound(): Promise<{ rssMb: number; cpuPercent: number }> {
  const { served, page, close } = await openServedPage(async (profileDir) => {
    await fillWithTwenty(profileDir)
    await runFirst(profileDir)
  })
  try {
    await untilTwentyReady(page)
    await delay(SETTLE_MS)
    const rssMb = residentMb(served.pid)
    const before = { cpu: cpuMs(served.pid), at: performance.now() }
    await delay(WINDOW_MS)
    const spentMs = cpuMs(served.pid) - before.cpu
    return { rssMb, cpuPercent: (100 * spentMs) / (performance.now() - before.at) }
  } finally {
    await close()
  }
}

/** A first run that syncs the profile's catalog and counts its tools' tokens. */
async function runFirst(profileDir: string): Promise<void> {
  const served = await launchServe({ profileDir })
  try {
    const known = ['catalog/known.json', 'tools/tokens.json'].map((file) => join(profileDir, file))
    const end = performance.now() + FIRST_RUN_MS
    while (!known.every((file) => existsSync(file))) {
      if (performance.now() > end) throw new Error(`The first run did not write ${known.join()}.`)
      await delay(200)
    }
    // The first listed server is counted immediately, the others after it.
    await delay(SETTLE_MS)
  } finally {
    await served.close()
  }
}
