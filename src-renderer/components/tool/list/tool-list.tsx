import { type ComponentProps, type JSX, useMemo, useState } from 'react'

import { retryTools, useTools } from '../../../stores/tools-store'
import { Button } from '../../../ui/controls/button'
import { withMember } from '../../../ui/controls/members'
import { SearchField } from '../../../ui/controls/search-field'
import { SortMenu } from '../../../ui/filters/filter-chip'
import {
  ChosenFilters,
  type FilterGroup,
  FilterGroups,
  FiltersPopover,
} from '../../../ui/filters/filter-groups'
import { BlankState, Skeleton } from '../../../ui/layout/page'
import { ProblemState } from '../../../ui/layout/problem-state'
import { enterList } from '../../../ui/list/virtual-list'
import { counted, formatCount } from '../../../ui/text/format'
import { EXPOSURE_LABEL, NATURE_LABEL, NATURES } from '../tool-messages'
import { isSwitchable } from '../tool-switch'
import {
  ALL_TOOLS,
  type GroupServer,
  isNarrowed,
  type ListedTool,
  matchingTools,
  switchShown,
  switchTools,
  type ToolListing,
  type ToolSort,
  type ToolsView,
} from './list-groups'
import { ToolDetailSheet, type ToolRowActions } from './tool-detail'
import { ToolGroups } from './tool-groups'

const EXPOSURES = ['exposed', 'off', 'needsReview', 'rejected', 'quarantined'] as const

type ToolFilter = Pick<FilterGroup<Partial<ToolsView>>, 'title'> & {
  readonly part: 'exposures' | 'natures' | 'servers'
  readonly answers: readonly {
    readonly value: string
    readonly label: string
    readonly isChosen: boolean
    readonly toggle: () => Partial<ToolsView>
  }[]
  readonly valuesOf: (tool: ListedTool) => readonly string[]
}

/** Returns the filters without counts. */
function toolFilters(servers: readonly GroupServer[], view: ToolsView): readonly ToolFilter[] {
  const filter = (
    part: ToolFilter['part'],
    title: string,
    values: readonly (readonly [value: string, label: string])[],
    valuesOf: ToolFilter['valuesOf'],
  ): ToolFilter => {
    const chosen: readonly string[] = view[part]
    const answers = values.map(([value, label]) => {
      const isChosen = chosen.includes(value)
      const next = withMember(chosen, value, !isChosen)
      return { value, label, isChosen, toggle: () => ({ [part]: next }) }
    })
    return { part, title, answers, valuesOf }
  }
  const exposures = EXPOSURES.map((value) => [value, EXPOSURE_LABEL[value]] as const)
  const natures = NATURES.map((value) => [value, NATURE_LABEL[value]] as const)
  const names = servers.map(({ numbers, name }) => [numbers.installationId, name] as const)
  return [
    filter('exposures', 'Status', exposures, ({ exposure }) => [exposure]),
    filter('natures', 'Behavior', natures, (tool) => tool.natures),
    filter('servers', 'Server', names, ({ tool }) => [tool.installationId]),
  ]
}

/** Returns the filters with the number of tools that each option would leave, without empty options. */
export function filterGroups(
  all: readonly ListedTool[],
  servers: readonly GroupServer[],
  view: ToolsView,
): readonly FilterGroup<Partial<ToolsView>>[] {
  const groups = toolFilters(servers, view).map(({ part, title, answers: choices, valuesOf }) => {
    const found = matchingTools(all, { ...view, [part]: [] })
    const counts = Map.groupBy(found.flatMap(valuesOf), (value) => value)
    const options = choices.map(({ value, ...answer }) => {
      return { ...answer, count: counts.get(value)?.length ?? 0 }
    })
    return { title, options: options.filter(({ count, isChosen }) => count > 0 || isChosen) }
  })
  return groups.filter(({ options }) => options.length > 0)
}

/** Returns the active filter options, each with the view without it. */
export function chosenFilters(
  servers: readonly GroupServer[],
  view: ToolsView,
): ComponentProps<typeof ChosenFilters<Partial<ToolsView>>>['chosen'] {
  return toolFilters(servers, view).flatMap(({ title, answers: choices }) =>
    choices
      .filter(({ isChosen }) => isChosen)
      .map(({ label, toggle }) => ({ title, label, cleared: toggle() })),
  )
}

const SORTS = [
  { value: 'server', label: 'By server' },
  { value: 'behavior', label: 'By behavior' },
  { value: 'tokens', label: 'Most tokens' },
  { value: 'uses', label: 'Most called' },
] as const satisfies readonly { readonly value: ToolSort; readonly label: string }[]

/** The filters, counted only while they are visible. */
function ToolFilterBar({ isOneServer, all, servers, view, onView }: ToolListing): JSX.Element {
  const groups = filterGroups(all, isOneServer ? [] : servers, view)
  return <FilterGroups groups={groups} onChange={onView} />
}

function Selection({ all, found: matching, chosen }: ToolListing): JSX.Element {
  const selected = matching.filter(({ key }) => chosen.ids.has(key))
  const turn = (isOn: boolean): void => {
    const toSwitch = selected.filter((one) => one.isOn !== isOn && isSwitchable(one.exposure))
    if (toSwitch.length > 0) switchShown(all, toSwitch, isOn)
  }
  return (
    <span className="flex items-center gap-2" role="group" aria-label="Selected tools">
      <span
        className="font-medium tabular-nums"
        role="status"
      >{`${formatCount(selected.length)} selected`}</span>
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

function ToolsBar(props: ToolListing): JSX.Element {
  const { isOneServer, all, found: matching, view, onView, chosen } = props
  const areAllSelected = matching.length > 0 && chosen.ids.size === matching.length
  const count =
    matching.length === all.length
      ? counted(all.length, 'tool')
      : `${formatCount(matching.length)} of ${counted(all.length, 'tool')}`
  return (
    <div className="tools-bar list-bar sticky top-0 z-1 flex items-center gap-2 border-t border-b border-line bg-surface whitespace-nowrap text-muted">
      <input
        type="checkbox"
        className="check"
        aria-label="Select all shown tools"
        checked={areAllSelected}
        onChange={areAllSelected ? chosen.none : chosen.all}
      />
      {chosen.ids.size > 0 ? (
        <Selection {...props} />
      ) : (
        <span className="tabular-nums" aria-live="polite">
          {count}
        </span>
      )}
      <div className="hide-small ring-room flex min-w-0 gap-1 overflow-hidden">
        <FiltersPopover>
          <ToolFilterBar {...props} />
        </FiltersPopover>
        <ChosenFilters chosen={chosenFilters(props.servers, view)} onChange={onView} />
      </div>
      {isNarrowed(view) && (
        <Button variant="quiet" size="small" onClick={() => onView(ALL_TOOLS)}>
          Show all
        </Button>
      )}
      <span className="min-w-0 flex-1" />
      <SortMenu
        sort={view.sort}
        sorts={isOneServer ? SORTS.slice(1) : SORTS}
        onSort={(sort) => onView({ sort })}
      />
    </div>
  )
}

/** The search field of a tool list. */
export function ToolSearch({ listing }: { readonly listing: ToolListing }): JSX.Element {
  const { view, found: matching, onView } = listing
  return (
    <SearchField
      label="Search tools"
      placeholder="Search tools"
      value={view.query}
      onChange={(query) => onView({ query })}
      onArrowDown={enterList}
      meta={view.query.trim() === '' ? undefined : `${formatCount(matching.length)} found`}
    />
  )
}

/** The placeholder of a tool list that is loading or failed to load. */
export function ToolsWaiting(): JSX.Element {
  const { problem } = useTools()
  if (!problem) return <Skeleton label="Loading tools" rows={6} />
  return <ProblemState title="Can’t load tools" problem={problem} onRetry={retryTools} />
}

/** The grouped tools under a bar to filter, sort and select them; the open tool appears in a side sheet. */
export function ToolList({ listing }: { readonly listing: ToolListing }): JSX.Element {
  const { all, groups, chosen, onView } = listing
  const [openKey, setOpenKey] = useState<string>()
  const { toggle } = chosen
  const acts = useMemo(
    (): ToolRowActions => ({
      onToggle: (listed, isOn) => switchTools(all, [listed], isOn),
      onOpen: ({ key }) => setOpenKey(key),
      onSelect: ({ key }, isRange) => toggle(key, isRange),
    }),
    [all, toggle],
  )
  const opened = all.find(({ key }) => key === openKey)
  return (
    <>
      <ToolsBar {...listing} />
      {groups.length === 0 ? (
        <BlankState
          art="open"
          title="No matching tools"
          message="Change or clear the search and filters."
          action={<Button onClick={() => onView(ALL_TOOLS)}>Show all</Button>}
        />
      ) : (
        <ToolGroups {...listing} acts={acts} selected={chosen.ids} />
      )}
      {opened && (
        <ToolDetailSheet listed={opened} all={all} onClose={() => setOpenKey(undefined)} />
      )}
    </>
  )
}
