import 'uplot/dist/uPlot.min.css'

import { type JSX, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import uPlot from 'uplot'

import type { ServerMetrics } from '../../../src-shared/domain/running/metrics'
import { Disclosure } from '../../ui/controls/disclosure'
import { currentTheme, watchTheme } from '../../ui/layout/theme'
import { formatTime } from '../../ui/text/format'
import { type ChartView, formatValue, type Series, seriesText } from './chart-series'

/** Height of a chart with its axis, in CSS pixels. */
const CHART_HEIGHT = 132

const POWERS = Array.from({ length: 31 }, (_, power) => 2 ** power)
const TENS = Array.from({ length: 10 }, (_, power) => 10 ** power)
const ROUND = TENS.flatMap((ten) => [ten, 2 * ten, 5 * ten])
/** Possible intervals between two times on the axis, in seconds. */
const TIME_STEPS = [60, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 14_400, 21_600]

const STEPS: Readonly<Record<ChartView['unit'], number[]>> = {
  count: ROUND,
  ms: [0.1, 0.2, 0.5, ...ROUND],
  bytes: POWERS,
}

function drawn(series: Series, colors: ChartColors): uPlot.Series {
  const color = colors[series.role]
  if (series.look === 'bars') {
    const paths = uPlot.paths.bars?.({ size: [0.8, 14] })
    return { fill: color, width: 0, points: { show: false }, ...(paths && { paths }) }
  }
  return {
    stroke: color,
    width: 1.5,
    points: { size: 4, width: 0, fill: color },
    ...(series.dashed && { dash: [4, 3] }),
    ...(series.look === 'area' && {
      fill: `color-mix(in oklab, ${color} 14%, transparent)`,
    }),
  }
}

function axesOf({ unit }: ChartView, colors: ChartColors): uPlot.Axis[] {
  const plain = { stroke: colors.text, font: colors.font, ticks: { show: false } }
  return [
    {
      ...plain,
      grid: { show: false },
      size: 22,
      gap: 6,
      space: 64,
      incrs: TIME_STEPS,
      values: (_chart, splits) => splits.map((second) => formatTime(second * 1_000)),
    },
    {
      ...plain,
      grid: { stroke: colors.line, width: 1 },
      size: 54,
      gap: 8,
      space: 24,
      incrs: STEPS[unit],
      values: (_chart, splits) => splits.map((value) => formatValue(unit, value)),
    },
  ]
}

/** Returns uPlot's options: time from `from` to `to` (epoch ms) on the x axis, values from zero on the y axis. */
function chartOptions(options: {
  readonly view: ChartView
  readonly colors: ChartColors
  readonly width: number
  /** Epoch ms, read again on each drawing. */
  readonly span: () => { readonly from: number; readonly to: number }
  /** Called with the step under the pointer, null when the pointer leaves. */
  readonly onPoint: (step: number | null) => void
}): uPlot.Options {
  const { view, colors, width, span, onPoint } = options
  const least = view.unit === 'count' ? 4 : 1
  return {
    width,
    height: CHART_HEIGHT,
    legend: { show: false },
    padding: [8, 28, 0, 0],
    series: [{}, ...view.series.map((series) => drawn(series, colors))],
    axes: axesOf(view, colors),
    scales: {
      x: { range: () => [span().from / 1_000, span().to / 1_000] },
      y: { range: (_chart, _min, max) => [0, Math.max(least, max * 1.08)] },
    },
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { show: false },
      sync: { key: 'figures' },
    },
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  }
}

type Times = Pick<ServerMetrics, 'steps' | 'stepMs' | 'from' | 'to'>

/** Draws each step at its middle, so that the nearest pointer position is above the step. */
function alignedValues(view: ChartView, { steps, stepMs }: Times): uPlot.AlignedData {
  const middles = steps.map(({ at }) => (at + stepMs / 2) / 1_000)
  return [middles, ...view.series.map(({ values }) => values)] as uPlot.AlignedData
}

/** Draws into the element passed to the returned ref, again for each theme, width and data. */
function useDrawing(
  view: ChartView,
  times: Times,
  onPoint: (step: number | null) => void,
): (element: HTMLDivElement | null) => void {
  const [element, setElement] = useState<HTMLDivElement | null>(null)
  const theme = useSyncExternalStore(watchTheme, currentTheme)
  const newest = useRef({ view, times })
  const chart = useRef<uPlot>(null)

  useEffect(() => {
    newest.current = { view, times }
    chart.current?.setData(alignedValues(view, times))
  }, [view, times])

  useEffect(() => {
    if (element === null) return undefined
    const drawing = new uPlot(
      chartOptions({
        view: newest.current.view,
        colors: readColors(element),
        width: element.clientWidth,
        span: () => newest.current.times,
        onPoint,
      }),
      alignedValues(newest.current.view, newest.current.times),
      element,
    )
    chart.current = drawing
    const watcher = new ResizeObserver(() =>
      drawing.setSize({ width: element.clientWidth, height: CHART_HEIGHT }),
    )
    watcher.observe(element)
    return () => {
      watcher.disconnect()
      chart.current = null
      drawing.destroy()
    }
  }, [element, theme, onPoint])

  return setElement
}

function Legend(props: {
  readonly view: ChartView
  /** Epoch ms of the step under the pointer. */
  readonly at: number | undefined
  readonly step: number | null
}): JSX.Element {
  const { view, at, step } = props
  return (
    <span className="flex flex-wrap gap-3 gap-y-0 text-small text-faint tabular-nums" aria-hidden>
      {at !== undefined && <span>{formatTime(at)}</span>}
      {view.series.map(({ label, role, dashed, values }) => {
        const value = at === undefined || step === null ? undefined : values[step]
        return (
          <span key={label} className={`chart-key is-${role}${dashed ? ' is-dashed' : ''}`}>
            {label}
            {at !== undefined && (
              <b className="ms-2 text-foreground">
                {value === null || value === undefined ? '–' : formatValue(view.unit, value)}
              </b>
            )}
          </span>
        )
      })}
    </span>
  )
}

function ValueTable({ view, times }: { view: ChartView; times: Times }): JSX.Element {
  const known = times.steps
    .map(({ at }, step) => ({ at, values: view.series.map(({ values }) => values[step] ?? null) }))
    .filter(({ values }) => values.some((value) => value !== null))
    .reverse()
  return (
    <table className="grid-table" aria-label={`Values of ${view.title}`}>
      <thead>
        <tr>
          <th scope="col">From</th>
          {view.series.map(({ label }) => (
            <th key={label} scope="col" className="text-right">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {known.map(({ at, values }) => (
          <tr key={at}>
            <th scope="row" className="tabular-nums">
              {formatTime(at)}
            </th>
            {values.map((value, index) => (
              <td key={view.series[index]?.label} className="text-right tabular-nums">
                {value === null ? '–' : formatValue(view.unit, value)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A chart over time with its text alternative: a sentence for each series, and a table of all values. */
export function TimeChart(props: { readonly view: ChartView; readonly times: Times }): JSX.Element {
  const { view, times } = props
  const id = useId()
  const [step, setStep] = useState<number | null>(null)
  const draw = useDrawing(view, times, setStep)
  const at = step === null ? undefined : times.steps[step]?.at
  const isEmpty = view.series.every(({ values }) => values.every((value) => value === null))
  const text = view.series.map((series) => seriesText(view.unit, series)).join(' ')
  if (isEmpty)
    return (
      <figure className="chart min-w-0" aria-labelledby={`${id}-title`}>
        <h3 id={`${id}-title`}>{view.title}</h3>
        <p className="mt-2 text-faint">No data in this time range.</p>
      </figure>
    )
  return (
    <figure className="chart min-w-0" aria-labelledby={`${id}-title`}>
      <figcaption className="mb-1 flex flex-wrap items-baseline justify-between gap-4 gap-y-0">
        <h3 id={`${id}-title`}>
          {view.title}
          {view.note !== undefined && (
            <span className="ms-2 text-small font-normal text-faint">{view.note}</span>
          )}
        </h3>
        <Legend view={view} at={at} step={step} />
      </figcaption>
      <div
        ref={draw}
        className="h-33 overflow-hidden"
        role="img"
        aria-label={`${view.title}. ${text}`}
      />
      <Disclosure
        label={`Values of ${view.title.toLowerCase()}`}
        className="bounded scroll mt-1"
        tabIndex={0}
        role="region"
        aria-label={`Values of ${view.title}`}
      >
        <ValueTable view={view} times={times} />
      </Disclosure>
    </figure>
  )
}

const ROLES = {
  chart: '--chart',
  error: '--error',
  text: '--text-3',
  line: '--line',
} as const

/** Canvas colors by role, and the font of the numbers. */
type ChartColors = Readonly<Record<keyof typeof ROLES, string>> & { readonly font: string }

/** Returns the current colors of the roles at an element; a canvas cannot resolve the tokens itself. */
function readColors(element: HTMLElement): ChartColors {
  const probe = document.createElement('span')
  element.append(probe)
  const resolved = (role: string): string => {
    probe.style.color = `var(${role})`
    return getComputedStyle(probe).color
  }
  const colors = Object.fromEntries(
    Object.entries(ROLES).map(([name, role]) => [name, resolved(role)]),
  ) as Record<keyof typeof ROLES, string>
  probe.style.fontSize = 'var(--type-micro)'
  const { fontSize, fontFamily } = getComputedStyle(probe)
  probe.remove()
  return { ...colors, font: `${fontSize} ${fontFamily}` }
}
