import type {
  CatalogFilter,
  FacetCounts,
  ListedKind,
  ListedStatus,
  NamespaceProof,
} from '../../../../src-shared/domain/catalog/catalog-query'
import type { ListedRef } from '../../../../src-shared/domain/catalog/listed-ref'
import type { RunnerName } from '../../../../src-shared/domain/runner-name'

/** One line of a group: its words, whether it is chosen, and what choosing it leads to. */
type FacetOption = {
  readonly label: string
  readonly isChosen: boolean
  /** How many servers it would show; undefined where that is not counted. */
  readonly count: number | undefined
  readonly toggle: () => FilterChoices
}

/** Choices that belong together. */
export type FacetGroup = {
  readonly title: string
  readonly options: readonly FacetOption[]
  /** The choices without those of this group. */
  readonly cleared: FilterChoices
}

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
export type SourceChoice = { readonly sourceId: string; readonly label: string }

type ListKey = 'kinds' | 'namespaces' | 'statuses' | 'sourceIds'
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
  return [
    {
      title: 'Your servers',
      cleared: without(choices, 'mine'),
      options: [
        onlyOne(choices, 'mine', 'favourites', 'Favorites', undefined),
        onlyOne(choices, 'mine', 'viewed', 'Recently viewed', undefined),
      ],
    },
    {
      title: 'Type',
      cleared: without(choices, 'kinds'),
      options: KIND_LABELS.map(([kind, label]) =>
        oneOf(choices, 'kinds', kind, label, counts?.kinds[kind]),
      ),
    },
    hereGroup(choices, counts),
    {
      title: 'Secrets',
      cleared: without(choices, 'secrets'),
      options: [
        onlyOne(choices, 'secrets', 'asked', 'Uses secrets', counts?.asksForSecrets),
        onlyOne(choices, 'secrets', 'none', 'No secrets', counts?.asksForNone),
      ],
    },
    {
      title: 'Publisher',
      cleared: without(choices, 'namespaces'),
      options: [
        oneOf(choices, 'namespaces', 'domain', 'Verified domain', counts?.namespaces.domain),
        oneOf(choices, 'namespaces', 'github', 'GitHub account', counts?.namespaces.github),
        oneOf(choices, 'namespaces', 'none', 'Not verified', counts?.namespaces.none),
      ],
    },
    {
      title: 'Updated',
      cleared: without(choices, 'updated'),
      options: [
        onlyOne(choices, 'updated', 'month', 'This month', counts?.updated.month),
        onlyOne(choices, 'updated', 'year', 'This year', counts?.updated.year),
      ],
    },
    {
      title: 'Status',
      cleared: without(choices, 'statuses'),
      options: [
        oneOf(choices, 'statuses', 'active', 'Active', counts?.statuses.active),
        oneOf(choices, 'statuses', 'deprecated', 'Deprecated', counts?.statuses.deprecated),
      ],
    },
    ...(sources.length > 1 ? [sourceGroup(choices, counts, sources)] : []),
  ]
}

function hereGroup(choices: FilterChoices, counts: Counts): FacetGroup {
  const { runsHere } = choices
  return {
    title: 'On this computer',
    cleared: without(choices, 'runsHere'),
    options: [
      {
        ...{ label: 'Can run now', isChosen: runsHere, count: counts?.runsHere },
        toggle: () => ({ ...choices, runsHere: !runsHere }),
      },
    ],
  }
}

function sourceGroup(
  choices: FilterChoices,
  counts: Counts,
  sources: readonly SourceChoice[],
): FacetGroup {
  return {
    title: 'Registry',
    cleared: without(choices, 'sourceIds'),
    options: sources.map(({ sourceId, label }) =>
      oneOf(
        choices,
        'sourceIds',
        sourceId,
        label,
        counts === undefined ? undefined : (counts.sources[sourceId] ?? 0),
      ),
    ),
  }
}

/** One of several that can be chosen side by side. */
function oneOf<K extends ListKey>(
  choices: FilterChoices,
  key: K,
  choice: FilterChoices[K][number],
  label: string,
  count: number | undefined,
): FacetOption {
  const list: readonly string[] = choices[key]
  return {
    ...{ label, count, isChosen: list.includes(choice) },
    toggle: () => ({ ...choices, [key]: toggled(list, choice) }),
  }
}

/** One of several that rule each other out. */
function onlyOne<K extends 'updated' | 'mine' | 'secrets'>(
  choices: FilterChoices,
  key: K,
  choice: FilterChoices[K],
  label: string,
  count: number | undefined,
): FacetOption {
  const isChosen = choices[key] === choice
  return {
    ...{ label, isChosen, count },
    toggle: () => ({ ...choices, [key]: isChosen ? NO_CHOICES[key] : choice }),
  }
}

function without(choices: FilterChoices, key: keyof FilterChoices): FilterChoices {
  return { ...choices, [key]: NO_CHOICES[key] }
}

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

/** A list of choices with one more, or without it. */
function toggled<T>(list: readonly T[], choice: T): T[] {
  return list.includes(choice) ? list.filter((one) => one !== choice) : [...list, choice]
}
