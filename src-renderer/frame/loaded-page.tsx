import type { ReactNode } from 'react'

import { Loading } from '../components/status/loading'
import type { Request } from '../ipc/use-request'
import { type Crumb, Page } from '../ui/layout/page'

/** A page with content from main: a skeleton while loading, and the error with its button on failure. */
export function LoadedPage<T>(props: {
  readonly request: Pick<Request<T>, 'loaded' | 'retry'>
  readonly title: string
  readonly crumbs: readonly Crumb[]
  readonly failure?: string
  readonly children: (value: T) => ReactNode
}): ReactNode {
  const { request, title, crumbs, failure = 'Can’t load the form', children } = props
  if (request.loaded.kind === 'ready') return children(request.loaded.value)
  return (
    <Page title={title} crumbs={crumbs}>
      <Loading {...{ request, failure, children }} label={`Loading ${title}`} />
    </Page>
  )
}

/** Breadcrumbs of the form for a new server. */
export const CATALOG_CRUMBS: readonly Crumb[] = [{ label: 'Catalog', href: '/catalog' }]

/** Returns the breadcrumbs of an existing server's form. */
export function serverCrumbs(installationId: string, name: string): Crumb[] {
  return [
    { label: 'Servers', href: '/servers' },
    { label: name, href: `/servers/${installationId}` },
  ]
}
