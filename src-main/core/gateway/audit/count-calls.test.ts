import { describe, expect, it, onTestFinished } from 'vitest'

import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { testCall } from '../../../../e2e/fixtures/test-calls'
import { AuditStore } from './audit-store'

const HALF_HOUR = 1_800_000
const NOW = 1_000 * HALF_HOUR + 60_000

describe('D6 the calls of the last day', () => {
  it('are counted by the half hour, the newest last, without what is older', () => {
    const bounds = { calls: 100, bytes: 1e7, exportBytes: 1e6 }
    const store = new AuditStore({ folder: tempFolder('counts'), bounds, onLost: () => undefined })
    onTestFinished(() => store[Symbol.dispose]())
    const at = (step: number): number => (953 + step) * HALF_HOUR
    store.append(
      [
        testCall({ at: at(-1) + HALF_HOUR - 1 }),
        testCall({ at: at(0) }),
        testCall({ at: at(46) + 5, outcome: 'denied' }),
        testCall({ at: at(47), outcome: 'timedOut' }),
        testCall({ at: NOW, outcome: 'toolError' }),
        testCall({ at: NOW }),
      ],
      0,
    )
    const counts = store.counts(NOW)
    expect(counts).toMatchObject({ from: at(0), stepMs: HALF_HOUR })
    expect(counts.steps).toHaveLength(48)
    expect(counts.steps.slice(0, 2)).toEqual([
      { calls: 1, failed: 0 },
      { calls: 0, failed: 0 },
    ])
    expect(counts.steps.slice(-2)).toEqual([
      { calls: 1, failed: 0 },
      { calls: 3, failed: 2 },
    ])
  })
})
