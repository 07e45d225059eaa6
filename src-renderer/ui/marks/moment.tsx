import type { JSX } from 'react'

import { formatFull, formatMoment } from '../text/format'

/** When something was, in short; in full under the pointer. */
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
