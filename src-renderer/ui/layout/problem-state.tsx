import type { JSX } from 'react'

import { Button } from '../controls/button'
import { problemWords } from '../text/problem-words'
import { BlankState } from './blank-state'

/** What stands in the place of an answer that failed: what happened, what to do, and the button that asks again. */
export function ProblemState(props: {
  /** What is missing; without it the problem speaks for itself. */
  readonly title?: string
  readonly problem: { readonly message: string; readonly hint?: string | undefined }
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
        action={<Button onClick={onRetry}>{retryLabel}</Button>}
      />
    </div>
  )
}
