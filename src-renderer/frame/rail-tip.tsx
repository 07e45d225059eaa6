import type { JSX, ReactElement } from 'react'

import { Tooltip } from '../ui/controls/tooltip'
import { useMediaQuery } from '../ui/layout/use-media-query'

const RAIL = '(max-width: 1099px)'
/** In the rail the name of a thing is only in its tooltip and its spoken label. */
export function RailTip({
  name,
  children,
}: {
  readonly name: string
  readonly children: ReactElement
}): JSX.Element {
  const isRail = useMediaQuery(RAIL)
  if (!isRail) return children
  return (
    <Tooltip content={name} side="right">
      {children}
    </Tooltip>
  )
}
