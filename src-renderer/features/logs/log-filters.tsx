import { type JSX, useState } from 'react'

import { Field } from '../../ui/fields/field'
import { TextInput } from '../../ui/fields/text-input'
import { ChoiceChip } from '../../ui/filters/filter-chip'
import { FormDialog, type Problems } from '../../ui/overlays/form-dialog'
import { type LogFilter, type LogTime, timeOf } from './log-filter'

const MINUTE_MS = 60_000

/** A moment as the control writes it: local time without a zone. */
function written(at: number | undefined): string {
  if (at === undefined) return ''
  const offset = new Date(at).getTimezoneOffset() * MINUTE_MS
  return new Date(at - offset).toISOString().slice(0, 19)
}

/** What the two ends mean; an open span is no limit. */
function timeOfEnds(since: number | undefined, until: number | undefined): LogTime {
  if (since === undefined && until === undefined) return { kind: 'all' }
  const ends = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) }
  return { kind: 'span', ...ends }
}

function read(text: string): number | undefined {
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}

/** Asks for the time of the lines that are shown; an end that is left empty is open. */
function LogSpanDialog({
  time,
  onChoose,
  onClose,
}: {
  readonly time: LogTime
  readonly onChoose: (time: LogTime) => void
  readonly onClose: () => void
}): JSX.Element {
  const [from, setFrom] = useState(written('since' in time ? time.since : undefined))
  const [to, setTo] = useState(written('until' in time ? time.until : undefined))
  const choose = (): Problems => {
    const [since, until] = [read(from), read(to)]
    if (since !== undefined && until !== undefined && until < since)
      return { to: 'End must be after start.' }
    onChoose(timeOfEnds(since, until))
    onClose()
    return {}
  }
  return (
    <FormDialog
      title="Show time range"
      description="Leave blank for no limit."
      submitLabel="Show"
      onSubmit={choose}
      onClose={onClose}
    >
      {({ id, problems }) =>
        [
          { name: 'from', label: 'From', value: from, onChange: setFrom },
          { name: 'to', label: 'To', value: to, onChange: setTo },
        ].map(({ name, label, value, onChange }) => (
          <Field key={name} id={`${id}-${name}`} label={label} problem={problems[name]}>
            {(ids) => (
              <TextInput
                {...ids}
                type="datetime-local"
                step={1}
                value={value}
                onValueChange={onChange}
              />
            )}
          </Field>
        ))
      }
    </FormDialog>
  )
}

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
      <ChoiceChip
        label="Level"
        value={filter.level}
        options={LEVELS}
        onChoose={(level) => onChange({ level })}
      />
      <ChoiceChip
        label="Source"
        value={filter.source}
        options={SOURCES}
        onChoose={(source) => onChange({ source })}
      />
      <ChoiceChip
        label="Time"
        value={filter.time.kind}
        options={TIMES.filter(({ value }) => hasStart || value !== 'start')}
        onChoose={choose}
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
