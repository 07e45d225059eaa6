import { ChevronDown } from 'lucide-react'
import type { JSX } from 'react'
import { useState } from 'react'

import { Button } from '../../ui/controls/button'
import { Menu, MenuChoices } from '../../ui/controls/menu'
import { type LogFilter, type LogTime, timeOf } from './log-filter'
import { LogSpanDialog } from './log-span-dialog'

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

const TIMES = [
  { value: 'all', label: 'Any time' },
  { value: 'start', label: 'Since last start' },
  { value: '5', label: 'Last 5 minutes' },
  { value: '15', label: 'Last 15 minutes' },
  { value: '60', label: 'Last hour' },
  { value: 'span', label: 'Custom range' },
] as const satisfies readonly { value: LogTime['kind']; label: string }[]

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
          <span className="cut">{chosen}</span>
          <ChevronDown className="icon icon-s" aria-hidden />
        </Button>
      }
    >
      <MenuChoices value={value} choices={choices} onChange={onChange} />
    </Menu>
  )
}

/** Which lines are shown: by level, source and time. */
export function LogFilters({
  filter,
  onChange,
  hasStart,
}: {
  readonly filter: LogFilter
  readonly onChange: (change: Partial<LogFilter>) => void
  /** One server, that was started. */
  readonly hasStart: boolean
}): JSX.Element {
  const [asksSpan, setAsksSpan] = useState(false)
  const choose = (kind: LogTime['kind']): void => {
    if (kind === 'span') setAsksSpan(true)
    else onChange({ time: timeOf(kind, Date.now()) })
  }
  return (
    <>
      <Choice
        label="Level"
        value={filter.level}
        choices={LEVELS}
        onChange={(level) => onChange({ level })}
      />
      <Choice
        label="Source"
        value={filter.source}
        choices={SOURCES}
        onChange={(source) => onChange({ source })}
      />
      <Choice
        label="Time"
        value={filter.time.kind}
        choices={TIMES.filter(({ value }) => hasStart || value !== 'start')}
        onChange={choose}
      />
      {asksSpan && (
        <LogSpanDialog
          time={filter.time}
          onChoose={(time) => onChange({ time })}
          onClose={() => setAsksSpan(false)}
        />
      )}
    </>
  )
}
