import { describe, expect, it } from 'vitest'

import { LEAKS } from './plant'
import { missed, runSoak } from './run-soak'

/** Ends a hanging test; a busy computer takes minutes. */
const LIMIT_MS = 600_000

describe('starting and stopping ten servers repeatedly', () => {
  it.concurrent(
    'leaves no handle, timer, listener or process, and memory flat',
    async () => {
      const rows = await runSoak(['--cycles=20'], LIMIT_MS)
      expect(rows.length).toBeGreaterThan(10)
      expect(missed(rows)).toEqual([])
    },
    LIMIT_MS + 10_000,
  )

  it.concurrent(
    'would be noticed if it did',
    async () => {
      const rows = await runSoak(
        ['--cycles=9', ...LEAKS.map((leak) => `--plant=${leak}`)],
        LIMIT_MS,
      )
      const metrics = missed(rows).map((one) => one.replace(/ .*/u, ''))
      expect(metrics).toEqual(
        expect.arrayContaining([
          'handles-left',
          'processes-left',
          'processListeners-left',
          'sessions-per-cycle',
          'timers-per-cycle',
          'heap-kb-per-cycle',
        ]),
      )
    },
    LIMIT_MS + 10_000,
  )
})
