import type { ReactNode } from 'react'

import type { Request } from '../../ipc/use-request'
import { Skeleton } from '../../ui/layout/page'
import { ProblemState } from '../../ui/layout/problem-state'

/** The data of a request to main; while it loads a placeholder, or the error. */
export function Loading<T>(props: {
  readonly request: Pick<Request<T>, 'loaded' | 'retry'>
  readonly label: string
  readonly failure: string
  readonly rows?: number
  readonly children: (value: T) => ReactNode
}): ReactNode {
  const { request, label, failure, rows = 4, children } = props
  const { loaded, retry } = request
  if (loaded.kind === 'ready') return children(loaded.value)
  if (loaded.kind === 'loading') return <Skeleton label={label} rows={rows} />
  return <ProblemState title={failure} problem={loaded.problem} onRetry={retry} />
}
