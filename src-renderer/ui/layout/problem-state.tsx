import type { JSX } from 'react'

import { Button } from '../controls/button'
import { BlankState } from './blank-state'

/** What stands in the place of an answer that failed: what happened, what to do, and the button that asks again. */
export function ProblemState(props: {
  readonly problem: { readonly message: string; readonly hint?: string | undefined }
  readonly retryLabel?: string
  readonly onRetry: () => void
}): JSX.Element {
  const { problem, retryLabel = 'Try again', onRetry } = props
  return (
    <div role="alert">
      <BlankState
        art="cut"
        title={problem.message}
        message={problem.hint ?? ''}
        action={<Button onClick={onRetry}>{retryLabel}</Button>}
      />
    </div>
  )
}
