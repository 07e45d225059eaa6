import type { ReactElement } from 'react'

import type { CatalogEntry } from '../../../../src-shared/domain/catalog/catalog-entry'
import { PartHead } from '../../../ui/layout/part-head'
import { ExternalLink } from '../../../ui/overlays/external-link'
import { formatDay } from '../../../ui/text/format'
import { safeLink } from '../../../ui/text/safe-link'
import { visibleText } from '../../../ui/text/visible-text'
import type { Asks } from './entry-facts'
import { asksOf, namesOf } from './entry-facts'
import type { OfferView } from './offer-messages'
import { transportWord } from './offer-messages'

type Fact = { readonly name: string; readonly fact: ReactElement | string; readonly isNum?: true }

function inputsText({ fields, required }: Asks): string {
  if (fields.length === 0) return 'None'
  if (required.length === 0) return `${fields.length} optional`
  return `${required.length} required: ${namesOf(required.map(({ label }) => label))}`
}

function publishedText(published: string | undefined): string | undefined {
  if (published === undefined || Number.isNaN(Date.parse(published))) return undefined
  return formatDay(Date.parse(published))
}

function factsOfOffer({ offer, label }: OfferView, entryVersion: string): Fact[] {
  const inputs: Fact = { name: 'Settings', fact: inputsText(asksOf(offer)), isNum: true }
  if (offer.kind === 'remote') {
    const { url, type } = offer.remote
    return [
      { name: 'Address', fact: <code>{visibleText(url)}</code> },
      { name: 'Transport', fact: transportWord(type) },
      { name: 'Version', fact: visibleText(entryVersion), isNum: true },
      inputs,
    ]
  }
  const { identifier, version = entryVersion, transport } = offer.pkg
  return [
    { name: label, fact: <code>{visibleText(identifier)}</code> },
    { name: 'Version', fact: visibleText(version), isNum: true },
    ...(transport.type === 'stdio'
      ? []
      : [{ name: 'Transport', fact: transportWord(transport.type) }]),
    inputs,
  ]
}

function linkFact(name: string, url: URL | undefined): Fact[] {
  return url === undefined ? [] : [{ name, fact: <ExternalLink url={url} /> }]
}

function factsOfEntry({ server, publishedAt }: CatalogEntry): Fact[] {
  const published = publishedText(publishedAt)
  return [
    ...(published === undefined
      ? []
      : [{ name: 'Published', fact: published, isNum: true as const }]),
    ...linkFact('Source', safeLink(server.repository?.url)),
    ...linkFact('Website', safeLink(server.websiteUrl)),
  ]
}

/** What the registry says of an offer and of its entry, line by line. */
export function OfferFacts({
  entry,
  view,
}: {
  readonly entry: CatalogEntry
  readonly view: OfferView | undefined
}): ReactElement {
  const { version } = entry.server
  const own = view ? factsOfOffer(view, version) : [{ name: 'Version', fact: visibleText(version) }]
  return (
    <section aria-labelledby="facts">
      <PartHead id="facts" level={3} title={view?.ref.kind === 'remote' ? 'Remote' : 'Package'} />
      <dl className="facts stack">
        {[...own, ...factsOfEntry(entry)].map(({ name, fact, isNum }) => (
          <div key={name} className="fact">
            <dt className="cut" title={name}>
              {name}
            </dt>
            <dd className={isNum && 'num'}>{fact}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
