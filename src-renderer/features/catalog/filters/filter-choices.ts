import type {
  CatalogFilter,
  ListedKind,
  ListedStatus,
  NamespaceProof,
} from '../../../../src-shared/domain/catalog/catalog-query'
import type { ListedRef } from '../../../../src-shared/domain/catalog/listed-ref'
import type { RunnerName } from '../../../../src-shared/domain/runner-name'

const DAY_MS = 86_400_000

/** What a user chose to see. */
export type FilterChoices = {
  readonly kinds: readonly ListedKind[]
  readonly runsHere: boolean
  readonly secrets: 'any' | 'asked' | 'none'
  readonly namespaces: readonly NamespaceProof[]
  readonly updated: 'any' | 'month' | 'year'
  readonly statuses: readonly ListedStatus[]
  readonly sourceIds: readonly string[]
  readonly mine: 'all' | 'favourites' | 'viewed'
}

/** Everything is shown. */
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

/** What a filter is about besides the choices: the runners and marks of this computer, and the day in epoch ms. */
export type FilterPlace = {
  /** Those that may be there. */
  readonly runners: readonly RunnerName[]
  readonly favourites: readonly ListedRef[]
  readonly viewed: readonly ListedRef[]
  readonly now: number
}

/** The choices as main understands them; the same choices of one day give the same filter. */
export function toFilter(choices: FilterChoices, place: FilterPlace): CatalogFilter {
  const { kinds, namespaces, statuses, sourceIds, mine } = choices
  return {
    ...(kinds.length > 0 && { kinds: [...kinds] }),
    ...(choices.runsHere && { runners: [...place.runners] }),
    ...(choices.secrets !== 'any' && { asksForSecrets: choices.secrets === 'asked' }),
    ...(namespaces.length > 0 && { namespaces: [...namespaces] }),
    ...(statuses.length > 0 && { statuses: [...statuses] }),
    ...(sourceIds.length > 0 && { sourceIds: [...sourceIds] }),
    ...(choices.updated !== 'any' && { updatedSince: recentTo(place.now)[choices.updated] }),
    ...(mine !== 'all' && { among: [...place[mine]] }),
  }
}

/** Since when a server counts as updated this month or this year, in epoch ms; the same all day. */
export function recentTo(now: number): { readonly month: number; readonly year: number } {
  const today = now - (now % DAY_MS)
  return { month: today - 30 * DAY_MS, year: today - 365 * DAY_MS }
}

/** A list of choices with one more, or without it. */
export function toggled<T>(list: readonly T[], choice: T): T[] {
  return list.includes(choice) ? list.filter((one) => one !== choice) : [...list, choice]
}
