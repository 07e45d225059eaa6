import type { ReactElement, ReactNode } from 'react'
import { useState } from 'react'

import type { OpenedInstallation } from '../../../src-shared/domain/installation/installation'
import { useRequest } from '../../ipc/use-request'
import { CATALOG_CRUMBS } from './editing/crumbs'
import { newHand } from './editing/install-subject'
import { LoadedPage } from './editing/loaded-page'
import { useTakenNames } from './editing/use-install-form'
import { InstallForm } from './install-form'
import { uniqueName } from './values/install-values'

const TITLE = 'Add server manually'

type Beginning = { readonly like?: OpenedInstallation; readonly address?: string | undefined }

function NewServer({ like, address }: Beginning): ReactElement {
  const taken = useTakenNames()
  // Made once: the proposed name stays while other servers come and go.
  const [subject] = useState(() => newHand(like ? uniqueName(like.name, taken) : '', like, address))
  return <InstallForm subject={subject} title={TITLE} crumbs={CATALOG_CRUMBS} />
}

function CopyOf({ installationId }: { readonly installationId: string }): ReactNode {
  const request = useRequest('installation.read', { installationId })
  return (
    <LoadedPage request={request} title={TITLE} crumbs={CATALOG_CRUMBS}>
      {(like) => <NewServer like={like} />}
    </LoadedPage>
  )
}

/** The form for a new server; `likeId` names one that was made by hand too, whose parts it starts with, `address` one that runs elsewhere. */
export function HandPage({
  likeId,
  address,
}: {
  readonly likeId: string | undefined
  readonly address: string | undefined
}): ReactNode {
  if (likeId !== undefined) return <CopyOf key={likeId} installationId={likeId} />
  return <NewServer address={address} />
}
