import type { ReactElement, ReactNode } from 'react'
import { useMemo } from 'react'
import { Redirect } from 'wouter'

import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { UpdateReview } from '../../../src-shared/domain/installation/update-review'
import { findOffer, offerId, type OfferRef } from '../../../src-shared/domain/server-json/offer'
import { OWN_COMMAND } from '../../../src-shared/domain/server-json/own-command'
import { preferredOffer } from '../../../src-shared/domain/server-json/preferred-offer'
import type { AppState } from '../../../src-shared/domain/state/app-state'
import { fieldsOfOffer } from '../../../src-shared/form/to-form-fields'
import { LoadedPage, serverCrumbs } from '../../frame/loaded-page'
import { useRequest } from '../../ipc/use-request'
import { useApp } from '../../stores/app-store'
import type { Crumb } from '../../ui/layout/page'
import type { EntrySubject } from './editing/install-subject'
import { InstallForm } from './install-form'
import { UpdateChanges } from './update-changes'

type UpdateProps = { readonly installation: Installation; readonly entryId: string }

/** Returns null if the review names an unknown offer, which main never does. */
function updateSubject(
  { installationId, name, budgets, protocol, cwd = '' }: Installation,
  { server, offer: ref, values, secrets, revision }: UpdateReview,
  entryId: string,
): EntrySubject | null {
  const offer = findOffer(server, ref)
  if (offer === undefined) return null
  return {
    of: { installationId, entryId, offer: ref },
    ...{ installationId, revision, name, server, offer },
    ...{ values, secrets, budgets, protocol, cwd },
  }
}

function UpdateForm({
  installation,
  entryId,
  review,
}: UpdateProps & { readonly review: UpdateReview }): ReactElement | null {
  const subject = useMemo(
    () => updateSubject(installation, review, entryId),
    [installation, review, entryId],
  )
  if (subject === null) return null
  const newLabels = fieldsOfOffer(subject.offer)
    .filter(({ key }) => review.added.includes(key))
    .map(({ label }) => label)
  return (
    <InstallForm
      {...frameOf(installation)}
      subject={subject}
      lead={<UpdateChanges review={review} newLabels={newLabels} />}
    />
  )
}

function frameOf({ installationId, name }: Installation): { title: string; crumbs: Crumb[] } {
  return { title: `Update ${name}`, crumbs: serverCrumbs(installationId, name) }
}

function ReviewedUpdate(props: UpdateProps): ReactNode {
  const { entryId, installation } = props
  const { installationId } = installation
  const request = useRequest('update.review', { installationId, entryId })
  return (
    <LoadedPage request={request} {...frameOf(installation)}>
      {(review) => <UpdateForm {...props} review={review} />}
    </LoadedPage>
  )
}

/** Returns the bundle of a version that must be opened before the comparison; undefined if there is none. */
function unopenedIn(
  { server }: CatalogEntry,
  { platform = '', arch }: Partial<AppState['info']> = {},
): OfferRef | undefined {
  const bundles = server.packages.filter(({ registryType }) => registryType === 'mcpb')
  const best = preferredOffer({ packages: bundles, remotes: [] }, { platform, arch })
  const found = best && bundles[best.index]
  return found && { kind: 'package', index: server.packages.indexOf(found) }
}

function BundleUpdate(props: UpdateProps): ReactNode {
  const { entryId, installation } = props
  const info = useApp(({ app }) => app?.info)
  const request = useRequest('catalog.read', { entryId })
  return (
    <LoadedPage request={request} {...frameOf(installation)}>
      {(entry) => {
        const unopened = unopenedIn(entry, info)
        if (unopened === undefined) return <ReviewedUpdate {...props} />
        const path = `/bundle/${encodeURIComponent(entryId)}/${offerId(unopened)}/for`
        return <Redirect to={`${path}/${installation.installationId}`} replace />
      }}
    </LoadedPage>
  )
}

/** Whether an installation comes from an opened bundle, whose package is a command in its own folder. */
function isBundle({ server, offer }: Installation): boolean {
  const found = findOffer(server, offer)
  return (
    found?.kind === 'package' &&
    found.pkg.registryType === OWN_COMMAND &&
    found.pkg.fileSha256 !== undefined
  )
}

/** The update page of an installed server: changes, form with the current values, and consent. */
export function UpdatePage(props: {
  readonly installationId: string
  readonly entryId: string
}): ReactNode {
  const { installationId, entryId } = props
  const request = useRequest('installation.read', { installationId })
  return (
    <LoadedPage request={request} title="Update" crumbs={serverCrumbs(installationId, 'Server')}>
      {(installation) => {
        const Review = isBundle(installation) ? BundleUpdate : ReviewedUpdate
        return <Review key={`${installationId} ${entryId}`} {...{ installation, entryId }} />
      }}
    </LoadedPage>
  )
}
