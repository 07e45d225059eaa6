import type { JSX } from 'react'

import { Button } from '../../../ui/controls/button'
import {
  ChosenFilters,
  type FilterQuestion,
  FilterQuestions,
  FiltersPopover,
} from '../../../ui/filters/filter-questions'
import { SortMenu } from '../../../ui/filters/sort-menu'
import { formatCount } from '../../../ui/text/format'
import { EXPOSURE_LABEL, toolsWords } from '../tool-messages'
import { NATURE_WORD, NATURES } from '../tool-messages'
import { isSwitchable } from '../tool-switch'
import {
  ALL_TOOLS,
  foundTools,
  type GroupServer,
  isNarrowed,
  type ListedTool,
  type ToolSort,
  type ToolsView,
} from './list-groups'
import { switchShown } from './switch-shown'
import type { ToolListing } from './use-tool-listing'

/** An answer that is chosen, and the view without it. */
type ChosenFilter = {
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

const SORTS = [
  { value: 'server', label: 'By server' },
  { value: 'behavior', label: 'By behavior' },
  { value: 'tokens', label: 'Most tokens' },
  { value: 'uses', label: 'Most called' },
] as const satisfies readonly { readonly value: ToolSort; readonly label: string }[]

/** Counted only while they are seen. */
function Questions({ isOneServer, all, servers, view, onView }: ToolListing): JSX.Element {
  const questions = filterGroups(all, isOneServer ? [] : servers, view)
  return <FilterQuestions questions={questions} onChange={onView} />
}

function Filters(props: ToolListing): JSX.Element {
  return (
    <div className="hide-small ring-room flex gap-1 slim clip">
      <FiltersPopover>
        <Questions {...props} />
      </FiltersPopover>
      <ChosenFilters chosen={chosenFilters(props.servers, props.view)} onChange={props.onView} />
    </div>
  )
}

/** What can be done with the selected tools. */
function Selection({ all, found, chosen }: ToolListing): JSX.Element {
  const selected = found.filter(({ key }) => chosen.ids.has(key))
  const turn = (isOn: boolean): void => {
    const these = selected.filter((one) => one.isOn !== isOn && isSwitchable(one.exposure))
    if (these.length > 0) switchShown(all, these, isOn)
  }
  return (
    <span className="row gap-2" role="group" aria-label="Selected tools">
      <span className="num medium" role="status">{`${formatCount(selected.length)} selected`}</span>
      <Button size="small" onClick={() => turn(true)}>
        Turn on
      </Button>
      <Button size="small" onClick={() => turn(false)}>
        Turn off
      </Button>
      <Button size="small" variant="quiet" onClick={chosen.none}>
        Clear selection
      </Button>
    </span>
  )
}

/** How many tools are shown, by what filters and in what order, and what can be done with the selected ones. */
export function ToolsBar(props: ToolListing): JSX.Element {
  const { isOneServer, all, found, view, onView, chosen } = props
  const isWhole = found.length > 0 && chosen.ids.size === found.length
  const count =
    found.length === all.length
      ? toolsWords(all.length)
      : `${formatCount(found.length)} of ${toolsWords(all.length)}`
  return (
    <div className="tools-bar list-bar sticks ruled ruled-above row gap-2 soft nowrap surface">
      <input
        type="checkbox"
        className="check"
        aria-label="Select all shown tools"
        checked={isWhole}
        onChange={isWhole ? chosen.none : chosen.all}
      />
      {chosen.ids.size > 0 ? (
        <Selection {...props} />
      ) : (
        <span className="num" aria-live="polite">
          {count}
        </span>
      )}
      <Filters {...props} />
      {isNarrowed(view) && (
        <Button variant="quiet" size="small" onClick={() => onView(ALL_TOOLS)}>
          Show all
        </Button>
      )}
      <span className="grow" />
      <SortMenu
        sort={view.sort}
        sorts={isOneServer ? SORTS.slice(1) : SORTS}
        onSort={(sort) => onView({ sort })}
      />
    </div>
  )
}
