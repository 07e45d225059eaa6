import type { JSX } from 'react'

import type { ActivityCounts } from '../../../src-shared/domain/agents/activity'
import { formatTime } from '../../ui/text/format'
import { chartWords } from './call-messages'

/** The room of a bar and of the whole, in units of the picture. */
const BAR = 4.5
const STEP = 6
const HEIGHT = 80
/** A call among many is seen all the same. */
const LEAST = 2

function barHeight(count: number, most: number): number {
  return count === 0 ? 0 : Math.max(LEAST, (count / most) * HEIGHT)
}

/** The calls of the last 24 h as bars, those that failed at their foot. */
export function CallChart({ counts }: { readonly counts: ActivityCounts }): JSX.Element {
  const { from, stepMs, steps } = counts
  const most = Math.max(1, ...steps.map(({ calls }) => calls))
  const width = steps.length * STEP
  return (
    <>
      <svg
        className="block whole above-2"
        height="5.5rem"
        viewBox={`0 0 ${width} ${HEIGHT + 1}`}
        preserveAspectRatio="none"
        fill="var(--chart)"
        role="img"
        aria-label={chartWords(counts)}
      >
        {steps.map(({ calls, failed }, index) => {
          const [all, bad] = [barHeight(calls, most), barHeight(failed, most)]
          const place = { x: index * STEP, width: BAR, rx: 1 }
          return (
            <g key={from + index * stepMs}>
              <rect {...place} y={HEIGHT - all} height={all} />
              <rect {...place} y={HEIGHT - bad} height={bad} fill="var(--error)" />
            </g>
          )
        })}
        <rect fill="var(--line)" x={0} y={HEIGHT} width={width} height={1} />
      </svg>
      <div className="above-1 flex spread faint micro num" aria-hidden>
        <span>{formatTime(from)}</span>
        <span>{formatTime(from + (stepMs * steps.length) / 2)}</span>
        <span>now</span>
      </div>
    </>
  )
}
