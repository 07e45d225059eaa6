import type { ReactElement, ReactNode } from 'react'
import { useState } from 'react'

import type { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import { useRequest } from '../../ipc/use-request'
import { BlankState } from '../../ui/blank-state'
import { ButtonLink } from '../../ui/button'
import { Page } from '../../ui/page'
import { InstallForm } from './install-form'
import { uniqueName } from './install-values'
import { LoadedPage } from './loaded-page'
import type { InstallSubject } from './use-install-form'
import { useTakenNames } from './use-install-form'

const CRUMBS = [{ label: 'Catalog', href: '/catalog' }]

function NewInstallation(props: {
  readonly entry: CatalogEntry
  readonly packageIndex: number
}): ReactElement {
  const { entry, packageIndex } = props
  const { server, entryId } = entry
  const title = server.title ?? server.name
  const taken = useTakenNames()
  // Made once: the proposed name stays while other servers come and go.
  const [subject] = useState((): InstallSubject => ({
    of: { entryId, packageIndex },
    server,
    packageIndex,
    name: uniqueName(title, taken),
    values: {},
    savedSecrets: [],
    budgets: {},
    cwd: '',
  }))
  const pack = server.packages[packageIndex]
  if (pack === undefined)
    return (
      <Page title={`Set up ${title}`} crumbs={CRUMBS}>
        <BlankState
          art="cut"
          title="Nothing to set up"
          message={`${title} has no package that runs on this computer.`}
          action={<ButtonLink href="/catalog">Back to the catalog</ButtonLink>}
        />
      </Page>
    )
  return <InstallForm subject={subject} pack={pack} title={`Set up ${title}`} crumbs={CRUMBS} />
}

/** The form that turns a catalog entry into an installation. */
export function SetupPage(props: {
  readonly entryId: string
  readonly packageIndex: number
}): ReactNode {
  const { entryId, packageIndex } = props
  const request = useRequest('catalog.read', { entryId })
  return (
    <LoadedPage request={request} title="Set up" crumbs={CRUMBS}>
      {(entry) => (
        <NewInstallation
          key={`${entryId}/${packageIndex}`}
          entry={entry}
          packageIndex={packageIndex}
        />
      )}
    </LoadedPage>
  )
}
