import { type ComponentProps, type ReactElement, type ReactNode, useMemo, useState } from 'react'
import { Link, Redirect, useSearch } from 'wouter'

import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import type { OpenedInstallation } from '../../../src-shared/domain/installation/installation'
import type { SecretPlaces } from '../../../src-shared/domain/installation/secret-place'
import { findOffer, offerId, type OfferRef } from '../../../src-shared/domain/server-json/offer'
import { CATALOG_CRUMBS, LoadedPage, serverCrumbs } from '../../frame/loaded-page'
import { useRequest } from '../../ipc/use-request'
import { useApp } from '../../stores/app-store'
import { ButtonLink } from '../../ui/controls/button'
import { Banner, BlankState, Page } from '../../ui/layout/page'
import { LastReport } from './check-entry'
import { type InstallSubject, newCustomServer, subjectOf } from './editing/install-subject'
import { useTakenNames } from './editing/use-install-form'
import { InstallForm } from './install-form'
import { uniqueName } from './values/install-values'

/** Returns the shared secrets of the server that this one is a copy of. */
function useSecretsLike(): SecretPlaces {
  const like = new URLSearchParams(useSearch()).get('like')
  const stored = useApp((state) => state.app?.secrets.stored)
  return Object.fromEntries(
    (stored ?? []).flatMap(({ secretId, uses }) =>
      uses
        .filter(({ installationId }) => installationId === like)
        .map(({ fieldKey }) => [fieldKey, { kind: 'stored', secretId }] as const),
    ),
  )
}

function NewInstallation(props: {
  readonly entry: CatalogEntry
  readonly offer: OfferRef
}): ReactElement {
  const { entry, offer: ref } = props
  const { server, entryId } = entry
  const title = server.title ?? server.name
  const offerCount = server.packages.length + server.remotes.length
  const taken = useTakenNames()
  const secrets = useSecretsLike()
  const search = new URLSearchParams(useSearch())
  const [isCopy, isForCheck] = [search.has('like'), search.has('check')]
  // Created once, so that the suggested name stays when other servers are added or removed.
  const [subject] = useState((): InstallSubject | undefined => {
    const offer = findOffer(server, ref)
    return (
      offer && {
        of: { entryId, offer: ref },
        server,
        offer,
        name: uniqueName(title, taken),
        values: entry.proposed ?? {},
        secrets,
        budgets: {},
        cwd: '',
      }
    )
  })
  if (subject === undefined)
    return (
      <Page title={`Set up ${title}`} crumbs={CATALOG_CRUMBS}>
        <BlankState
          art="cut"
          title="Option not found"
          message={`${title} no longer offers this option. Choose another one in the catalog.`}
          action={<ButtonLink href="/catalog">Back to catalog</ButtonLink>}
        />
      </Page>
    )
  return (
    <InstallForm
      subject={subject}
      title={`Set up ${title}`}
      crumbs={CATALOG_CRUMBS}
      isForCheck={isForCheck}
      lead={
        <>
          {isForCheck && (
            <Banner severity="info" title="Check this server before you install it.">
              Review the command, then select Approve and check. Nothing stays installed.
            </Banner>
          )}
          {!isCopy && offerCount > 1 && (
            <p className="text-muted">
              1 of {offerCount} ways to run this server.{' '}
              <Link className="underlined" href="/catalog">
                Choose another
              </Link>
            </p>
          )}
          <LastReport entryId={entryId} version={server.version} />
        </>
      }
    />
  )
}

/** Whether an offer is a bundle, whose fields are known after its download. */
function isBundle({ server }: CatalogEntry, ref: OfferRef): boolean {
  const found = findOffer(server, ref)
  return found?.kind === 'package' && found.pkg.registryType === 'mcpb'
}

/** The form that installs a catalog entry. */
export function SetupPage(props: {
  readonly entryId: string
  readonly offer: OfferRef
}): ReactNode {
  const { entryId, offer } = props
  const request = useRequest('catalog.read', { entryId })
  return (
    <LoadedPage request={request} title="Set up" crumbs={CATALOG_CRUMBS}>
      {(entry) =>
        isBundle(entry, offer) ? (
          <Redirect to={`/bundle/${encodeURIComponent(entryId)}/${offerId(offer)}`} replace />
        ) : (
          <NewInstallation key={`${entryId}/${offerId(offer)}`} entry={entry} offer={offer} />
        )
      }
    </LoadedPage>
  )
}

type Props = { readonly likeId: string | undefined; readonly url: string | undefined }

const TITLE = 'Add server manually'

type NewProps = { readonly like?: OpenedInstallation; readonly url?: string | undefined }

function NewServer({ like, url }: NewProps): ReactElement {
  const taken = useTakenNames()
  // Created once, so that the suggested name stays when other servers are added or removed.
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

/** The form for a custom server. `likeId` is a custom server whose parts it copies, `url` the address of an HTTP server. */
export function CustomServerPage({ likeId, url }: Props): ReactNode {
  return likeId === undefined ? (
    <NewServer key={url} url={url} />
  ) : (
    <CopyOf key={likeId} installationId={likeId} />
  )
}

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

/** The form that changes an installation; focuses the field `fieldKey` and fills in `proposed`. */
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
