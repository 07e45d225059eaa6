import { create } from 'zustand'

import type {
  CatalogFilter,
  CatalogSort,
  ListedKind,
  ListedServer,
  ListedStatus,
  NamespaceProof,
} from '../../../../src-shared/domain/catalog/catalog-query'
import type { ListedRef } from '../../../../src-shared/domain/catalog/listed-ref'
import type { RunnerName } from '../../../../src-shared/domain/runner-name'
import {
  offerId,
  type OfferRef,
  parseOfferId,
} from '../../../../src-shared/domain/server-json/offer'

const DAY_MS = 86400000

/** The user's filter choices. */
export type FilterChoices = {
  readonly kinds: readonly ListedKind[]
  readonly runsHere: boolean
  readonly secrets: 'any' | 'asked' | 'none'
  readonly namespaces: readonly NamespaceProof[]
  readonly updated: 'any' | 'month' | 'year'
  readonly statuses: readonly ListedStatus[]
  readonly sourceIds: readonly string[]
  readonly mine: 'all' | 'favorites' | 'viewed'
}

/** The choices that filter nothing. */
export const NO_CHOICES: FilterChoices = {
  kinds: [],
  runsHere: false,
  secrets: 'any',
  namespaces: [],
  updated: 'any',
  statuses: [],
  sourceIds: [],
  mine: 'all',
}

/** Context of a filter: runners and marked servers of this computer, and the time in epoch ms. */
type FilterContext = {
  /** Runners that may be present. */
  readonly runners: readonly RunnerName[]
  readonly favorites: readonly ListedRef[]
  readonly viewed: readonly ListedRef[]
  readonly now: number
}

/** Converts the choices to main's filter; equal choices on the same day give equal filters. */
export function toFilter(choices: FilterChoices, context: FilterContext): CatalogFilter {
  const { kinds, namespaces, statuses, sourceIds, mine } = choices
  return {
    ...(kinds.length > 0 && { kinds: [...kinds] }),
    ...(choices.runsHere && { runners: [...context.runners] }),
    ...(choices.secrets !== 'any' && { asksForSecrets: choices.secrets === 'asked' }),
    ...(namespaces.length > 0 && { namespaces: [...namespaces] }),
    ...(statuses.length > 0 && { statuses: [...statuses] }),
    ...(sourceIds.length > 0 && { sourceIds: [...sourceIds] }),
    ...(choices.updated !== 'any' && { updatedSince: recentTo(context.now)[choices.updated] }),
    ...(mine !== 'all' && { among: [...context[mine]] }),
  }
}

/** Returns the start of this month's and this year's updates, in epoch ms; constant during a day. */
export function recentTo(now: number): { readonly month: number; readonly year: number } {
  const today = now - (now % DAY_MS)
  return { month: today - 30 * DAY_MS, year: today - 365 * DAY_MS }
}

type CatalogView = {
  readonly query: string
  readonly sort: CatalogSort
  readonly choices: FilterChoices
  /** Null selects the first result. */
  readonly selected: ListedServer | ListedRef | null
  /** Chosen offers by entry id. */
  readonly chosen: ReadonlyMap<string, string>
  /** Whether the state of each registry is shown. */
  readonly showsRegistries: boolean
  /** Scroll offset of the list, in px. */
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
 * Returns a part of the catalog's view, which persists when the user returns from a form. Parts are separate, because the search changes
 * with every key.
 */
export function useCatalogView<Part extends keyof CatalogView>(part: Part): CatalogView[Part] {
  return useView((view) => view[part])
}

/** Whether the user selected a server, instead of seeing the first one. */
export function useIsChosen(): boolean {
  return useView(({ selected }) => selected !== null)
}

/** Changes a part of the view. */
export const setCatalogView = useView.setState

/** Changes the list, scrolls to its top and shows its first server. */
export function changeList(change: Partial<Pick<CatalogView, 'query' | 'sort' | 'choices'>>): void {
  setCatalogView({ ...change, selected: null, scrolled: 0 })
}

/** Returns the last scroll offset of the list, in px. */
export function lastScrolled(): number {
  return useView.getState().scrolled
}

/** Stores the chosen offer of an entry. */
export function chooseOffer(entryId: string, ref: OfferRef): void {
  const { chosen } = useView.getState()
  setCatalogView({ chosen: new Map(chosen).set(entryId, offerId(ref)) })
}

/** Returns the offer of an entry that the user chose in this session. */
export function chosenOffer(chosen: CatalogView['chosen'], entryId: string): OfferRef | undefined {
  return parseOfferId(chosen.get(entryId) ?? '')
}

/** Returns the chosen offer of an entry without a subscription. */
export function presentOffer(entryId: string): OfferRef | undefined {
  return chosenOffer(useView.getState().chosen, entryId)
}
