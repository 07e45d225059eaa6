import { type ReactElement, type ReactNode, useMemo } from 'react'

import type { OpenedInstallation } from '../../../src-shared/domain/installation/installation'
import { LoadedPage, serverCrumbs } from '../../frame/loaded-page'
import { useRequest } from '../../ipc/use-request'
import { ButtonLink } from '../../ui/controls/button'
import { BlankState } from '../../ui/layout/blank-state'
import { Page } from '../../ui/layout/page'
import { subjectOf } from './editing/install-subject'
import { InstallForm } from './install-form'

function ExistingInstallation(props: {
  readonly installation: OpenedInstallation
  readonly fieldKey: string | undefined
  readonly proposed: readonly string[] | undefined
}): ReactElement {
  const { installation, fieldKey, proposed } = props
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
  return <InstallForm {...frame} subject={subject} fieldKey={fieldKey} proposed={proposed} />
}

/** The form that changes an installation; `fieldKey` is brought into view and focused, with `proposed` in it. */
export function ConfigurePage(props: {
  readonly installationId: string
  readonly fieldKey?: string | undefined
  readonly proposed?: readonly string[] | undefined
}): ReactNode {
  const { installationId, fieldKey, proposed } = props
  const request = useRequest('installation.read', { installationId })
  return (
    <LoadedPage request={request} title="Configure" crumbs={serverCrumbs(installationId, 'Server')}>
      {(installation) => (
        <ExistingInstallation
          key={installationId}
          installation={installation}
          fieldKey={fieldKey}
          proposed={proposed}
        />
      )}
    </LoadedPage>
  )
}
