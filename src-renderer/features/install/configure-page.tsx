import type { ReactElement, ReactNode } from 'react'
import { useMemo } from 'react'

import type { Installation } from '../../../src-shared/domain/installation'
import { useRequest } from '../../ipc/use-request'
import { BlankState } from '../../ui/blank-state'
import { ButtonLink } from '../../ui/button'
import { Page } from '../../ui/page'
import { InstallForm } from './install-form'
import { LoadedPage } from './loaded-page'
import type { InstallSubject } from './use-install-form'

function ExistingInstallation(props: {
  readonly installation: Installation
  readonly fieldKey: string | undefined
}): ReactElement {
  const { installation, fieldKey } = props
  const { installationId, server, packageIndex, name, values, secretKeys, budgets } = installation
  const { cwd = '' } = installation
  const subject = useMemo(
    (): InstallSubject => ({
      of: { installationId },
      server,
      packageIndex,
      installationId,
      name,
      values,
      savedSecrets: secretKeys,
      budgets,
      cwd,
    }),
    [installationId, server, packageIndex, name, values, secretKeys, budgets, cwd],
  )
  const crumbs = [
    { label: 'Servers', href: '/servers' },
    { label: name, href: `/servers/${installationId}` },
  ]
  const pack = server.packages[packageIndex]
  if (pack === undefined)
    return (
      <Page title={`Configure ${name}`} crumbs={crumbs}>
        <BlankState
          art="cut"
          title="Nothing to configure"
          message={`${name} has no package any more.`}
          action={<ButtonLink href={`/servers/${installationId}`}>Back to the server</ButtonLink>}
        />
      </Page>
    )
  return (
    <InstallForm
      subject={subject}
      pack={pack}
      title={`Configure ${name}`}
      crumbs={crumbs}
      fieldKey={fieldKey}
    />
  )
}

/** The form that changes an installation; `fieldKey` is brought into view and focused. */
export function ConfigurePage(props: {
  readonly installationId: string
  readonly fieldKey?: string | undefined
}): ReactNode {
  const { installationId, fieldKey } = props
  const request = useRequest('installation.read', { installationId })
  return (
    <LoadedPage
      request={request}
      title="Configure"
      crumbs={[{ label: 'Server', href: `/servers/${installationId}` }]}
    >
      {(installation) => (
        <ExistingInstallation
          key={installationId}
          installation={installation}
          fieldKey={fieldKey}
        />
      )}
    </LoadedPage>
  )
}
