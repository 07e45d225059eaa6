import type { ServerMetrics } from '../../../src-shared/domain/running/metrics'
import {
  counted,
  formatBytes,
  formatCount,
  formatDuration,
  formatPercent,
  formatWhole,
} from '../../ui/text/format'

/** A share of 1 in percent, never rounded up to the whole: `99.9%`. */
export function shareWords(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0%'
  if (part >= whole) return '100%'
  return formatPercent(Math.min(0.999, part / whole))
}

/** Whether anything at all was counted. */
export function isEmpty({ totals, steps }: Pick<ServerMetrics, 'totals' | 'steps'>): boolean {
  const { starts, upMs, requests, stderrLines } = totals
  return (
    starts + upMs + requests + stderrLines === 0 &&
    steps.every(({ rssBytes }) => rssBytes === undefined)
  )
}

/** A number with its name; `note` stands small beside it. */
export type Metric = { readonly name: string; readonly value: string; readonly note?: string }

/** The four numbers of a range; a dash where nothing was measured. */
export function metricsOf({ totals }: Pick<ServerMetrics, 'totals'>): readonly Metric[] {
  const { upMs, restarts, requests, errors, latency, bytesIn, bytesOut } = totals
  return [
    {
      name: 'Uptime',
      value: formatWhole(upMs),
      ...(restarts > 0 && { note: counted(restarts, 'automatic restart') }),
    },
    {
      name: 'Requests',
      value: formatCount(requests),
      ...(errors > 0 && { note: `${formatCount(errors)} failed, ${shareWords(errors, requests)}` }),
    },
    {
      name: 'Latency',
      value: latency === undefined ? '–' : formatDuration(latency.p50),
      ...(latency && { note: `p95 ${formatDuration(latency.p95)}` }),
    },
    {
      name: 'Received',
      value: formatBytes(bytesIn),
      note: `${formatBytes(bytesOut)} sent`,
    },
  ]
}
