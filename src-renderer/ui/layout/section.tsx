import type { JSX, ReactElement, ReactNode } from 'react'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { formatCount } from '../text/format'
import { ProblemBanner } from './page'

/** The heading of a part of a page, with its count and a link at its end. */
export function SectionHeader(props: {
  /** Id for `aria-labelledby` of the part. */
  readonly id?: string
  readonly level?: 2 | 3
  readonly title: string
  readonly count?: number | string | undefined
  readonly children?: ReactNode
}): JSX.Element {
  const { id, level = 2, title, count, children } = props
  const Heading = `h${level}` as const
  return (
    <div className="mb-1 flex min-h-7 items-center gap-2">
      <Heading id={id}>{title}</Heading>
      {count !== undefined && count !== 0 && (
        <span className="text-faint tabular-nums">
          {typeof count === 'number' ? formatCount(count) : count}
        </span>
      )}
      {children !== undefined && (
        <>
          <span className="min-w-0 flex-1" />
          {children}
        </>
      )}
    </div>
  )
}

/** A part of a side sheet with its own small heading. */
export function SheetSection(props: {
  readonly title: string
  readonly children: ReactNode
}): JSX.Element {
  const { title, children } = props
  return (
    <section className="grid gap-2">
      <h3 className="text-small font-medium text-faint">{title}</h3>
      {children}
    </section>
  )
}

/** The footer of a page with a main action: why the last attempt failed, what the next one does, and its buttons. */
export function ActionBar(props: {
  readonly label: string
  /** Why the last attempt failed. */
  readonly problem: AppErrorShape | null | undefined
  readonly onDismiss?: () => void
  readonly children: ReactNode
}): ReactElement {
  const { label, problem, children, ...rest } = props
  return (
    <div className="flex-none">
      {problem && (
        <div className="border-t border-line p-3" role="alert">
          <ProblemBanner problem={problem} {...rest} />
        </div>
      )}
      <section
        className="consent flex items-center gap-3 border-t border-line bg-surface px-5 py-3"
        aria-label={label}
      >
        {children}
      </section>
    </div>
  )
}

/** Facts by label, one per line; empty and false values are omitted. */
export type FactList = Readonly<Record<string, ReactNode>>

/** A list of facts. */
export function Facts({ facts }: { readonly facts: FactList }): ReactElement {
  return (
    <dl className="facts grid text-pretty">
      {Object.entries(facts).map(
        ([name, fact]) =>
          Boolean(fact) && (
            <div key={name} className="fact">
              <dt className="truncate" title={name}>
                {name}
              </dt>
              <dd className="tabular-nums">{fact}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
