import type { MetricsRange, ServerMetrics } from '../../../src-shared/domain/running/metrics'
import { counted, formatBytes, formatCount, formatPercent, formatWhole } from '../../ui/text/format'
import { formatValue } from './chart-series'

/** How a range is said: "the last 6 h". */
const RANGE_WORDS: Readonly<Record<MetricsRange, string>> = {
  '1h': 'the last hour',
  '6h': 'the last 6 h',
  '24h': 'the last 24 h',
}

type Counted = Pick<ServerMetrics, 'totals' | 'from' | 'to'>

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

/** The answer of the page: "Ready for 99.2% of the last 6 h. 2 restarts." A short time is said as time. */
export function metricsMessage({ totals, from, to }: Counted, range: MetricsRange): string {
  const { upMs, restarts, losses } = totals
  const share = upMs / Math.max(1, to - from)
  const ready =
    upMs === 0
      ? `Not running in ${RANGE_WORDS[range]}.`
      : `Ready for ${share < 0.5 ? formatWhole(upMs) : shareWords(upMs, to - from)} of ${RANGE_WORDS[range]}.`
  const again = restarts === 0 ? 'No restarts.' : `${counted(restarts, 'restart')}.`
  const lost = losses === 0 ? '' : ` ${counted(losses, 'disconnect')}.`
  return `${ready} ${again}${lost}`
}

/** A number with its name; `note` stands small beside it. */
export type Figure = { readonly name: string; readonly value: string; readonly note?: string }

function countedMetrics({ totals, from, to }: Counted): readonly Figure[] {
  const { upMs, restarts, losses, requests, errors, latency, bytesIn, bytesOut } = totals
  const ms = (value: number | undefined): string =>
    value === undefined ? '–' : formatValue('ms', value)
  return [
    { name: 'Ready', value: formatWhole(upMs), note: shareWords(upMs, to - from) },
    { name: 'Restarts', value: formatCount(restarts) },
    { name: 'Disconnects', value: formatCount(losses) },
    { name: 'Requests', value: formatCount(requests) },
    {
      name: 'Errors',
      value: formatCount(errors),
      ...(errors > 0 && { note: shareWords(errors, requests) }),
    },
    { name: 'Latency (median)', value: ms(latency?.p50) },
    { name: 'Latency (p95)', value: ms(latency?.p95) },
    { name: 'Received', value: formatBytes(bytesIn) },
    { name: 'Sent', value: formatBytes(bytesOut) },
    { name: 'stderr lines', value: formatCount(totals.stderrLines) },
    { name: 'Invalid stdout lines', value: formatCount(totals.noiseLines) },
  ]
}

/** All numbers of the range, then those of this moment; a dash where nothing is known. */
export function metricsOf(metrics: Counted & Pick<ServerMetrics, 'now'>): readonly Figure[] {
  const { now } = metrics
  return [
    ...countedMetrics(metrics),
    { name: 'Current memory', value: now === undefined ? '–' : formatBytes(now.rssBytes) },
    {
      name: 'Current CPU',
      value: now?.cpuPercent === undefined ? '–' : formatValue('percent', now.cpuPercent),
    },
    { name: 'Current processes', value: now === undefined ? '–' : formatCount(now.processes) },
  ]
}
