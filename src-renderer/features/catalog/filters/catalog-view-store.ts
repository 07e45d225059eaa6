import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type { CatalogSort, ListedServer } from '../../../../src-shared/domain/catalog/catalog-query'
import type { ListedRef } from '../../../../src-shared/domain/catalog/listed-ref'
import {
  offerId,
  type OfferRef,
  parseOfferId,
} from '../../../../src-shared/domain/server-json/offer'
import { type FilterChoices, NO_CHOICES } from './facet-groups'

type CatalogView = {
  readonly query: string
  readonly sort: CatalogSort
  readonly choices: FilterChoices
  /** Null: the first that is found. */
  readonly selected: ListedServer | ListedRef | null
  /** The offers that were chosen, by entry id. */
  readonly chosen: ReadonlyMap<string, string>
  /** How each registry stands is shown. */
  readonly showsRegistries: boolean
}

const catalogViewStore = createStore<CatalogView>(() => ({
  query: '',
  sort: 'relevance',
  choices: NO_CHOICES,
  selected: null,
  chosen: new Map(),
  showsRegistries: false,
}))

/**
 * A part of what was searched, selected and chosen, so that the way back from a form finds it again. Each part by
 * itself: the search changes with every key.
 */
export function useCatalogView<Part extends keyof CatalogView>(part: Part): CatalogView[Part] {
  return useStore(catalogViewStore, (view) => view[part])
}

/** Whether a server was selected, and not just shown as the first. */
export function useIsChosen(): boolean {
  return useStore(catalogViewStore, ({ selected }) => selected !== null)
}

/** Changes a part of the view. */
export function setCatalogView(change: Partial<CatalogView>): void {
  catalogViewStore.setState(change)
}

/** Asks for another list, which begins at its top with its first server. */
export function changeList(change: Partial<Pick<CatalogView, 'query' | 'sort' | 'choices'>>): void {
  noteScrolled(0)
  catalogViewStore.setState({ ...change, selected: null })
}

/** How far the list is scrolled, in px; apart from the view, since nothing is drawn again for it. */
const scrollStore = createStore(() => ({ scrolled: 0 }))

/** Where the list was left. */
export function lastScrolled(): number {
  return scrollStore.getState().scrolled
}

/** Remembers where the list is left, in px from its top. */
export function noteScrolled(scrolled: number): void {
  scrollStore.setState({ scrolled })
}

/** Remembers which offer of an entry is to be set up. */
export function chooseOffer(entryId: string, ref: OfferRef): void {
  const { chosen } = catalogViewStore.getState()
  catalogViewStore.setState({ chosen: new Map(chosen).set(entryId, offerId(ref)) })
}

/** The offer of an entry among those that the user chose in this run. */
export function chosenOffer(chosen: CatalogView['chosen'], entryId: string): OfferRef | undefined {
  return parseOfferId(chosen.get(entryId) ?? '')
}

/** The same without drawing anything again when another is chosen. */
export function presentOffer(entryId: string): OfferRef | undefined {
  return chosenOffer(catalogViewStore.getState().chosen, entryId)
}
