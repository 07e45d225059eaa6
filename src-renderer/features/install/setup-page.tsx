import type { ReactElement, ReactNode } from 'react'
import { useState } from 'react'

import type { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import { findOffer, offerId, type OfferRef } from '../../../src-shared/domain/offer'
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
  readonly offer: OfferRef
}): ReactElement {
  const { entry, offer: ref } = props
  const { server, entryId } = entry
  const title = server.title ?? server.name
  const taken = useTakenNames()
  // Made once: the proposed name stays while other servers come and go.
  const [subject] = useState((): InstallSubject | undefined => {
    const offer = findOffer(server, ref)
    return (
      offer && {
        of: { entryId, offer: ref },
        server,
        offer,
        name: uniqueName(title, taken),
        values: {},
        savedSecrets: [],
        budgets: {},
        cwd: '',
      }
    )
  })
  if (subject === undefined)
    return (
      <Page title={`Set up ${title}`} crumbs={CRUMBS}>
        <BlankState
          art="cut"
          title="Nothing to set up"
          message={`${title} has nothing of this kind to set up.`}
          action={<ButtonLink href="/catalog">Back to the catalog</ButtonLink>}
        />
      </Page>
    )
  return <InstallForm subject={subject} title={`Set up ${title}`} crumbs={CRUMBS} />
}

/** The form that turns a catalog entry into an installation. */
export function SetupPage(props: {
  readonly entryId: string
  readonly offer: OfferRef
}): ReactNode {
  const { entryId, offer } = props
  const request = useRequest('catalog.read', { entryId })
  return (
    <LoadedPage request={request} title="Set up" crumbs={CRUMBS}>
      {(entry) => (
        <NewInstallation key={`${entryId}/${offerId(offer)}`} entry={entry} offer={offer} />
      )}
    </LoadedPage>
  )
}
