import type { JSX } from 'react'

import { STATUS_WORD } from '../../../src-shared/domain/running/run-status'
import { StatusGlyph, type StatusKind } from '../../ui/marks/status-glyph'

/** A tinted badge with the icon and word of a status; only used next to a title. */
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
