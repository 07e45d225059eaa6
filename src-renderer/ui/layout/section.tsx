import type { JSX, ReactElement, ReactNode } from 'react'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { formatCount } from '../text/format'
import { Banner } from './banner'

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

/** A part of a side sheet under its own small head. */
export function SheetPart({
  title,
  children,
}: {
  readonly title: string
  readonly children: ReactNode
}): JSX.Element {
  return (
    <section className="sheet-part stack gap-2">
      <h3 className="small medium faint">{title}</h3>
      {children}
    </section>
  )
}

/** The foot of a page that ends in a press: why the last one was rejected, what the next one means, and its buttons. */
export function PageFoot(props: {
  readonly label: string
  /** Why the last press was rejected. */
  readonly problem: AppErrorShape | null | undefined
  readonly onDismiss?: () => void
  readonly children: ReactNode
}): ReactElement {
  const { label, problem, children, ...rest } = props
  return (
    <div className="fixed">
      {problem && (
        <div className="pad-3 ruled-above" role="alert">
          <Banner severity="error" title={problem.message} {...rest}>
            {problem.hint}
          </Banner>
        </div>
      )}
      <section className="consent pad-bar row gap-3 surface ruled-above" aria-label={label}>
        {children}
      </section>
    </div>
  )
}
