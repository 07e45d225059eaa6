import { ChevronDown } from 'lucide-react'
import type { JSX } from 'react'

import { toolsWords } from '../../components/tool/tool-messages'
import { isSwitchable } from '../../components/tool/tool-row'
import { Button } from '../../ui/controls/button'
import { Menu, MenuAction } from '../../ui/controls/menu'
import { ChosenFilters, FilterQuestions, FiltersPopover } from '../../ui/filters/filter-questions'
import { SortMenu } from '../../ui/filters/sort-menu'
import { formatCount } from '../../ui/text/format'
import { type GroupServer, isNarrowed, type ListedTool } from './list-groups'
import { switchShown } from './switch-shown'
import { chosenFilters, filterGroups } from './tool-filters'
import { ALL_TOOLS, setToolsView, type ToolSort, type ToolsView } from './tools-view-store'

const SORTS = [
  { value: 'server', label: 'By server' },
  { value: 'tokens', label: 'Most tokens' },
  { value: 'uses', label: 'Most called' },
] as const satisfies readonly { readonly value: ToolSort; readonly label: string }[]

type BarProps = {
  readonly all: readonly ListedTool[]
  readonly found: readonly ListedTool[]
  readonly servers: readonly GroupServer[]
  readonly view: ToolsView
}

/** Counted only while they are seen. */
function Questions({ all, servers, view }: BarProps): JSX.Element {
  return <FilterQuestions questions={filterGroups(all, servers, view)} onChange={setToolsView} />
}

function Filters(props: BarProps): JSX.Element {
  return (
    <div className="hide-small ring-room flex gap-1 slim clip">
      <FiltersPopover>
        <Questions {...props} />
      </FiltersPopover>
      <ChosenFilters chosen={chosenFilters(props.servers, props.view)} onChange={setToolsView} />
    </div>
  )
}

function BulkMenu({ all, found }: BarProps): JSX.Element {
  const [on, off] = [false, true].map((isOn) =>
    found.filter((one) => one.isOn === isOn && isSwitchable(one.exposure)),
  )
  return (
    <Menu
      label="All shown tools"
      trigger={
        <Button variant="quiet" size="small">
          All shown
          <ChevronDown className="icon icon-s" aria-hidden />
        </Button>
      }
    >
      {[
        { isOn: true, these: on ?? [], verb: 'Turn on' },
        { isOn: false, these: off ?? [], verb: 'Turn off' },
      ].map(({ isOn, these, verb }) => (
        <MenuAction
          key={verb}
          disabled={these.length === 0}
          onSelect={() => switchShown(all, these, isOn)}
        >
          {`${verb} ${toolsWords(these.length)}`}
        </MenuAction>
      ))}
    </Menu>
  )
}

/** How many tools are shown, by what filters and in what order, and what can be done with all of them. */
export function ToolsBar(props: BarProps): JSX.Element {
  const { all, found, view } = props
  const count =
    found.length === all.length
      ? toolsWords(all.length)
      : `${formatCount(found.length)} of ${toolsWords(all.length)}`
  return (
    <div className="tools-bar list-bar sticks ruled ruled-above row gap-2 soft nowrap surface">
      <span className="num" aria-live="polite">
        {count}
      </span>
      <Filters {...props} />
      {isNarrowed(view) && (
        <Button variant="quiet" size="small" onClick={() => setToolsView(ALL_TOOLS)}>
          Show all
        </Button>
      )}
      <span className="grow" />
      <BulkMenu {...props} />
      <SortMenu sort={view.sort} sorts={SORTS} onSort={(sort) => setToolsView({ sort })} />
    </div>
  )
}
