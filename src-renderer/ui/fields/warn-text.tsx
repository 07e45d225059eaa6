import type { ReactElement, ReactNode } from 'react'

import { StatusGlyph } from '../marks/status-glyph'

/** A warning in words with its glyph, spoken when it appears; without words only the place where it will. */
export function WarnText({ children }: { readonly children: ReactNode }): ReactElement {
  const isEmpty = children === undefined || children === null
  return (
    <p
      className={isEmpty ? 'sr' : 'problem tone flex gap-2 small medium is-degraded'}
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
