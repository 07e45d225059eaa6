import type { ReactNode } from 'react'

import { Loading } from '../components/status/loading'
import type { Request } from '../ipc/use-request'
import { type Crumb, Page } from '../ui/layout/page'

/** A page whose content comes from main: a skeleton first, the error with its button when it fails. */
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

/** The way back from the form of a new server. */
export const CATALOG_CRUMBS: readonly Crumb[] = [{ label: 'Catalog', href: '/catalog' }]

/** The way back from the form of a server that is there. */
export function serverCrumbs(installationId: string, name: string): Crumb[] {
  return [
    { label: 'Servers', href: '/servers' },
    { label: name, href: `/servers/${installationId}` },
  ]
}
