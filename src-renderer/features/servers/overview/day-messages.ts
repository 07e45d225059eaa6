import type { ServerMetrics } from '../../../../src-shared/domain/running/metrics'
import {
  counted,
  formatBytes,
  formatCount,
  formatDuration,
  formatWhole,
} from '../../../ui/text/format'

/** A figure of the last day: what it is, how much, and what belongs to it. */
export type DayFigure = { readonly name: string; readonly value: string; readonly more?: string }

/** The last 24 hours of a server in a few figures; those that were not measured are left out. */
export function dayMetrics({ totals, now }: Pick<ServerMetrics, 'totals' | 'now'>): DayFigure[] {
  const { upMs, starts, restarts, losses, requests, errors, latency } = totals
  const metrics: (DayFigure | undefined)[] = [
    { name: 'Uptime', value: upMs === 0 ? 'none' : formatWhole(upMs) },
    {
      name: 'Starts',
      value: formatCount(starts),
      ...(restarts > 0 && { more: `${formatCount(restarts)} automatic` }),
    },
    losses > 0 ? { name: 'Disconnects', value: formatCount(losses) } : undefined,
    {
      name: 'Requests',
      value: formatCount(requests),
      ...(errors > 0 && { more: counted(errors, 'failed', 'failed') }),
    },
    latency && {
      name: 'Latency',
      value: formatDuration(latency.p50),
      more: `p95 ${formatDuration(latency.p95)}`,
    },
    now && {
      name: 'Memory',
      value: formatBytes(now.rssBytes),
      ...(now.processes > 1 && { more: `${formatCount(now.processes)} processes` }),
    },
    now?.cpuPercent === undefined
      ? undefined
      : { name: 'CPU', value: `${formatCount(Math.round(now.cpuPercent))}%` },
  ]
  return metrics.filter((figure) => figure !== undefined)
}
