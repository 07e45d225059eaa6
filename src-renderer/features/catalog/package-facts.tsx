import type { ReactElement } from 'react'

import type { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import type { Package } from '../../../src-shared/domain/server-json'
import type { Asks } from './entry-facts'
import { asksOf, kindLabel, linkText, namesOf, safeLink } from './entry-facts'

function inputsText({ fields, required }: Asks): string {
  if (fields.length === 0) return 'None'
  if (required.length === 0) return `${fields.length} optional`
  return `${required.length} required: ${namesOf(required)}`
}

function publishedText(published: string | undefined): string | undefined {
  if (published === undefined || Number.isNaN(Date.parse(published))) return undefined
  return new Date(published).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
}

/** What the registry says of a package, line by line. */
export function PackageFacts({
  entry,
  pack,
}: {
  readonly entry: CatalogEntry
  readonly pack: Package | undefined
}): ReactElement {
  const { server } = entry
  const source = safeLink(server.repository?.url) ?? safeLink(server.websiteUrl)
  const published = publishedText(entry.publishedAt)
  return (
    <section aria-labelledby="facts">
      <div className="section-head">
        <h3 id="facts">Package</h3>
      </div>
      <dl className="facts">
        {pack ? (
          <>
            <dt>{kindLabel(pack.registryType)}</dt>
            <dd>
              <code>{pack.identifier}</code>
            </dd>
          </>
        ) : null}
        <dt>Version</dt>
        <dd className="num">{pack?.version ?? server.version}</dd>
        {pack ? (
          <>
            <dt>Inputs</dt>
            <dd>{inputsText(asksOf(pack))}</dd>
          </>
        ) : null}
        {published === undefined ? null : (
          <>
            <dt>Published</dt>
            <dd className="num">{published}</dd>
          </>
        )}
        {source ? (
          <>
            <dt>Source</dt>
            <dd>
              <a className="inline-link" href={source.href} target="_blank" rel="noreferrer">
                {linkText(source)}
              </a>
            </dd>
          </>
        ) : null}
      </dl>
    </section>
  )
}
