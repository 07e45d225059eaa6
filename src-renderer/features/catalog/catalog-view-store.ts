import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import { offerId, type OfferRef, parseOfferId } from '../../../src-shared/domain/offer'

type CatalogView = {
  readonly query: string
  readonly selectedId: string | null
  /** The offers that were chosen, by entry id. */
  readonly chosen: ReadonlyMap<string, string>
}

const catalogViewStore = createStore<CatalogView>(() => ({
  query: '',
  selectedId: null,
  chosen: new Map(),
}))

/** What was searched, selected and chosen, so that the way back from a form finds it again. */
export function useCatalogView(): CatalogView {
  return useStore(catalogViewStore)
}

/** Changes a part of the view. */
export function setCatalogView(change: Partial<CatalogView>): void {
  catalogViewStore.setState(change)
}

/** Remembers which offer of an entry is to be set up. */
export function chooseOffer(entryId: string, ref: OfferRef): void {
  const { chosen } = catalogViewStore.getState()
  catalogViewStore.setState({ chosen: new Map(chosen).set(entryId, offerId(ref)) })
}

/** The offer of an entry that the person chose in this run. */
export function chosenOffer(
  { chosen }: Pick<CatalogView, 'chosen'>,
  entryId: string,
): OfferRef | undefined {
  return parseOfferId(chosen.get(entryId) ?? '')
}
