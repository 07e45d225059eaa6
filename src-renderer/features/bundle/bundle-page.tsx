import {
  type ComponentProps,
  type ReactElement,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'
import { useSearch } from 'wouter'

import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import { findOffer, offerId, type OfferRef } from '../../../src-shared/domain/server-json/offer'
import type { Package } from '../../../src-shared/domain/server-json/server-json'
import { CATALOG_CRUMBS, LoadedPage, serverCrumbs } from '../../frame/loaded-page'
import { followDropped } from '../../frame/use-dropped-bundle'
import { useRequest } from '../../ipc/use-request'
import { useServer } from '../../stores/app-store'
import { usePickPath } from '../../stores/pick-path'
import { ButtonLink } from '../../ui/controls/button'
import { Field, PathInput } from '../../ui/fields/field'
import { BlankState, Page } from '../../ui/layout/page'
import { Facts, SectionHeader } from '../../ui/layout/section'
import { OpeningView, sourceOf, useOpening } from './opening-view'

type BundlePageProps = {
  readonly entryId: string
  readonly offer: OfferRef
  /** The installation to update; missing for a new setup. */
  readonly updateOf?: string | undefined
}

function Download(props: BundlePageProps & { readonly pkg: Package }): ReactElement {
  const { entryId, offer, updateOf, pkg } = props
  const { opening, open, cancel } = useOpening()
  const { host, file } = sourceOf(pkg.identifier)
  return (
    <div className="grid max-w-text gap-6">
      <section className="grid gap-3" aria-labelledby="download">
        <SectionHeader id="download" title="Download" />
        <Facts
          facts={{
            File: <code>{file}</code>,
            From: <b>{host}</b>,
            Address: <code>{pkg.identifier}</code>,
            'SHA-256': pkg.fileSha256 === undefined ? 'not listed' : <code>{pkg.fileSha256}</code>,
          }}
        />
        <p className="text-muted">
          Patchbay downloads the bundle, verifies the SHA-256 from the registry, and unpacks the
          files.
        </p>
      </section>
      <OpeningView
        {...{ opening, updateOf }}
        verb="Downloading"
        label="Download and verify"
        onOpen={() => open({ kind: 'entry', entryId, offer })}
        onCancel={cancel}
      />
    </div>
  )
}

function titleOf({ server }: CatalogEntry): string {
  return server.title ?? server.name
}

function useHeader(title: string, updateOf: string | undefined): PageHeader {
  const name = useServer(updateOf ?? '')?.name ?? title
  return updateOf === undefined
    ? { title: `Set up ${title}`, crumbs: CATALOG_CRUMBS }
    : { title: `Update ${name}`, crumbs: serverCrumbs(updateOf, name) }
}

type PageHeader = Pick<ComponentProps<typeof Page>, 'title' | 'crumbs'>

function Entry({
  entry,
  ...props
}: BundlePageProps & { readonly entry: CatalogEntry }): ReactElement {
  const { offer, updateOf } = props
  const head = useHeader(titleOf(entry), updateOf)
  const found = findOffer(entry.server, offer)
  const isBundle = found?.kind === 'package' && found.pkg.registryType === 'mcpb'
  return (
    <Page {...head}>
      {isBundle ? (
        <Download key={offerId(offer)} {...props} pkg={found.pkg} />
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

/** The page between catalog or installation and form: the source of a bundle, its download and its check. */
export function BundlePage({ entryId, offer, updateOf }: BundlePageProps): ReactNode {
  const request = useRequest('catalog.read', { entryId })
  return (
    <LoadedPage
      request={request}
      title={updateOf === undefined ? 'Set up' : 'Update'}
      crumbs={CATALOG_CRUMBS}
      failure="Can’t load this server"
    >
      {(entry) => <Entry key={entryId} {...{ entry, entryId, offer, updateOf }} />}
    </LoadedPage>
  )
}

/** Returns the texts of the page; `updated` is the name of the server to update. */
function textsOf(
  updated: string | undefined,
  canDrop: boolean,
): { readonly title: string; readonly hint: string } {
  const drop = canDrop ? ' Or drop the file on this window.' : ''
  return updated === undefined
    ? {
        title: 'Open bundle',
        hint: `Choose a .mcpb or .dxt file from a publisher.${drop}`,
      }
    : {
        title: `Update ${updated} from file`,
        hint: `Choose a newer .mcpb or .dxt file of the same bundle. You review the changes first.${drop}`,
      }
}

/** Opens a bundle file on the computer that runs Patchbay. */
export function OpenBundlePage(): ReactElement {
  const pick = usePickPath('file')
  const [path, setPath] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const { opening, open, cancel } = useOpening()
  const updated = useServer(new URLSearchParams(useSearch()).get('newer-of') ?? '')
  const texts = textsOf(updated?.name, pick !== undefined)

  function change(next: string): void {
    setPath(next)
    setIsMissing(false)
  }
  function openPath(chosen: string): void {
    setIsMissing(chosen.trim() === '')
    if (chosen.trim() !== '' && opening.kind !== 'opening') open({ kind: 'file', path: chosen })
  }
  function openChosen(chosen: string): void {
    change(chosen)
    openPath(chosen)
  }
  const openDropped = useEffectEvent(openChosen)
  const isOpening = opening.kind === 'opening'
  // Drops are ignored while a bundle is being opened.
  useEffect(
    () => (isOpening ? undefined : followDropped((dropped) => openDropped(dropped))),
    [isOpening],
  )
  return (
    <Page title={texts.title} crumbs={CATALOG_CRUMBS}>
      <div className="grid max-w-text gap-6">
        {opening.kind === 'opened' ? null : (
          <form
            className="grid gap-3"
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              openPath(path)
            }}
          >
            <Field
              id="bundle-path"
              label="Bundle file"
              hint={texts.hint}
              problem={isMissing ? 'Enter a file path.' : undefined}
            >
              {(ids) => (
                <PathInput
                  {...ids}
                  autoFocus
                  placeholder="/home/you/Downloads/server.mcpb"
                  value={path}
                  onValueChange={change}
                  pick={pick}
                  onPick={openChosen}
                />
              )}
            </Field>
          </form>
        )}
        <OpeningView
          {...{ opening }}
          verb="Reading"
          label="Open"
          onOpen={() => openPath(path)}
          onCancel={cancel}
        />
      </div>
    </Page>
  )
}
