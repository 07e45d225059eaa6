import { describe, expect, it } from 'vitest'

import type { MetricsStep, ServerMetrics } from '../../../src-shared/domain/running/metrics'
import { chartsOf, heightsOf, seriesSentence } from './chart-series'
import { isEmpty, metricsMessage, metricsOf, shareWords } from './messages'

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

describe('B11: the words of the figures', () => {
  it('say how long it was ready, how often it came back and was lost', () => {
    const of = (part: Partial<typeof totals>): string =>
      metricsMessage({ totals: { ...totals, ...part }, from: 0, to: 6 * HOUR }, '6h')
    expect(of({ upMs: 6 * HOUR * 0.992, restarts: 2 })).toBe(
      'Ready for 99.2% of the last 6 h. 2 restarts.',
    )
    expect(of({ upMs: 180_000, losses: 1 })).toBe(
      'Ready for 3 min of the last 6 h. No restarts. 1 disconnect.',
    )
    expect(of({ restarts: 1, losses: 2 })).toBe(
      'Not running in the last 6 h. 1 restart. 2 disconnects.',
    )
  })

  it('never round a share up to the whole', () => {
    expect(shareWords(99_999, 100_000)).toBe('99.9%')
    expect(shareWords(100_000, 100_000)).toBe('100%')
    expect(shareWords(5, 0)).toBe('0%')
  })

  it('have a dash where nothing was measured', () => {
    const metrics = metricsOf({ totals, from: 0, to: HOUR })
    const dashes = metrics.filter(({ value }) => value === '–').map(({ name }) => name)
    expect(dashes).toEqual([
      ...[
        'Latency (median)',
        'Latency (p95)',
        'Current memory',
        'Current CPU',
        'Current processes',
      ],
    ])
  })

  it('name each value that was measured, with its unit', () => {
    const metrics = metricsOf({
      totals: {
        ...{ upMs: HOUR / 2, starts: 9, restarts: 2, losses: 1, requests: 1_200, errors: 6 },
        errorsByCode: [{ code: 'TOOL_ERROR', count: 6 }],
        latency: { p50: 4.2, p95: 1_850 },
        ...{ bytesIn: 3 * 2 ** 20, bytesOut: 45 * 2 ** 10, stderrLines: 17, noiseLines: 5 },
      },
      from: 0,
      to: HOUR,
      now: { processes: 3, rssBytes: 64 * 2 ** 20, cpuPercent: 12.6 },
    })
    expect(metrics.map(({ name, value, note }) => [name, value, ...(note ? [note] : [])])).toEqual([
      ['Ready', '30 min', '50%'],
      ['Restarts', '2'],
      ['Disconnects', '1'],
      ['Requests', '1,200'],
      ['Errors', '6', '0.5%'],
      ['Latency (median)', '4.2 ms'],
      ['Latency (p95)', '1.9 s'],
      ['Received', '3.0 MB'],
      ['Sent', '45 KB'],
      ['stderr lines', '17'],
      ['Invalid stdout lines', '5'],
      ['Current memory', '64 MB'],
      ['Current CPU', '13%'],
      ['Current processes', '3'],
    ])
  })

  it('know that nothing was counted', () => {
    expect(isEmpty({ totals, steps: [step({ upMs: 0 })] })).toBe(true)
    expect(isEmpty({ totals: { ...totals, starts: 1 }, steps: [] })).toBe(false)
  })
})

describe('B11: the charts of the figures', () => {
  it('have a gap where the server did not run, and zeros where it ran idle', () => {
    const [requests] = chartsOf([step({ upMs: 0 }), step(), step({ requests: 3 })], 60_000)
    expect(requests?.series[0]?.values).toEqual([null, 0, 3])
    expect(requests?.note).toBe('each 1 min, including listings and health checks')
  })

  it('show the median and the 95th percentile, memory and processor of each step', () => {
    const measured = { latency: { p50: 4, p95: 90 }, rssBytes: 64, cpuPercent: 12 }
    const series = chartsOf([step(), step(measured)], 60_000).flatMap((view) =>
      view.series.map(({ label, values }) => [view.title, label, ...values]),
    )
    expect(series).toContainEqual(['Latency', 'Median', null, 4])
    expect(series).toContainEqual(['Latency', '95th percentile', null, 90])
    expect(series).toContainEqual(['Memory', 'All processes', null, 64])
    expect(series).toContainEqual(['CPU', 'All processes', null, 12])
  })

  it('stand the lines of stdout on those of stderr', () => {
    const lines = chartsOf([step({ stderrLines: 2, noiseLines: 5 })], 60_000).at(-1)
    expect(lines && heightsOf(lines)).toEqual([[7], [5]])
  })

  it('are told in a sentence each', () => {
    const series = { label: 'Requests', look: 'bars', role: 'chart' } as const
    expect(seriesSentence('count', { ...series, values: [null, 0, 12, 3] })).toBe(
      'Requests: 0 to 12, last 3.',
    )
    expect(seriesSentence('ms', { ...series, label: 'Median', values: [4, null] })).toBe(
      'Median: constant at 4.0 ms.',
    )
    expect(seriesSentence('count', { ...series, values: [null] })).toBe('Requests: no data.')
  })
})
