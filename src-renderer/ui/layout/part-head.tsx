import type { JSX, ReactNode } from 'react'

import { formatCount } from '../text/format'

/** The heading of a part of a page, with how much the part holds and, at its end, where that leads. */
export function PartHead(props: {
  /** Names the part by `aria-labelledby`. */
  readonly id?: string
  readonly level?: 2 | 3
  readonly title: string
  readonly count?: number | string | undefined
  readonly children?: ReactNode
}): JSX.Element {
  const { id, level = 2, title, count, children } = props
  const Heading = `h${level}` as const
  return (
    <div className="row gap-2 tall below-1">
      <Heading id={id}>{title}</Heading>
      {count !== undefined && count !== 0 && (
        <span className="faint num">{typeof count === 'number' ? formatCount(count) : count}</span>
      )}
      {children !== undefined && (
        <>
          <span className="grow" />
          {children}
        </>
      )}
    </div>
  )
}
