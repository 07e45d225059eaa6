import type { FacetCounts, ListedKind } from '../../../../src-shared/domain/catalog/catalog-query'
import { type FilterChoices, NO_CHOICES, toggled } from './filter-choices'

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
