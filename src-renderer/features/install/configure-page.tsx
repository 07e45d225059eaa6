import type { ReactElement, ReactNode } from 'react'
import { useMemo } from 'react'

import type { OpenedInstallation } from '../../../src-shared/domain/installation/installation'
import { findOffer, type Offer } from '../../../src-shared/domain/server-json/offer'
import { useRequest } from '../../ipc/use-request'
import { ButtonLink } from '../../ui/controls/button'
import { BlankState } from '../../ui/layout/blank-state'
import { Page } from '../../ui/layout/page'
import { ConfigureHand } from './by-hand/hand-page'
import { LoadedPage } from './editing/loaded-page'
import type { InstallSubject } from './editing/use-install-form'
import { InstallForm } from './install-form'

function subjectOf(installation: OpenedInstallation, offer: Offer): InstallSubject {
  const {
    installationId,
    server,
    name,
    values,
    secretKeys,
    sharedSecrets,
    budgets,
    cwd = '',
  } = installation
  const { approvedPlan, revision } = installation
  return {
    of: { installationId },
    server,
    offer,
    installationId,
    approvedPlan,
    revision,
    name,
    values,
    savedSecrets: secretKeys,
    sharedSecrets,
    budgets,
    cwd,
  }
}

function ExistingInstallation(props: {
  readonly installation: OpenedInstallation
  readonly fieldKey: string | undefined
  readonly proposed: string | undefined
}): ReactElement {
  const { installation, fieldKey, proposed } = props
  const { installationId, name } = installation
  const subject = useMemo(() => {
    const offer = findOffer(installation.server, installation.offer)
    return offer && subjectOf(installation, offer)
  }, [installation])
  const crumbs = [
    { label: 'Servers', href: '/servers' },
    { label: name, href: `/servers/${installationId}` },
  ]
  if (subject === undefined)
    return (
      <Page title={`Configure ${name}`} crumbs={crumbs}>
        <BlankState
          art="cut"
          title="Nothing to configure"
          message={`${name} has nothing to run any more.`}
          action={<ButtonLink href={`/servers/${installationId}`}>Back to the server</ButtonLink>}
        />
      </Page>
    )
  return (
    <InstallForm
      subject={subject}
      title={`Configure ${name}`}
      crumbs={crumbs}
      fieldKey={fieldKey}
      proposed={proposed}
    />
  )
}

/** The form that changes an installation; `fieldKey` is brought into view and focused, with the number `proposed` in it. */
export function ConfigurePage(props: {
  readonly installationId: string
  readonly fieldKey?: string | undefined
  readonly proposed?: string | undefined
}): ReactNode {
  const { installationId, fieldKey, proposed } = props
  const request = useRequest('installation.read', { installationId })
  return (
    <LoadedPage
      request={request}
      title="Configure"
      crumbs={[{ label: 'Server', href: `/servers/${installationId}` }]}
    >
      {(installation) =>
        installation.source === 'hand' ? (
          <ConfigureHand installation={installation} fieldKey={fieldKey} />
        ) : (
          <ExistingInstallation
            key={installationId}
            installation={installation}
            fieldKey={fieldKey}
            proposed={proposed}
          />
        )
      }
    </LoadedPage>
  )
}
