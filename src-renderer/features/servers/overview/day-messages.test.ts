import { describe, expect, it } from 'vitest'

import type { ServerMetrics } from '../../../../src-shared/domain/running/metrics'
import { dayMetrics } from './day-messages'

const NOTHING: ServerMetrics['totals'] = {
  ...{ upMs: 0, starts: 0, restarts: 0, losses: 0, requests: 0, errors: 0, errorsByCode: [] },
  ...{ bytesIn: 0, bytesOut: 0, stderrLines: 0, noiseLines: 0 },
}
const lines = (metrics: Parameters<typeof dayMetrics>[0]): string[] =>
  dayMetrics(metrics).map(({ name, value, more }) =>
    [name, value, more].filter(Boolean).join(' | '),
  )

describe('B11 the last day of a server', () => {
  it('says what was counted, and nothing of what was not measured', () => {
    expect(lines({ totals: NOTHING })).toEqual(['Uptime | none', 'Starts | 0', 'Requests | 0'])
  })

  it('says what it did by itself, what failed, and what it takes', () => {
    const totals = {
      ...NOTHING,
      ...{ upMs: 3_600_000, starts: 4, restarts: 3, losses: 2, requests: 1_200, errors: 1 },
      latency: { p50: 12, p95: 340 },
    }
    const now = { processes: 3, rssBytes: 64 * 1024 * 1024, cpuPercent: 2.4 }
    expect(lines({ totals, now })).toEqual([
      'Uptime | 1 h',
      'Starts | 4 | 3 automatic',
      'Disconnects | 2',
      'Requests | 1,200 | 1 failed',
      'Latency | 12 ms | p95 0.3 s',
      'Memory | 64 MB | 3 processes',
      'CPU | 2%',
    ])
  })
})
