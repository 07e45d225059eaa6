import type { JSX } from 'react'

import type { StatusKind } from './status-glyph'
import { StatusGlyph } from './status-glyph'
import { STATUS_WORD } from './status-words'

/** Glyph and word of a status on its tint; it stands only beside a title. */
export function StatusBadge({ status }: { readonly status: StatusKind }): JSX.Element {
  return (
    <span className={`badge is-${status}`}>
      <StatusGlyph status={status} />
      {STATUS_WORD[status]}
    </span>
  )
}
