import type { ReactElement, ReactNode } from 'react'

import { LearnMore } from '../controls/learn-more'
import { StatusGlyph } from '../marks/status-glyph'

/** One problem with the error glyph, and *Learn more* where `topic` is its error code; `alert` announces it immediately. */
export function ProblemText(props: {
  readonly id?: string
  readonly alert?: boolean
  readonly topic?: string | undefined
  readonly children: ReactNode
}): ReactElement {
  const { id, alert = true, topic, children } = props
  return (
    <p
      className="problem is-error flex gap-2 text-small font-medium text-status"
      id={id}
      role={alert ? 'alert' : undefined}
    >
      <StatusGlyph status="error" />
      <span>
        {children}
        {topic !== undefined && (
          <>
            {' '}
            <LearnMore topic={topic} />
          </>
        )}
      </span>
    </p>
  )
}

/** A warning in words with its glyph, spoken when it appears; without words only the place where it will. */
export function WarnText({ children }: { readonly children: ReactNode }): ReactElement {
  const isEmpty = children === undefined || children === null
  return (
    <p
      className={
        isEmpty ? 'sr-only' : 'problem is-degraded flex gap-2 text-small font-medium text-status'
      }
      role="status"
    >
      {isEmpty ? null : (
        <>
          <StatusGlyph status="degraded" />
          <span>{children}</span>
        </>
      )}
    </p>
  )
}
