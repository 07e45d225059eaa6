import type { ReactElement, ReactNode } from 'react'
import { useMemo } from 'react'

import type { Installation } from '../../../src-shared/domain/installation'
import { findOffer } from '../../../src-shared/domain/offer'
import type { UpdateReview } from '../../../src-shared/domain/update-review'
import { fieldsOfOffer } from '../../../src-shared/form/to-form-fields'
import { useRequest } from '../../ipc/use-request'
import { InstallForm } from './install-form'
import { LoadedPage } from './loaded-page'
import { UpdateChanges } from './update-changes'
import type { InstallSubject } from './use-install-form'

type UpdateProps = { readonly installationId: string; readonly entryId: string }

/** Null where the review names an offer that is not there, which main never does. */
function subjectOf(
  { installationId, name, budgets, cwd = '' }: Installation,
  { server, offer: ref, values, secretKeys, sharedSecrets, revision }: UpdateReview,
  entryId: string,
): InstallSubject | null {
  const offer = findOffer(server, ref)
  if (offer === undefined) return null
  return {
    of: { installationId, entryId, offer: ref },
    server,
    offer,
    installationId,
    revision,
    name,
    values,
    savedSecrets: secretKeys,
    sharedSecrets,
    budgets,
    cwd,
  }
}

function UpdateForm(props: {
  readonly installation: Installation
  readonly review: UpdateReview
  readonly entryId: string
}): ReactElement | null {
  const { installation, review, entryId } = props
  const { installationId, name } = installation
  const subject = useMemo(
    () => subjectOf(installation, review, entryId),
    [installation, review, entryId],
  )
  if (subject === null) return null
  const newLabels = fieldsOfOffer(subject.offer)
    .filter(({ key }) => review.added.includes(key))
    .map(({ label }) => label)
  return (
    <InstallForm
      subject={subject}
      title={`Update ${name}`}
      crumbs={crumbsOf(installationId, name)}
      lead={<UpdateChanges review={review} newLabels={newLabels} />}
    />
  )
}

function crumbsOf(installationId: string, name: string): { label: string; href: string }[] {
  return [
    { label: 'Servers', href: '/servers' },
    { label: name, href: `/servers/${installationId}` },
  ]
}

function ReviewedUpdate(props: UpdateProps & { readonly installation: Installation }): ReactNode {
  const { installationId, entryId, installation } = props
  const request = useRequest('update.review', { installationId, entryId })
  return (
    <LoadedPage
      request={request}
      title={`Update ${installation.name}`}
      crumbs={crumbsOf(installationId, installation.name)}
    >
      {(review) => <UpdateForm installation={installation} review={review} entryId={entryId} />}
    </LoadedPage>
  )
}

/** Another version of an installed server: what it changes, its form with the values of before, and consent. */
export function UpdatePage({ installationId, entryId }: UpdateProps): ReactNode {
  const request = useRequest('installation.read', { installationId })
  return (
    <LoadedPage request={request} title="Update" crumbs={crumbsOf(installationId, 'Server')}>
      {(installation) => (
        <ReviewedUpdate
          key={`${installationId} ${entryId}`}
          installationId={installationId}
          entryId={entryId}
          installation={installation}
        />
      )}
    </LoadedPage>
  )
}
