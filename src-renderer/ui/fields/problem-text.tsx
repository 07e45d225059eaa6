import type { ReactElement, ReactNode } from 'react'

import { StatusGlyph } from '../marks/status-glyph'

/** One problem in words with the error glyph; `alert` announces it at once. */
export function ProblemText({
  id,
  alert = true,
  children,
}: {
  readonly id?: string
  readonly alert?: boolean
  readonly children: ReactNode
}): ReactElement {
  return (
    <p
      className="problem tone flex gap-2 small medium is-error"
      id={id}
      role={alert ? 'alert' : undefined}
    >
      <StatusGlyph status="error" />
      <span>{children}</span>
    </p>
  )
}
