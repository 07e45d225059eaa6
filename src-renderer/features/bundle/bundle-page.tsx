import type { ReactElement, ReactNode } from 'react'

import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import { findOffer, offerId, type OfferRef } from '../../../src-shared/domain/server-json/offer'
import type { Package } from '../../../src-shared/domain/server-json/server-json'
import { useRequest } from '../../ipc/use-request'
import { useServer } from '../../stores/app-store'
import { ButtonLink } from '../../ui/controls/button'
import { BlankState } from '../../ui/layout/blank-state'
import type { Crumb } from '../../ui/layout/page'
import { Page } from '../../ui/layout/page'
import { ProblemState } from '../../ui/layout/problem-state'
import { PartHead } from '../../ui/layout/section'
import { Skeleton } from '../../ui/layout/skeleton'
import { sourceOf } from './bundle-messages'
import { OpeningView } from './opening-view'
import { useOpening } from './use-opening'

const CRUMBS = [{ label: 'Catalog', href: '/catalog' }]

type BundlePageProps = {
  readonly entryId: string
  readonly offer: OfferRef
  /** The installation that it is to update; missing where it is to be set up. */
  readonly updateOf?: string | undefined
}

function Facts({ pkg }: { readonly pkg: Package }): ReactElement {
  const { host, file } = sourceOf(pkg.identifier)
  return (
    <dl className="facts stack">
      <dt>File</dt>
      <dd>
        <code>{file}</code>
      </dd>
      <dt>From</dt>
      <dd>
        <b>{host}</b>
      </dd>
      <dt>Address</dt>
      <dd>
        <code>{pkg.identifier}</code>
      </dd>
      <dt>SHA-256</dt>
      <dd>{pkg.fileSha256 === undefined ? 'not listed' : <code>{pkg.fileSha256}</code>}</dd>
    </dl>
  )
}

function Download(props: {
  readonly entry: CatalogEntry
  readonly offer: OfferRef
  readonly pkg: Package
  readonly updateOf: string | undefined
}): ReactElement {
  const { entry, offer, pkg, updateOf } = props
  const { opening, open, cancel } = useOpening()
  return (
    <div className="measure stack gap-6">
      <section className="stack gap-3" aria-labelledby="download">
        <PartHead id="download" title="Download" />
        <Facts pkg={pkg} />
        <p className="soft">
          Patchbay downloads the bundle, verifies the SHA-256 from the registry, and unpacks the
          files.
        </p>
      </section>
      <OpeningView
        {...{ opening, updateOf }}
        verb="Downloading"
        label="Download and verify"
        onOpen={() => open({ kind: 'entry', entryId: entry.entryId, offer })}
        onCancel={cancel}
      />
    </div>
  )
}

function titleOf({ server }: CatalogEntry): string {
  return server.title ?? server.name
}

/** What the page is called, and the way back. */
function useHead(title: string, updateOf: string | undefined): PageHead {
  const name = useServer(updateOf ?? '')?.name ?? title
  if (updateOf === undefined) return { title: `Set up ${title}`, crumbs: CRUMBS }
  const crumbs = [
    { label: 'Servers', href: '/servers' },
    { label: name, href: `/servers/${updateOf}` },
  ]
  return { title: `Update ${name}`, crumbs }
}

type PageHead = { readonly title: string; readonly crumbs: readonly Crumb[] }

function Entry({
  entry,
  offer,
  updateOf,
}: {
  readonly entry: CatalogEntry
  readonly offer: OfferRef
  readonly updateOf: string | undefined
}): ReactElement {
  const head = useHead(titleOf(entry), updateOf)
  const found = findOffer(entry.server, offer)
  const isBundle = found?.kind === 'package' && found.pkg.registryType === 'mcpb'
  return (
    <Page {...head}>
      {isBundle ? (
        <Download
          key={offerId(offer)}
          entry={entry}
          offer={offer}
          pkg={found.pkg}
          updateOf={updateOf}
        />
      ) : (
        <BlankState
          art="cut"
          title="Bundle not found"
          message={`${titleOf(entry)} no longer offers this bundle. Choose another option in the catalog.`}
          action={<ButtonLink href="/catalog">Back to catalog</ButtonLink>}
        />
      )}
    </Page>
  )
}

/** Between the catalog or an installation and the form: where a bundle comes from, its download and its check. */
export function BundlePage({ entryId, offer, updateOf }: BundlePageProps): ReactNode {
  const { loaded, retry } = useRequest('catalog.read', { entryId })
  const title = updateOf === undefined ? 'Set up' : 'Update'
  if (loaded.kind === 'ready')
    return <Entry key={entryId} entry={loaded.value} offer={offer} updateOf={updateOf} />
  return (
    <Page title={title} crumbs={CRUMBS}>
      {loaded.kind === 'loading' ? (
        <Skeleton label="Loading entry" />
      ) : (
        <ProblemState title="Can’t load this server" problem={loaded.problem} onRetry={retry} />
      )}
    </Page>
  )
}
