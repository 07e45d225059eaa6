import 'uplot/dist/uPlot.min.css'

import type { JSX } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import uPlot from 'uplot'

import type { ServerMetrics } from '../../../src-shared/domain/running/metrics'
import { DisclosureButton } from '../../ui/controls/disclosure'
import { formatTime } from '../../ui/text/format'
import { readColours, useThemeWord } from './chart-colours'
import { CHART_HEIGHT, chartOptions } from './chart-options'
import type { ChartView } from './chart-series'
import { formatValue, seriesSentence } from './chart-series'

/** When the steps of a chart begin, and the time it spans. */
type Times = Pick<ServerMetrics, 'steps' | 'stepMs' | 'from' | 'to'>

/** A step is drawn in its middle, where the pointer that is nearest to it stands over it. */
function alignedValues(view: ChartView, { steps, stepMs }: Times): uPlot.AlignedData {
  const middles = steps.map(({ at }) => (at + stepMs / 2) / 1_000)
  return [middles, ...view.series.map(({ values }) => values)] as uPlot.AlignedData
}

/** Draws into the element that the returned function takes, again with each theme, width and reading. */
function useDrawing(
  view: ChartView,
  times: Times,
  onPoint: (step: number | null) => void,
): (element: HTMLDivElement | null) => void {
  const [element, setElement] = useState<HTMLDivElement | null>(null)
  const theme = useThemeWord()
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
        colours: readColours(element),
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

function Legend({
  view,
  at,
  step,
}: {
  readonly view: ChartView
  /** Epoch ms of the step under the pointer. */
  readonly at: number | undefined
  readonly step: number | null
}): JSX.Element {
  return (
    <span className="flex wrap gap-3 rows-0 faint small num" aria-hidden>
      {at !== undefined && <span>{formatTime(at)}</span>}
      {view.series.map(({ label, role, dashed, values }) => {
        const value = at === undefined || step === null ? undefined : values[step]
        return (
          <span key={label} className={`chart-key is-${role}${dashed ? ' is-dashed' : ''}`}>
            {label}
            {at !== undefined && (
              <b className="after-2 ink">
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
            <th key={label} scope="col" className="right">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {known.map(({ at, values }) => (
          <tr key={at}>
            <th scope="row" className="num">
              {formatTime(at)}
            </th>
            {values.map((value, index) => (
              <td key={view.series[index]?.label} className="right num">
                {value === null ? '–' : formatValue(view.unit, value)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A chart over the time with its words: a sentence for each series, and every value in a table. */
export function TimeChart({
  view,
  times,
}: {
  readonly view: ChartView
  readonly times: Times
}): JSX.Element {
  const id = useId()
  const [step, setStep] = useState<number | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const draw = useDrawing(view, times, setStep)
  const at = step === null ? undefined : times.steps[step]?.at
  const sentence = view.series.map((series) => seriesSentence(view.unit, series)).join(' ')
  return (
    <figure className="chart slim" aria-labelledby={`${id}-title`}>
      <figcaption className="row at-base spread wrap gap-4 rows-0 below-1">
        <h3 id={`${id}-title`}>
          {view.title}
          {view.note !== undefined && (
            <span className="after-2 faint small regular">{view.note}</span>
          )}
        </h3>
        <Legend view={view} at={at} step={step} />
      </figcaption>
      <div
        ref={draw}
        className="chart-body clip"
        role="img"
        aria-label={`${view.title}. ${sentence}`}
      />
      <p className="faint small num below-1">{sentence}</p>
      <DisclosureButton
        label={`Values of ${view.title.toLowerCase()}`}
        open={isOpen}
        controls={`${id}-values`}
        onOpenChange={setIsOpen}
      />
      <div
        id={`${id}-values`}
        className="bounded above-1 scroll"
        hidden={!isOpen}
        tabIndex={0}
        role="region"
        aria-label={`Values of ${view.title}`}
      >
        {isOpen && <ValueTable view={view} times={times} />}
      </div>
    </figure>
  )
}
