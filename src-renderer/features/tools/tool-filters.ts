import { EXPOSURE_LABEL } from '../../components/tool/tool-messages'
import { NATURE_WORD, NATURES } from '../../components/tool/tool-nature'
import type { FilterQuestion } from '../../ui/filters/filter-questions'
import { foundTools, type GroupServer, type ListedTool } from './list-groups'
import type { ToolsView } from './tools-view-store'

/** An answer that is chosen, and the view without it. */
export type ChosenFilter = {
  readonly title: string
  readonly label: string
  readonly cleared: Partial<ToolsView>
}

const STANDINGS = ['exposed', 'off', 'held', 'refused', 'quarantined'] as const

type Question = {
  readonly part: 'exposures' | 'natures' | 'servers'
  readonly title: string
  readonly answers: readonly { readonly value: string; readonly label: string }[]
  readonly valuesOf: (tool: ListedTool) => readonly string[]
}

function questions(servers: readonly GroupServer[]): readonly Question[] {
  return [
    {
      part: 'exposures',
      title: 'Status',
      answers: STANDINGS.map((value) => ({ value, label: EXPOSURE_LABEL[value] })),
      valuesOf: ({ exposure }) => [exposure],
    },
    {
      part: 'natures',
      title: 'Behavior',
      answers: NATURES.map((value) => ({ value, label: NATURE_WORD[value] })),
      valuesOf: ({ natures }) => natures,
    },
    {
      part: 'servers',
      title: 'Server',
      answers: servers.map(({ numbers, name }) => ({ value: numbers.installationId, label: name })),
      valuesOf: ({ tool }) => [tool.installationId],
    },
  ]
}

/** The filters with what each answer would leave; an answer that leaves nothing is not offered. */
export function filterGroups(
  all: readonly ListedTool[],
  servers: readonly GroupServer[],
  view: ToolsView,
): readonly FilterQuestion<Partial<ToolsView>>[] {
  const groups = questions(servers).map(({ part, title, answers, valuesOf }) => {
    const chosen: readonly string[] = view[part]
    const counts = new Map<string, number>()
    for (const tool of foundTools(all, { ...view, [part]: [] }))
      for (const value of valuesOf(tool)) counts.set(value, (counts.get(value) ?? 0) + 1)
    const options = answers.map(({ value, label }) => {
      const isChosen = chosen.includes(value)
      const next = isChosen ? chosen.filter((one) => one !== value) : [...chosen, value]
      return { label, isChosen, count: counts.get(value) ?? 0, toggle: () => ({ [part]: next }) }
    })
    return { title, options: options.filter(({ count, isChosen }) => count > 0 || isChosen) }
  })
  return groups.filter(({ options }) => options.length > 0)
}

/** What is chosen of all filters. */
export function chosenFilters(
  servers: readonly GroupServer[],
  view: ToolsView,
): readonly ChosenFilter[] {
  return questions(servers).flatMap(({ part, title, answers }) => {
    const chosen: readonly string[] = view[part]
    const named = answers.filter(({ value }) => chosen.includes(value))
    return named.map(({ value, label }): ChosenFilter => {
      return { title, label, cleared: { [part]: chosen.filter((one) => one !== value) } }
    })
  })
}
