import { create } from 'zustand'

import type {
  CatalogFilter,
  CatalogSort,
  FacetCounts,
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
import { withMember } from '../../../ui/controls/members'
import type { FilterQuestion } from '../../../ui/filters/filter-questions'

/** Choices that belong together; `cleared` is what is chosen without them. */
export type FacetGroup = FilterQuestion<FilterChoices> & { readonly cleared: FilterChoices }

const KIND_LABELS: readonly (readonly [ListedKind, string])[] = [
  ['npm', 'npm'],
  ['pypi', 'PyPI'],
  ['docker', 'Docker'],
  ['bundle', 'Bundle'],
  ['remote', 'Remote'],
  ['nuget', 'NuGet'],
  ['cargo', 'Cargo'],
]
/** What a kind is called. */
export function kindLabel(kind: ListedKind): string {
  return KIND_LABELS.find(([one]) => one === kind)?.[1] ?? kind
}

/** A registry among which can be chosen. */
type SourceChoice = { readonly sourceId: string; readonly label: string }

type Counts = FacetCounts | undefined

/** The groups of choices that lead to a server, in the order of the screen; counts are missing until the first answer. */
export function facetGroups(
  choices: FilterChoices,
  counts: Counts,
  sources: readonly SourceChoice[],
): FacetGroup[] {
  return everyGroup(choices, counts, sources)
    .map((group) => ({
      ...group,
      options: group.options.filter(({ count, isChosen }) => count !== 0 || isChosen),
    }))
    .filter(({ title, options }) => {
      // One answer that all servers have narrows nothing.
      const isOnly = options.length === 1 && DISJOINT.has(title) && options[0]?.isChosen === false
      return options.length > 0 && !isOnly
    })
}

/** Groups whose answers rule each other out and leave no server without one. */
const DISJOINT = new Set(['Type', 'Secrets', 'Publisher', 'Status'])

function everyGroup(
  choices: FilterChoices,
  counts: Counts,
  sources: readonly SourceChoice[],
): readonly FacetGroup[] {
  type Choices = FilterChoices
  /** Of a list several can be chosen side by side; else they rule each other out. */
  const group = <K extends keyof Choices>(
    title: string,
    key: K,
    answers: readonly (readonly [choice: Answer<K>, label: string, count?: number])[],
  ): FacetGroup => {
    const held: unknown = choices[key]
    const cleared = { ...choices, [key]: NO_CHOICES[key] }
    const options = answers.map(([choice, label, count]) => {
      const isChosen = Array.isArray(held) ? held.includes(choice) : held === choice
      const toggle = (): Choices => {
        if (Array.isArray(held))
          return { ...choices, [key]: withMember<unknown>(held, choice, !isChosen) }
        return isChosen ? cleared : { ...choices, [key]: choice }
      }
      return { label, count, isChosen, toggle }
    })
    return { title, options, cleared }
  }
  const { kinds, namespaces, updated, statuses } = counts ?? {}
  const registries = sources.map(
    ({ sourceId, label }) => [sourceId, label, counts?.sources[sourceId]] as const,
  )
  return [
    group('Your servers', 'mine', [
      ['favourites', 'Favorites'],
      ['viewed', 'Recently viewed'],
    ]),
    group(
      'Type',
      'kinds',
      KIND_LABELS.map(([kind, label]) => [kind, label, kinds?.[kind]]),
    ),
    group('On this computer', 'runsHere', [[true, 'Can run now', counts?.runsHere]]),
    group('Secrets', 'secrets', [
      ['asked', 'Uses secrets', counts?.asksForSecrets],
      ['none', 'No secrets', counts?.asksForNone],
    ]),
    group('Publisher', 'namespaces', [
      ['domain', 'Verified domain', namespaces?.domain],
      ['github', 'GitHub account', namespaces?.github],
      ['none', 'Not verified', namespaces?.none],
    ]),
    group('Updated', 'updated', [
      ['month', 'This month', updated?.month],
      ['year', 'This year', updated?.year],
    ]),
    group('Status', 'statuses', [
      ['active', 'Active', statuses?.active],
      ['deprecated', 'Deprecated', statuses?.deprecated],
    ]),
    ...(sources.length > 1 ? [group('Registry', 'sourceIds', registries)] : []),
  ]
}

/** What can be chosen of a part. */
type Answer<K extends keyof FilterChoices> = FilterChoices[K] extends readonly (infer T)[]
  ? T
  : FilterChoices[K]

/** One chip for each group with a choice: its words, and the choices without it. */
export function chosenChips(
  groups: readonly FacetGroup[],
): (Pick<FacetGroup, 'title' | 'cleared'> & { readonly label: string })[] {
  return groups.flatMap(({ title, options, cleared }) => {
    const labels = options.filter(({ isChosen }) => isChosen).map(({ label }) => label)
    return labels.length === 0 ? [] : [{ title, cleared, label: labels.join(', ') }]
  })
}

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
type FilterPlace = {
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
