import { ChevronDown, ChevronUp, Copy, Download, Eraser, TextWrap } from 'lucide-react'
import type { JSX } from 'react'

import { Button } from '../../ui/button'
import { formatCount } from '../../ui/elapsed'
import { IconButton } from '../../ui/icon-button'
import { Menu, MenuChoices } from '../../ui/menu'
import { SearchField } from '../../ui/search-field'
import type { LogFilter } from './log-search'
import type { LogControls } from './use-log-controls'

const LEVELS = [
  { value: 'all', label: 'All levels' },
  { value: 'info', label: 'Info and above' },
  { value: 'warn', label: 'Warnings and errors' },
  { value: 'error', label: 'Errors' },
] as const satisfies readonly { value: LogFilter['level']; label: string }[]

const SOURCES = [
  { value: 'all', label: 'All sources' },
  { value: 'stderr', label: 'stderr' },
  { value: 'stdout', label: 'stdout' },
  { value: 'install', label: 'Install' },
  { value: 'patchbay', label: 'Patchbay' },
] as const satisfies readonly { value: LogFilter['source']; label: string }[]

function Choice<T extends string>({
  label,
  value,
  choices,
  onChange,
}: {
  readonly label: string
  readonly value: T
  readonly choices: readonly { readonly value: T; readonly label: string }[]
  readonly onChange: (value: T) => void
}): JSX.Element {
  const chosen = choices.find((choice) => choice.value === value)?.label ?? value
  return (
    <Menu
      align="start"
      label={label}
      trigger={
        <Button variant="quiet" size="small" aria-label={`${label}: ${chosen}`}>
          {chosen}
          <ChevronDown className="icon icon-s" aria-hidden />
        </Button>
      }
    >
      <MenuChoices value={value} choices={choices} onChange={onChange} />
    </Menu>
  )
}

function MatchSearch({ controls }: { readonly controls: LogControls }): JSX.Element {
  const { query, search, matches, current, step } = controls
  const none = matches.length === 0
  const found = none ? 'none' : `${formatCount(current + 1)} of ${formatCount(matches.length)}`
  return (
    <>
      <SearchField
        label="Search the log"
        placeholder="Search the log"
        value={query}
        onChange={search}
        onEnter={(backwards) => step(backwards ? -1 : 1)}
        meta={query === '' ? undefined : found}
      />
      <IconButton
        small
        icon={ChevronUp}
        label="Previous match"
        disabled={none}
        onClick={() => step(-1)}
      />
      <IconButton
        small
        icon={ChevronDown}
        label="Next match"
        disabled={none}
        onClick={() => step(1)}
      />
    </>
  )
}

/** Search, filters and what can be done with the lines in view. */
export function LogTools({
  controls,
  onCopy,
  onExport,
  onClear,
}: {
  readonly controls: LogControls
  readonly onCopy: () => void
  readonly onExport: () => void
  readonly onClear: () => void
}): JSX.Element {
  const { filter, setFilter, wrap, setWrap } = controls
  return (
    <div className="log-tools" role="toolbar" aria-label="Log">
      <MatchSearch controls={controls} />
      <span className="sep" />
      <Choice
        label="Level"
        value={filter.level}
        choices={LEVELS}
        onChange={(level) => setFilter({ ...filter, level })}
      />
      <Choice
        label="Source"
        value={filter.source}
        choices={SOURCES}
        onChange={(source) => setFilter({ ...filter, source })}
      />
      <span className="grow" />
      <IconButton
        small
        icon={TextWrap}
        label="Wrap lines"
        aria-pressed={wrap}
        onClick={() => setWrap(!wrap)}
      />
      <IconButton small icon={Copy} label="Copy the lines" onClick={onCopy} />
      <IconButton small icon={Download} label="Export log" onClick={onExport} />
      <IconButton small icon={Eraser} label="Clear log" onClick={onClear} />
    </div>
  )
}
