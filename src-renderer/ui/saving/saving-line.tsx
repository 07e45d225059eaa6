import type { JSX } from 'react'

import { Button } from '../controls/button'
import { formatCount } from '../text/format'
import type { Saving } from './use-saving'

/** How far an export is, and the way to call it off; `things` are what is counted. */
export function SavingLine({
  saving: { done, of },
  things,
  onCancel,
}: {
  readonly saving: Saving
  readonly things: string
  readonly onCancel: () => void
}): JSX.Element {
  return (
    <span className="row gap-3 soft small nowrap">
      <progress aria-label="Exporting" value={done} max={Math.max(1, of)} />
      <span className="num">{`${formatCount(done)} of ${formatCount(of)} ${things}`}</span>
      <Button size="small" onClick={onCancel}>
        Cancel export
      </Button>
    </span>
  )
}
