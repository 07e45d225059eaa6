import { create } from 'zustand'

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
  /** How far the list is scrolled, in px. */
  readonly scrolled: number
}

const useView = create<CatalogView>(() => ({
  query: '',
  sort: 'relevance',
  choices: NO_CHOICES,
  selected: null,
  chosen: new Map(),
  showsRegistries: false,
  scrolled: 0,
}))

/**
 * A part of what was searched, selected and chosen, so that the way back from a form finds it again. Each part by
 * itself: the search changes with every key.
 */
export function useCatalogView<Part extends keyof CatalogView>(part: Part): CatalogView[Part] {
  return useView((view) => view[part])
}

/** Whether a server was selected, and not just shown as the first. */
export function useIsChosen(): boolean {
  return useView(({ selected }) => selected !== null)
}

/** Changes a part of the view. */
export const setCatalogView = useView.setState

/** Asks for another list, which begins at its top with its first server. */
export function changeList(change: Partial<Pick<CatalogView, 'query' | 'sort' | 'choices'>>): void {
  setCatalogView({ ...change, selected: null, scrolled: 0 })
}

/** Where the list was left. */
export function lastScrolled(): number {
  return useView.getState().scrolled
}

/** Remembers which offer of an entry is to be set up. */
export function chooseOffer(entryId: string, ref: OfferRef): void {
  const { chosen } = useView.getState()
  setCatalogView({ chosen: new Map(chosen).set(entryId, offerId(ref)) })
}

/** The offer of an entry among those that the user chose in this run. */
export function chosenOffer(chosen: CatalogView['chosen'], entryId: string): OfferRef | undefined {
  return parseOfferId(chosen.get(entryId) ?? '')
}

/** The same without drawing anything again when another is chosen. */
export function presentOffer(entryId: string): OfferRef | undefined {
  return chosenOffer(useView.getState().chosen, entryId)
}
