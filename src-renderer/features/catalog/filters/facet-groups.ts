import type { FacetCounts, ListedKind } from '../../../../src-shared/domain/catalog/catalog-query'
import { withMember } from '../../../ui/controls/members'
import type { FilterGroup } from '../../../ui/filters/filter-groups'
import { type FilterChoices, NO_CHOICES } from './catalog-view-store'

/** A group of options; `cleared` are the choices without this group. */
export type FacetGroup = FilterGroup<FilterChoices> & { readonly cleared: FilterChoices }

const KIND_LABELS: readonly (readonly [ListedKind, string])[] = [
  ['npm', 'npm'],
  ['pypi', 'PyPI'],
  ['docker', 'Docker'],
  ['bundle', 'Bundle'],
  ['remote', 'Remote'],
  ['nuget', 'NuGet'],
  ['cargo', 'Cargo'],
]
/** Returns the label of a server type. */
export function kindLabel(kind: ListedKind): string {
  return KIND_LABELS.find(([one]) => one === kind)?.[1] ?? kind
}

/** A registry to choose. */
type SourceChoice = { readonly sourceId: string; readonly label: string }

type Counts = FacetCounts | undefined

/** Returns the groups of options that lead to a server, in display order; counts are missing until the first result. */
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
      // A single option that all servers share filters nothing.
      const isOnly = options.length === 1 && DISJOINT.has(title) && options[0]?.isChosen === false
      return options.length > 0 && !isOnly
    })
}

/** Groups in which every server has exactly one option. */
const DISJOINT = new Set(['Type', 'Secrets', 'Publisher', 'Status'])

function everyGroup(
  choices: FilterChoices,
  counts: Counts,
  sources: readonly SourceChoice[],
): readonly FacetGroup[] {
  type Choices = FilterChoices
  /** Options of a list can be combined; otherwise a choice replaces the previous one. */
  const group = <K extends keyof Choices>(
    title: string,
    key: K,
    available: readonly (readonly [choice: ChoiceValue<K>, label: string, count?: number])[],
  ): FacetGroup => {
    const selected: unknown = choices[key]
    const cleared = { ...choices, [key]: NO_CHOICES[key] }
    const options = available.map(([choice, label, count]) => {
      const isChosen = Array.isArray(selected) ? selected.includes(choice) : selected === choice
      const toggle = (): Choices => {
        if (Array.isArray(selected))
          return { ...choices, [key]: withMember<unknown>(selected, choice, !isChosen) }
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
      ['favorites', 'Favorites'],
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

/** Type of an option's value. */
type ChoiceValue<K extends keyof FilterChoices> = FilterChoices[K] extends readonly (infer T)[]
  ? T
  : FilterChoices[K]

/** Returns one chip for each group with a choice: its label, and the choices without it. */
export function chosenChips(
  groups: readonly FacetGroup[],
): (Pick<FacetGroup, 'title' | 'cleared'> & { readonly label: string })[] {
  return groups.flatMap(({ title, options, cleared }) => {
    const labels = options.filter(({ isChosen }) => isChosen).map(({ label }) => label)
    return labels.length === 0 ? [] : [{ title, cleared, label: labels.join(', ') }]
  })
}
