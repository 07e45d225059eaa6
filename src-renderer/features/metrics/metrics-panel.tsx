import './metrics.css'

import { Download } from 'lucide-react'
import type { JSX } from 'react'
import { useMemo, useState } from 'react'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { MetricsRange, ServerMetrics } from '../../../src-shared/domain/running/metrics'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { Button } from '../../ui/controls/button'
import { IconButton } from '../../ui/controls/icon-button'
import { Segmented } from '../../ui/controls/segmented'
import { Banner } from '../../ui/layout/banner'
import { BlankState } from '../../ui/layout/blank-state'
import { ProblemState } from '../../ui/layout/problem-state'
import { fileName, saveText } from '../../ui/saving/save-text'
import { problemWords } from '../../ui/text/problem-messages'
import { BreakdownTables } from './breakdown-tables'
import { chartsOf } from './chart-series'
import { isEmpty, metricsMessage, metricsOf } from './messages'
import { MetricsSkeleton } from './metrics-skeleton'
import { TimeChart } from './time-chart'
import { useMetrics } from './use-metrics'

const RANGES = [
  { value: '1h', label: '1 h' },
  { value: '6h', label: '6 h' },
  { value: '24h', label: '24 h' },
] as const satisfies readonly { value: MetricsRange; label: string }[]

function Numbers({ metrics }: { readonly metrics: ServerMetrics }): JSX.Element {
  return (
    <dl className="figures stack gap-4" aria-label="Numbers">
      {metricsOf(metrics).map(({ name, value, note }) => (
        <div key={name}>
          <dt className="small">{name}</dt>
          <dd className="num title medium nowrap">
            {value}
            {note !== undefined && <span className="after-2 faint small regular">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Charts({ metrics }: { readonly metrics: ServerMetrics }): JSX.Element {
  const views = useMemo(() => chartsOf(metrics.steps, metrics.stepMs), [metrics])
  return (
    <div className="charts stack gap-6 at-top">
      {views.map((view) => (
        <TimeChart key={view.title} view={view} times={metrics} />
      ))}
      <BreakdownTables metrics={metrics} />
    </div>
  )
}

function Empty({ range }: { readonly range: MetricsRange }): JSX.Element {
  return (
    <BlankState
      art="waiting"
      title="No metrics yet"
      message={
        range === '24h'
          ? 'Start the server to collect metrics.'
          : `Choose a longer time range, or start the server to collect metrics.`
      }
    />
  )
}

function Answer({
  metrics,
  range,
}: {
  readonly metrics: ServerMetrics
  readonly range: MetricsRange
}): JSX.Element {
  if (isEmpty(metrics)) return <Empty range={range} />
  return (
    <>
      <p className="title medium num">{metricsMessage(metrics, range)}</p>
      <Numbers metrics={metrics} />
      <Charts metrics={metrics} />
    </>
  )
}

function ErrorLatch({
  problem,
  onRetry,
  isStale,
}: {
  readonly problem: AppErrorShape
  readonly onRetry: () => void
  /** Whether older figures are still shown. */
  readonly isStale: boolean
}): JSX.Element {
  if (!isStale)
    return <ProblemState title="Can’t load metrics" problem={problem} onRetry={onRetry} />
  const action = (
    <Button size="small" onClick={onRetry}>
      Try again
    </Button>
  )
  return (
    <Banner
      severity="warn"
      title="These metrics may be outdated."
      topic={problem.code}
      action={action}
    >
      {problemWords(problem)}
    </Banner>
  )
}

/** What was counted of a server: a sentence, numbers, and charts over the chosen time. */
export function MetricsPanel({ server }: { readonly server: ServerView }): JSX.Element {
  const { installationId, name } = server
  const [range, setRange] = useState<MetricsRange>('1h')
  const { read, again } = useMetrics(installationId, range)
  const { value, of, problem } = read
  const isOther = of !== range
  return (
    <>
      <div className="list-bar row gap-2 fixed ruled" role="toolbar" aria-label="Metrics">
        <Segmented label="Time" value={range} options={RANGES} onValueChange={setRange} />
        <span className="grow" />
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
      </div>
      <div className="tab-body fill scroll" tabIndex={0} role="region" aria-label="Metrics">
        <div
          className="figures-page tab-inner stack gap-6"
          aria-busy={value !== undefined && isOther}
        >
          {problem !== undefined && (
            <ErrorLatch problem={problem} onRetry={again} isStale={value !== undefined} />
          )}
          {value !== undefined && <Answer metrics={value} range={of} />}
          {value === undefined && problem === undefined && <MetricsSkeleton />}
        </div>
      </div>
    </>
  )
}
