import clsx from 'clsx'
import type { JSX } from 'react'

import type { RunStatus } from '../../../src-shared/domain/running/run-status'

/** Status of a server that a glyph can show. */
export type StatusKind = RunStatus['kind']

const STROKE = { fill: 'none', stroke: 'currentColor', strokeLinecap: 'round' } as const
const INK = {
  fill: 'none',
  stroke: 'var(--glyph-ink, var(--bg-surface))',
  strokeLinecap: 'round',
} as const

const KEY = (
  <>
    <circle cx="4.6" cy="7" r="3.3" {...STROKE} strokeWidth="1.7" />
    <path d="M7.9 7h5.2v2.6M10.6 7v2" {...STROKE} strokeWidth="1.7" strokeLinejoin="round" />
  </>
)

const SHAPES: Record<StatusKind, JSX.Element> = {
  ready: (
    <>
      <circle cx="7" cy="7" r="6.5" fill="currentColor" />
      <path d="m4.1 7.2 2 2 3.8-4.3" {...INK} strokeWidth="1.7" strokeLinejoin="round" />
    </>
  ),
  degraded: (
    <>
      <path
        d="M7 .9c.5 0 .9.25 1.15.7l5.2 9.5c.5.9-.1 1.9-1.15 1.9H1.8c-1.05 0-1.65-1-1.15-1.9l5.2-9.5C6.1 1.15 6.5.9 7 .9z"
        fill="currentColor"
      />
      <path d="M7 5v3.1" {...INK} strokeWidth="1.6" />
      <circle cx="7" cy="10.6" r=".95" fill={INK.stroke} />
    </>
  ),
  error: (
    <>
      <rect x=".8" y=".8" width="12.4" height="12.4" rx="3" fill="currentColor" />
      <path d="m4.7 4.7 4.6 4.6m0-4.6L4.7 9.3" {...INK} strokeWidth="1.7" />
    </>
  ),
  starting: (
    <>
      <circle cx="7" cy="7" r="5.6" {...STROKE} strokeWidth="1.8" opacity=".28" />
      <g className="spin">
        <circle cx="7" cy="7" r="6.5" fill="none" />
        <path d="M7 1.4A5.6 5.6 0 0 1 12.6 7" {...STROKE} strokeWidth="1.8" />
      </g>
    </>
  ),
  backingOff: (
    <>
      <path d="M2.1 4.3A5.6 5.6 0 1 1 1.5 8" {...STROKE} strokeWidth="1.7" />
      <path d="M1.6 1.5v3.2h3.2" {...STROKE} strokeWidth="1.7" strokeLinejoin="round" />
      <path d="M7 4.4v2.9l1.8 1.1" {...STROKE} strokeWidth="1.5" strokeLinejoin="round" />
    </>
  ),
  paused: (
    <>
      <rect x="2.2" y="1.4" width="3.5" height="11.2" rx="1.3" fill="currentColor" />
      <rect x="8.3" y="1.4" width="3.5" height="11.2" rx="1.3" fill="currentColor" />
    </>
  ),
  signInNeeded: KEY,
  awaitingSignIn: KEY,
  stopped: <circle cx="7" cy="7" r="5.5" {...STROKE} strokeWidth="1.6" />,
  stopping: (
    <>
      <circle cx="7" cy="7" r="5.5" {...STROKE} strokeWidth="1.6" strokeDasharray="2.3 2.02" />
      <rect x="4.9" y="4.9" width="4.2" height="4.2" rx=".9" fill="currentColor" />
    </>
  ),
}

/** The shape of a status in its color. The word next to it, or `label`, has the same meaning. */
export function StatusGlyph(props: {
  readonly status: StatusKind
  /** Accessible label if no word is next to the glyph. */
  readonly label?: string
  readonly large?: boolean
  /** Uses the color of the surrounding text. */
  readonly inherit?: boolean
}): JSX.Element {
  const { status, label, large = false, inherit = false } = props
  const name = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return (
    <svg
      className={inherit ? 'icon' : clsx(`glyph is-${status}`, large && 'glyph-l')}
      viewBox="0 0 14 14"
      {...name}
    >
      {SHAPES[status]}
    </svg>
  )
}
