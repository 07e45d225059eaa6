import { ArrowDownUp, ChevronDown, ListFilter, X } from 'lucide-react'
import type { JSX } from 'react'

import { isSwitchable } from '../../tool-parts/tool-row'
import { toolsWords } from '../../tool-parts/tool-words'
import { Button } from '../../ui/controls/button'
import { Menu, MenuAction, MenuChoices } from '../../ui/controls/menu'
import { Popover } from '../../ui/overlays/popover'
import { formatCount } from '../../ui/text/elapsed'
import { type GroupServer, isNarrowed, type ListedTool } from './list-groups'
import { switchShown } from './switch-shown'
import { chosenFilters, filterGroups } from './tool-filters'
import { ALL_TOOLS, setToolsView, type ToolSort, type ToolsView } from './tools-view-store'

const SORTS = [
  { value: 'server', label: 'By server' },
  { value: 'tokens', label: 'Most tokens' },
  { value: 'uses', label: 'Most called' },
] as const satisfies readonly { readonly value: ToolSort; readonly label: string }[]

function SortMenu({ sort }: { readonly sort: ToolSort }): JSX.Element {
  const { label } = SORTS.find(({ value }) => value === sort) ?? SORTS[0]
  return (
    <Menu
      label="Sort by"
      trigger={
        <Button variant="quiet" size="small" icon={ArrowDownUp} aria-label={`Sorted by: ${label}`}>
          <span className="hide-narrow">{label}</span>
        </Button>
      }
    >
      <MenuChoices
        value={sort}
        choices={SORTS}
        onChange={(chosen) => setToolsView({ sort: chosen })}
      />
    </Menu>
  )
}

type BarProps = {
  readonly all: readonly ListedTool[]
  readonly found: readonly ListedTool[]
  readonly servers: readonly GroupServer[]
  readonly view: ToolsView
}

/** The questions and answers, counted only while they are seen. */
function Questions({ all, servers, view }: BarProps): JSX.Element {
  return (
    <div className="facets col gap-5">
      {filterGroups(all, servers, view).map(({ title, options }) => (
        <fieldset key={title}>
          <legend className="below-1 small medium faint">{title}</legend>
          {options.map(({ value, label, count, isChosen, toggled }) => (
            <label key={value} className={count === 0 ? 'tall row gap-2 faint' : 'tall row gap-2'}>
              <input
                type="checkbox"
                className="check"
                checked={isChosen}
                onChange={() => setToolsView(toggled)}
              />
              <span className="cut">{label}</span>{' '}
              <span className="faint num small to-end">{formatCount(count)}</span>
            </label>
          ))}
        </fieldset>
      ))}
    </div>
  )
}

function Filters(props: BarProps): JSX.Element {
  return (
    <div className="hide-small ring-room flex gap-1 slim clip">
      <Popover
        label="Filters"
        trigger={
          <button type="button" className="chip">
            <ListFilter className="icon icon-s" aria-hidden />
            Filters
          </button>
        }
      >
        <Questions {...props} />
      </Popover>
      {chosenFilters(props.servers, props.view).map(({ title, value, label, cleared }) => (
        <button
          key={`${title} ${value}`}
          type="button"
          className="chip"
          aria-pressed
          aria-label={`${title}: ${label}. Remove this filter`}
          onClick={() => setToolsView(cleared)}
        >
          {label}
          <X className="icon icon-s" aria-hidden />
        </button>
      ))}
    </div>
  )
}

function BulkMenu({ all, found }: BarProps): JSX.Element {
  const [on, off] = [false, true].map((isOn) =>
    found.filter((one) => one.isOn === isOn && isSwitchable(one.standing)),
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
        { isOn: true, these: on ?? [], verb: 'Switch on' },
        { isOn: false, these: off ?? [], verb: 'Switch off' },
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
      <SortMenu sort={view.sort} />
    </div>
  )
}
