import type { JSX } from 'react'

import { STATUS_WORD } from '../../../src-shared/domain/running/run-status'
import { StatusGlyph, type StatusKind } from '../../ui/marks/status-glyph'

/** Glyph and word of a status on its tint; it stands only beside a title. */
export function StatusBadge({ status }: { readonly status: StatusKind }): JSX.Element {
  return (
    <span
      className={`badge tint inline-flex flex-none items-center text-small font-medium whitespace-nowrap text-status is-${status}`}
    >
      <StatusGlyph status={status} />
      {STATUS_WORD[status]}
    </span>
  )
}
