import './metrics.css'

import { Download } from 'lucide-react'
import { type JSX, useEffect, useMemo, useRef, useState } from 'react'

import type { MetricsRange, ServerMetrics } from '../../../src-shared/domain/running/metrics'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { useRequest } from '../../ipc/use-request'
import { IconButton } from '../../ui/controls/button'
import { Segmented } from '../../ui/controls/choice'
import { ListProblem } from '../../ui/layout/problem-state'
import { SectionHeader } from '../../ui/layout/section'
import { fileName, saveText } from '../../ui/saving/save-text'
import {
  counted,
  formatBytes,
  formatCount,
  formatDuration,
  formatPercent,
  formatWhole,
} from '../../ui/text/format'
import { chartsOf } from './chart-series'
import { TimeChart } from './time-chart'

const EVERY_MS = 5_000

const RANGES = [
  { value: '1h', label: '1 h' },
  { value: '6h', label: '6 h' },
  { value: '24h', label: '24 h' },
] as const satisfies readonly { value: MetricsRange; label: string }[]

function Charts({ metrics }: { readonly metrics: ServerMetrics }): JSX.Element {
  const views = useMemo(() => chartsOf(metrics.steps, metrics.stepMs), [metrics])
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(18rem,100%),1fr))] items-start gap-6">
      {views.map((view) => (
        <TimeChart key={view.title} view={view} times={metrics} />
      ))}
    </div>
  )
}

/** The metrics of a server for the chosen time: four numbers and three charts. */
export function MetricsPanel(props: {
  readonly server: ServerView
  /** Whether the page was opened to show the metrics. */
  readonly isWanted: boolean
}): JSX.Element {
  const { server, isWanted } = props
  const { installationId, name } = server
  const [range, setRange] = useState<MetricsRange>('1h')
  const { value, isStale, problem, retry } = useRequest(
    'metrics.read',
    { installationId, range },
    { pollMs: EVERY_MS },
  )
  const section = useRef<HTMLElement>(null)
  const isRead = value !== undefined
  useEffect(() => {
    if (isWanted && isRead) section.current?.scrollIntoView({ block: 'start' })
  }, [isWanted, isRead])
  return (
    <section ref={section} className="grid gap-4" aria-labelledby="metrics" aria-busy={isStale}>
      <SectionHeader id="metrics" title="Metrics">
        <Segmented label="Time" value={range} options={RANGES} onValueChange={setRange} />
        <IconButton
          small
          icon={Download}
          label="Export metrics"
          disabled={value === undefined}
          onClick={() =>
            saveText(
              fileName(`${name} metrics`, Date.now(), 'json'),
              `${JSON.stringify(value, null, 2)}\n`,
            )
          }
        />
      </SectionHeader>
      {problem !== undefined && (
        <ListProblem
          title="Can’t load metrics"
          stale="These metrics may be outdated."
          problem={problem}
          isShown={value !== undefined}
          onRetry={retry}
        />
      )}
      {value === undefined && problem === undefined && (
        <p className="bone metrics-bone" role="status" aria-label="Loading metrics" />
      )}
      {value !== undefined &&
        (isEmpty(value) ? (
          <p className="text-muted">
            {range === '24h'
              ? 'Start the server to collect metrics.'
              : 'Choose a longer time range, or start the server to collect metrics.'}
          </p>
        ) : (
          <>
            <dl className="fit-columns gap-4" aria-label="Numbers">
              {metricsOf(value).map(({ name, value, note }) => (
                <div key={name}>
                  <dt className="text-small text-muted">{name}</dt>
                  <dd className="text-title font-medium whitespace-nowrap tabular-nums">
                    {value}
                    {note !== undefined && (
                      <span className="ms-2 text-small font-normal text-faint">{note}</span>
                    )}
                  </dd>
                </div>
              ))}
            </dl>
            <Charts metrics={value} />
          </>
        ))}
    </section>
  )
}

/** Returns a share in percent, never rounded up to 100%: `99.9%`. */
export function shareText(part: number, total: number): string {
  if (total <= 0 || part <= 0) return '0%'
  if (part >= total) return '100%'
  return formatPercent(Math.min(0.999, part / total))
}

/** Whether nothing was counted. */
export function isEmpty({ totals, steps }: Pick<ServerMetrics, 'totals' | 'steps'>): boolean {
  const { starts, upMs, requests, stderrLines } = totals
  return (
    starts + upMs + requests + stderrLines === 0 &&
    steps.every(({ rssBytes }) => rssBytes === undefined)
  )
}

type Metric = { readonly name: string; readonly value: string; readonly note?: string }

/** Returns the four numbers of a range; a dash if nothing was measured. */
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
      ...(errors > 0 && { note: `${formatCount(errors)} failed, ${shareText(errors, requests)}` }),
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
