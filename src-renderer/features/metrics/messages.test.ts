import { describe, expect, it } from 'vitest'

import type { MetricsStep, ServerMetrics } from '../../../src-shared/domain/running/metrics'
import { chartsOf, seriesText } from './chart-series'
import { isEmpty, metricsOf, shareText } from './metrics-panel'

const HOUR = 3_600_000
const step = (part: Partial<MetricsStep> = {}): MetricsStep => ({
  at: 0,
  upMs: 60_000,
  requests: 0,
  errors: 0,
  bytesIn: 0,
  bytesOut: 0,
  stderrLines: 0,
  noiseLines: 0,
  ...part,
})
const totals: ServerMetrics['totals'] = {
  upMs: 0,
  starts: 0,
  restarts: 0,
  losses: 0,
  requests: 0,
  errors: 0,
  errorsByCode: [],
  bytesIn: 0,
  bytesOut: 0,
  stderrLines: 0,
  noiseLines: 0,
}

describe('B11: numbers of a server', () => {
  it('never round a share up to 100%', () => {
    expect(shareText(99_999, 100_000)).toBe('99.9%')
    expect(shareText(100_000, 100_000)).toBe('100%')
    expect(shareText(5, 0)).toBe('0%')
  })

  it('are four, with a dash if nothing was measured', () => {
    expect(metricsOf({ totals }).map(({ name, value }) => [name, value])).toEqual([
      ['Uptime', '0 s'],
      ['Requests', '0'],
      ['Latency', '–'],
      ['Received', '0 bytes'],
    ])
  })

  it('show restarts, errors, the slowest responses and the bytes sent', () => {
    const metrics = metricsOf({
      totals: {
        ...totals,
        ...{ upMs: HOUR / 2, restarts: 2, requests: 1_200, errors: 6 },
        latency: { p50: 4.2, p95: 1_850 },
        ...{ bytesIn: 3 * 2 ** 20, bytesOut: 45 * 2 ** 10 },
      },
    })
    expect(metrics.map(({ name, value, note }) => [name, value, note])).toEqual([
      ['Uptime', '30 min', '2 automatic restarts'],
      ['Requests', '1,200', '6 failed, 0.5%'],
      ['Latency', '4 ms', 'p95 1.9 s'],
      ['Received', '3.0 MB', '45 KB sent'],
    ])
  })

  it('report whether nothing was counted', () => {
    expect(isEmpty({ totals, steps: [step({ upMs: 0 })] })).toBe(true)
    expect(isEmpty({ totals: { ...totals, starts: 1 }, steps: [] })).toBe(false)
  })
})

describe('B11: charts of a server', () => {
  it('have a gap while the server was not running, and zeros while it was idle', () => {
    const [requests] = chartsOf([step({ upMs: 0 }), step(), step({ requests: 3 })], 60_000)
    expect(requests?.series[0]?.values).toEqual([null, 0, 3])
    expect(requests?.note).toBe('each 1 min')
  })

  it('show the median and the 95th percentile, and the memory of each step', () => {
    const measured = { latency: { p50: 4, p95: 90 }, rssBytes: 64 }
    const series = chartsOf([step(), step(measured)], 60_000).flatMap((view) =>
      view.series.map(({ label, values }) => [view.title, label, ...values]),
    )
    expect(series).toContainEqual(['Latency', 'Median', null, 4])
    expect(series).toContainEqual(['Latency', '95th percentile', null, 90])
    expect(series).toContainEqual(['Memory', 'All processes', null, 64])
  })

  it('are described in one sentence each', () => {
    const series = { label: 'Requests', look: 'bars', role: 'chart' } as const
    expect(seriesText('count', { ...series, values: [null, 0, 12, 3] })).toBe(
      'Requests: 0 to 12, last 3.',
    )
    expect(seriesText('ms', { ...series, label: 'Median', values: [4, null] })).toBe(
      'Median: constant at 4.0 ms.',
    )
    expect(seriesText('count', { ...series, values: [null] })).toBe('Requests: no data.')
  })
})
