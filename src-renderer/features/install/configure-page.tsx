import { type ComponentProps, type ReactElement, type ReactNode, useMemo } from 'react'

import type { OpenedInstallation } from '../../../src-shared/domain/installation/installation'
import { LoadedPage, serverCrumbs } from '../../frame/loaded-page'
import { useRequest } from '../../ipc/use-request'
import { ButtonLink } from '../../ui/controls/button'
import { BlankState, Page } from '../../ui/layout/page'
import { subjectOf } from './editing/install-subject'
import { InstallForm } from './install-form'

type Wanted = Pick<ComponentProps<typeof InstallForm>, 'fieldKey' | 'proposed'>

function ExistingInstallation({
  installation,
  ...wanted
}: Wanted & { readonly installation: OpenedInstallation }): ReactElement {
  const { installationId, name } = installation
  const subject = useMemo(() => subjectOf(installation), [installation])
  const frame = { title: `Configure ${name}`, crumbs: serverCrumbs(installationId, name) }
  if (subject === undefined)
    return (
      <Page {...frame}>
        <BlankState
          art="cut"
          title="Nothing to configure"
          message={`${name} has no command or address.`}
          action={<ButtonLink href={`/servers/${installationId}`}>Back to server</ButtonLink>}
        />
      </Page>
    )
  return <InstallForm {...frame} subject={subject} {...wanted} />
}

/** The form that changes an installation; `fieldKey` is brought into view and focused, with `proposed` in it. */
export function ConfigurePage({
  installationId,
  ...wanted
}: Wanted & { readonly installationId: string }): ReactNode {
  const request = useRequest('installation.read', { installationId })
  return (
    <LoadedPage request={request} title="Configure" crumbs={serverCrumbs(installationId, 'Server')}>
      {(installation) => (
        <ExistingInstallation key={installationId} installation={installation} {...wanted} />
      )}
    </LoadedPage>
  )
}
