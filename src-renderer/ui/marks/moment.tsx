import type { JSX } from 'react'

import { formatFull, formatMoment } from '../text/format'

/** A relative time, with the full time in its tooltip. */
export function Moment(props: {
  readonly at: number
  readonly now: number
  readonly className?: string
}): JSX.Element {
  const { at, now, className } = props
  return (
    <time className={className} dateTime={new Date(at).toISOString()} title={formatFull(at)}>
      {formatMoment(at, now)}
    </time>
  )
}
