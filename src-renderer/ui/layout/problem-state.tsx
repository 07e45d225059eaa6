import type { JSX } from 'react'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { Button } from '../controls/button'
import { LearnMore } from '../controls/learn-more'
import { problemWords } from '../text/problem-messages'
import { BlankState } from './blank-state'

/** What stands in the place of an answer that failed: what happened, what to do, and the button that asks again. */
export function ProblemState(props: {
  /** What is missing; without it the problem speaks for itself. */
  readonly title?: string
  readonly problem: Omit<AppErrorShape, 'code'> & Partial<Pick<AppErrorShape, 'code'>>
  readonly retryLabel?: string
  readonly onRetry: () => void
}): JSX.Element {
  const { title, problem, onRetry } = props
  const { retryLabel = 'Try again' } = props
  return (
    <div role="alert">
      <BlankState
        art="cut"
        title={title ?? problem.message}
        message={title === undefined ? (problem.hint ?? '') : problemWords(problem)}
        action={
          <span className="row gap-3">
            <Button onClick={onRetry}>{retryLabel}</Button>
            {problem.code !== undefined && <LearnMore topic={problem.code} />}
          </span>
        }
      />
    </div>
  )
}
