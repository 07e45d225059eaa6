import uPlot from 'uplot'

import { formatTime } from '../../ui/text/format'
import type { ChartColours } from './chart-colours'
import type { ChartView, Series } from './chart-series'
import { formatValue } from './chart-series'

/** The height of a chart with its axis, in CSS pixels. */
export const CHART_HEIGHT = 132

const POWERS = Array.from({ length: 31 }, (_, power) => 2 ** power)
const TENS = Array.from({ length: 10 }, (_, power) => 10 ** power)
const ROUND = TENS.flatMap((ten) => [ten, 2 * ten, 5 * ten])
/** Seconds between two times on the axis. */
const TIME_STEPS = [60, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 14_400, 21_600]

const STEPS: Readonly<Record<ChartView['unit'], number[]>> = {
  count: ROUND,
  ms: [0.1, 0.2, 0.5, ...ROUND],
  bytes: POWERS,
}

function drawn(series: Series, colours: ChartColours): uPlot.Series {
  const colour = colours[series.role]
  if (series.look === 'bars') {
    const paths = uPlot.paths.bars?.({ size: [0.8, 14] })
    return { fill: colour, width: 0, points: { show: false }, ...(paths && { paths }) }
  }
  return {
    stroke: colour,
    width: 1.5,
    points: { size: 4, width: 0, fill: colour },
    ...(series.dashed && { dash: [4, 3] }),
    ...(series.look === 'area' && {
      fill: `color-mix(in oklab, ${colour} 14%, transparent)`,
    }),
  }
}

function axesOf({ unit }: ChartView, colours: ChartColours): uPlot.Axis[] {
  const plain = { stroke: colours.text, font: colours.font, ticks: { show: false } }
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
      grid: { stroke: colours.line, width: 1 },
      size: 54,
      gap: 8,
      space: 24,
      incrs: STEPS[unit],
      values: (_chart, splits) => splits.map((value) => formatValue(unit, value)),
    },
  ]
}

/** How uPlot draws a chart: the time of `from` to `to` (epoch ms) across, from zero upwards. */
export function chartOptions(options: {
  readonly view: ChartView
  readonly colours: ChartColours
  readonly width: number
  /** Epoch ms, read again with each drawing. */
  readonly span: () => { readonly from: number; readonly to: number }
  /** The step under the pointer, null when it leaves. */
  readonly onPoint: (step: number | null) => void
}): uPlot.Options {
  const { view, colours, width, span, onPoint } = options
  const least = view.unit === 'count' ? 4 : 1
  return {
    width,
    height: CHART_HEIGHT,
    legend: { show: false },
    padding: [8, 16, 0, 0],
    series: [{}, ...view.series.map((series) => drawn(series, colours))],
    axes: axesOf(view, colours),
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
