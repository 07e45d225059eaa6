import type { JSX, ReactNode } from 'react'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { Button, LearnMore } from '../controls/button'
import { problemText } from '../text/format'
import { Banner, BlankState } from './page'

/** Replaces content that can't be loaded: what happened, what to do, and a button, which retries by default. */
export function ProblemState(props: {
  readonly title: string
  readonly problem: AppErrorShape
  readonly onRetry?: () => void
  readonly action?: ReactNode
}): JSX.Element {
  const { title, problem, onRetry, action = <Button onClick={onRetry}>Try again</Button> } = props
  return (
    <div role="alert">
      <BlankState
        art="cut"
        title={title}
        message={problemText(problem)}
        action={
          <span className="flex items-center gap-3">
            {action}
            <LearnMore topic={problem.code} />
          </span>
        }
      />
    </div>
  )
}

/** Why a list can't be read: instead of the list, or above its stale rows. */
export function ListProblem(props: {
  /** Title instead of the list. */
  readonly title: string
  /** Text above the stale list. */
  readonly stale?: string
  readonly problem: AppErrorShape
  readonly isShown: boolean
  readonly onRetry: () => void
}): JSX.Element {
  const { title, stale = 'The list may be outdated.', problem, isShown, onRetry } = props
  if (!isShown) return <ProblemState title={title} problem={problem} onRetry={onRetry} />
  return (
    <Banner
      severity="warn"
      topic={problem.code}
      action={<Button onClick={onRetry}>Refresh</Button>}
    >
      {`${stale} ${problemText(problem)}`}
    </Banner>
  )
}
