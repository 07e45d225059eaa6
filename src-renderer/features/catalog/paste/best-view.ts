import type { CatalogEntry } from '../../../../src-shared/domain/catalog-entry'
import type { Machine } from '../../../../src-shared/domain/preferred-offer'
import type { OfferView } from '../offer-words'
import { viewsOf, viewToSetUp } from '../offer-words'

/** What of an entry is set up on this computer; undefined where it offers nothing. */
export function bestView({ server }: CatalogEntry, machine: Machine): OfferView | undefined {
  return viewToSetUp(viewsOf(server, machine), undefined)
}
