import type { ReactElement, ReactNode } from 'react'

import type { Loaded } from '../../ipc/use-request'
import { BlankState } from '../../ui/blank-state'
import { Button } from '../../ui/button'
import type { Crumb } from '../../ui/page'
import { Page } from '../../ui/page'
import { Skeleton } from '../../ui/skeleton'

/** A page whose content comes from main: a skeleton first, the error with its button when it fails. */
export function LoadedPage<T>(props: {
  readonly request: { readonly loaded: Loaded<T>; readonly retry: () => void }
  readonly title: string
  readonly crumbs: readonly Crumb[]
  readonly children: (value: T) => ReactNode
}): ReactNode {
  const { request, title, crumbs, children } = props
  const { loaded, retry } = request
  if (loaded.kind === 'ready') return children(loaded.value)
  return (
    <Page title={title} crumbs={crumbs}>
      {loaded.kind === 'loading' ? (
        <Skeleton label={`Loading ${title}`} />
      ) : (
        <Failed problem={loaded.problem} retry={retry} />
      )}
    </Page>
  )
}

function Failed(props: {
  readonly problem: { readonly message: string; readonly hint?: string | undefined }
  readonly retry: () => void
}): ReactElement {
  const { problem, retry } = props
  return (
    <div role="alert">
      <BlankState
        art="cut"
        title={problem.message}
        message={problem.hint ?? ''}
        action={<Button onClick={retry}>Try again</Button>}
      />
    </div>
  )
}
