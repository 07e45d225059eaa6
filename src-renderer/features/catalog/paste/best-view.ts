import type { CatalogEntry } from '../../../../src-shared/domain/catalog/catalog-entry'
import type { Machine } from '../../../../src-shared/domain/server-json/preferred-offer'
import type { OfferView } from '../entry/offer-messages'
import { viewsOf, viewToSetUp } from '../entry/offer-messages'

/** What of an entry is set up on this computer; undefined where it offers nothing. */
export function bestView({ server }: CatalogEntry, machine: Machine): OfferView | undefined {
  return viewToSetUp(viewsOf(server, machine), undefined)
}
