import { Info, X } from 'lucide-react'
import type { ComponentProps, JSX, ReactNode } from 'react'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { IconButton } from '../controls/button'
import { LearnMore } from '../controls/learn-more'
import { StatusGlyph, type StatusKind } from '../marks/status-glyph'

const LOOK = { warn: 'degraded', error: 'error', ready: 'ready' } as const satisfies Record<
  string,
  StatusKind
>

/** A sentence with its button, in the color of its weight, and *Learn more* where `topic` is an error code. */
export function Banner(props: {
  readonly severity: 'info' | 'warn' | 'error' | 'ready'
  readonly title?: ReactNode
  readonly children?: ReactNode
  readonly topic?: string | undefined
  readonly action?: ReactNode
  /** How it is announced as it appears. */
  readonly role?: 'alert' | 'status'
  readonly onDismiss?: () => void
}): JSX.Element {
  const { severity, title, children, topic, action, role, onDismiss } = props
  return (
    <div
      role={role}
      className={`banner tint flex items-center gap-2 is-${severity === 'info' ? 'starting' : LOOK[severity]}`}
    >
      {severity === 'info' ? (
        <Info className="icon" aria-hidden />
      ) : (
        <StatusGlyph status={LOOK[severity]} />
      )}
      <div className="min-w-0 flex-1 text-pretty wrap-anywhere">
        {title !== undefined && <b>{title} </b>}
        {children}
        {topic !== undefined && (
          <>
            {' '}
            <LearnMore topic={topic} />
          </>
        )}
      </div>
      {action}
      {onDismiss && <IconButton small icon={X} label="Dismiss" onClick={onDismiss} />}
    </div>
  )
}

/** What went wrong and what to do, with whatever else the banner has; nothing without a problem. */
export function ProblemBanner(
  props: Omit<ComponentProps<typeof Banner>, 'severity' | 'title' | 'children'> & {
    readonly problem: Pick<AppErrorShape, 'message' | 'hint'> | null | undefined
  },
): ReactNode {
  const { problem, ...rest } = props
  return (
    problem && (
      <Banner severity="error" title={problem.message} {...rest}>
        {problem.hint}
      </Banner>
    )
  )
}
