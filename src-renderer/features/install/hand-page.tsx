import { type ReactElement, type ReactNode, useState } from 'react'

import type { OpenedInstallation } from '../../../src-shared/domain/installation/installation'
import { CATALOG_CRUMBS, LoadedPage } from '../../frame/loaded-page'
import { useRequest } from '../../ipc/use-request'
import { newCustomServer } from './editing/install-subject'
import { useTakenNames } from './editing/use-install-form'
import { InstallForm } from './install-form'
import { uniqueName } from './values/install-values'

type Props = { readonly likeId: string | undefined; readonly url: string | undefined }

const TITLE = 'Add server manually'

type NewProps = { readonly like?: OpenedInstallation; readonly url?: string | undefined }

function NewServer({ like, url }: NewProps): ReactElement {
  const taken = useTakenNames()
  // Made once: the proposed name stays while other servers come and go.
  const [subject] = useState(() =>
    newCustomServer(like ? uniqueName(like.name, taken) : '', like, url),
  )
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

/** The form for a new server; `likeId` names a manual server whose parts it starts with, `url` the address of one over HTTP. */
export function CustomServerPage({ likeId, url }: Props): ReactNode {
  return likeId === undefined ? (
    <NewServer key={url} url={url} />
  ) : (
    <CopyOf key={likeId} installationId={likeId} />
  )
}
