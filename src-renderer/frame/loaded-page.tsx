import type { ReactNode } from 'react'

import type { Loaded } from '../ipc/use-request'
import { type Crumb, Page } from '../ui/layout/page'
import { ProblemState } from '../ui/layout/problem-state'
import { Skeleton } from '../ui/layout/skeleton'

/** A page whose content comes from main: a skeleton first, the error with its button when it fails. */
export function LoadedPage<T>(props: {
  readonly request: { readonly loaded: Loaded<T>; readonly retry: () => void }
  readonly title: string
  readonly crumbs: readonly Crumb[]
  readonly failure?: string
  readonly children: (value: T) => ReactNode
}): ReactNode {
  const { request, title, crumbs, failure = 'Can’t load the form', children } = props
  const { loaded, retry } = request
  if (loaded.kind === 'ready') return children(loaded.value)
  return (
    <Page title={title} crumbs={crumbs}>
      {loaded.kind === 'loading' ? (
        <Skeleton label={`Loading ${title}`} />
      ) : (
        <ProblemState title={failure} problem={loaded.problem} onRetry={retry} />
      )}
    </Page>
  )
}

/** The way back from the form of a new server. */
export const CATALOG_CRUMBS: readonly Crumb[] = [{ label: 'Catalog', href: '/catalog' }]

/** The way back from the form of a server that is there. */
export function serverCrumbs(installationId: string, name: string): Crumb[] {
  return [
    { label: 'Servers', href: '/servers' },
    { label: name, href: `/servers/${installationId}` },
  ]
}
