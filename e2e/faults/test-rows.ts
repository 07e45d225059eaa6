import { randomUUID } from 'node:crypto'

import { beforeAll, describe, expect, it } from 'vitest'

import type { StopGrace } from '../../src-main/core/process/spawn/graceful-stop'
import { Harness } from '../fixtures/harness'
import { stayingIn } from '../fixtures/stop-grace'
import type { EndedBy, FaultRow } from './fault-row'
import { FaultRun } from './fault-run'
import { countMarked, markedProcesses } from './marked-processes'
import { measureMemory } from './memory'
import type { RowResult } from './row-result'

/** Keeps a Stop in the stage that should be enough, longer than the test waits: its end proves what ended it. */
const STAYS_IN = {
  stdin: ['stdinMs'],
  SIGTERM: ['termMs'],
  SIGKILL: [],
} as const satisfies Record<EndedBy, readonly (keyof StopGrace)[]>
const KEPT_MB = 12
const PEAK_MB = 160
const ROW_LIMIT_MS = 90_000

/** Makes a test of each row, and stores its numbers in the task's meta for the table. */
export function testRows(group: string, rows: readonly FaultRow[]): void {
  describe(`B1 to B7: ${group}`, () => {
    // Code loaded on first use would count as the first row's memory.
    beforeAll(async () => {
      await runRow({
        fault: 'works',
        script: 'plain.mjs',
        play: (run) => run.startsWorking(),
      })
    }, ROW_LIMIT_MS)

    for (const row of rows) {
      it(`a server that ${row.fault}`, { timeout: ROW_LIMIT_MS }, async ({ task }) => {
        const result = await runRow(row)
        task.meta.faultRow = { group, fault: row.fault, ...result }
        expect(result.processesLeft).toBe(0)
        expect(result.keptMb).toBeLessThan(row.keptMb ?? KEPT_MB)
        expect(result.peakMb ?? 0).toBeLessThan(row.peakMb ?? PEAK_MB)
      })
    }
  })
}

async function runRow(row: FaultRow): Promise<Omit<RowResult, 'group' | 'fault'>> {
  const harness = new Harness()
  const mark = randomUUID()
  try {
    // Tests the failure itself, not the reaction to it; no health check may report a loss.
    await harness.call('settings.update', { startsAgain: false, healthChecks: false })
    const finish = await measureMemory()
    const run = new FaultRun(harness, row, mark)
    const { seen, ms } = await row.play(run)
    const { pid } = await run.view()
    const stages = STAYS_IN[row.endsBy ?? 'stdin']
    const stopMs = await stayingIn(stages, () => stop(harness, run.installationId))
    const processesLeft = countMarked(mark, pid)
    return { seen, ms, stopMs, processesLeft, ...(await finish()) }
  } finally {
    await harness.close()
    // A failed row must not affect the next ones.
    for (const pid of markedProcesses(mark)) process.kill(pid, 'SIGKILL')
  }
}

async function stop(harness: Harness, installationId: string): Promise<number> {
  const from = Date.now()
  await harness.call('server.stop', { installationId })
  const { statusSince } = await harness.until(installationId, 'stopped')
  return Math.max(0, statusSince - from)
}
