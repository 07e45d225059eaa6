import {
  CaseSensitive,
  Copy,
  Download,
  Ellipsis,
  Eraser,
  FileText,
  Flag,
  Pause,
  Play,
  Regex,
  ScrollText,
  TextWrap,
  TriangleAlert,
  Undo2,
} from 'lucide-react'
import { type JSX, type ReactNode, useState } from 'react'

import { IconButton } from '../../ui/controls/button'
import { Menu, MenuAction, MenuSeparator } from '../../ui/controls/menu'
import { MatchSteps, SearchField } from '../../ui/controls/search-field'
import { Field, TextInput } from '../../ui/fields/field'
import { ChoiceChip } from '../../ui/filters/filter-chip'
import { FormDialog, type Problems } from '../../ui/overlays/dialog'
import { formatCount } from '../../ui/text/format'
import type { LogFormat } from './log-export'
import { type LogControls, type LogFilter, type LogTime, timeOf } from './log-filter'
import type { LogFinding } from './use-log-find'

const MINUTE_MS = 60_000

/** Formats a time for the date and time input: local time without a zone. */
function written(at: number | undefined): string {
  if (at === undefined) return ''
  const offset = new Date(at).getTimezoneOffset() * MINUTE_MS
  return new Date(at - offset).toISOString().slice(0, 19)
}

/** Returns the time filter for two ends; without both ends there is no limit. */
function timeOfEnds(since: number | undefined, until: number | undefined): LogTime {
  if (since === undefined && until === undefined) return { kind: 'all' }
  const ends = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) }
  return { kind: 'span', ...ends }
}

function read(text: string): number | undefined {
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}

function LogSpanDialog(props: {
  readonly time: LogTime
  readonly onChoose: (time: LogTime) => void
  readonly onClose: () => void
}): JSX.Element {
  const { time, onChoose, onClose } = props
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

/** Actions on the filtered lines. */
export type LogActions = {
  readonly isPaused: boolean
  readonly togglePause: () => void
  /** Goes to the start, end or error before the current line; while following, to the newest one. */
  readonly goTo: (kind: 'mark' | 'error') => void
  readonly copy: () => void
  readonly export: (format: LogFormat) => void
  /** Clears the view, or restores the cleared lines. */
  readonly clear: () => void
  readonly unclear: () => void
  /** Missing if the logs of several servers are already shown. */
  readonly showAll?: (() => void) | undefined
  /** Missing unless there is exactly one file. */
  readonly showFile?: (() => void) | undefined
}

function MoreActions(props: {
  readonly acts: LogActions
  readonly isCleared: boolean
}): JSX.Element {
  const { acts: actions, isCleared } = props
  return (
    <Menu
      label="Log actions"
      trigger={<IconButton small icon={Ellipsis} label="Log actions" data-testid="log-actions" />}
    >
      <MenuAction icon={Flag} onSelect={() => actions.goTo('mark')}>
        Go to last start or stop
      </MenuAction>
      <MenuAction icon={TriangleAlert} onSelect={() => actions.goTo('error')}>
        Go to last error
      </MenuAction>
      <MenuSeparator />
      <MenuAction icon={Copy} onSelect={actions.copy}>
        Copy lines
      </MenuAction>
      <MenuAction icon={Download} testId="export-text" onSelect={() => actions.export('text')}>
        Export as text
      </MenuAction>
      <MenuAction icon={Download} onSelect={() => actions.export('jsonl')}>
        Export as JSON Lines
      </MenuAction>
      {actions.showAll && (
        <MenuAction icon={ScrollText} onSelect={actions.showAll}>
          Show logs of all servers
        </MenuAction>
      )}
      {actions.showFile && (
        <MenuAction icon={FileText} onSelect={actions.showFile}>
          Show log file
        </MenuAction>
      )}
      <MenuSeparator />
      {isCleared ? (
        <MenuAction icon={Undo2} onSelect={actions.unclear}>
          Show cleared lines
        </MenuAction>
      ) : (
        <MenuAction icon={Eraser} onSelect={actions.clear} hint="Lines are hidden, not deleted">
          Clear view
        </MenuAction>
      )}
    </Menu>
  )
}

/** Search, filters and actions of a log. */
export function LogTools(props: {
  readonly controls: LogControls
  readonly finding: LogFinding
  readonly acts: LogActions
  /** Whether the log belongs to one server that was started. */
  readonly hasStart: boolean
  /** First element of the bar, such as the choice of servers. */
  readonly lead?: ReactNode
}): JSX.Element {
  const { controls, finding, acts: actions, hasStart, lead } = props
  const { filter, setFilter, search, setSearch, wrap, setWrap } = controls
  const [isChoosingSpan, setIsChoosingSpan] = useState(false)
  const chooseTime = (kind: LogTime['kind']): void => {
    if (kind === 'span') setIsChoosingSpan(true)
    else setFilter({ time: timeOf(kind, Date.now()) })
  }
  return (
    <div
      className="log-tools list-bar flex flex-none items-center gap-1 border-b border-line"
      role="toolbar"
      aria-label="Log"
    >
      {lead}
      <SearchField
        label="Search log"
        placeholder="Search log"
        value={search.text}
        onChange={(text) => setSearch({ text })}
        onEnter={(backwards) => finding.step(backwards ? 'previous' : 'next')}
        meta={search.text === '' ? undefined : metaOf(finding)}
      />
      <IconButton
        small
        icon={CaseSensitive}
        label="Match case"
        aria-pressed={search.isCaseSensitive}
        onClick={() => setSearch({ isCaseSensitive: !search.isCaseSensitive })}
      />
      <IconButton
        small
        icon={Regex}
        label="Regular expression"
        data-testid="log-regex"
        aria-pressed={search.isRegex}
        onClick={() => setSearch({ isRegex: !search.isRegex })}
      />
      <MatchSteps
        className="hide-narrow"
        disabled={(finding.found?.count ?? 0) === 0}
        onStep={(by) => finding.step(by < 0 ? 'previous' : 'next')}
      />
      <ChoiceChip
        label="Level"
        value={filter.level}
        options={LEVELS}
        onChoose={(level) => setFilter({ level })}
      />
      <ChoiceChip
        label="Source"
        value={filter.source}
        options={SOURCES}
        onChoose={(source) => setFilter({ source })}
      />
      <ChoiceChip
        label="Time"
        value={filter.time.kind}
        options={TIMES.filter(({ value }) => hasStart || value !== 'start')}
        onChoose={chooseTime}
      />
      {isChoosingSpan && (
        <LogSpanDialog
          time={filter.time}
          onChoose={(time) => setFilter({ time })}
          onClose={() => setIsChoosingSpan(false)}
        />
      )}
      <span className="min-w-0 flex-1" />
      <IconButton
        small
        icon={actions.isPaused ? Play : Pause}
        label={actions.isPaused ? 'Resume' : 'Pause'}
        onClick={actions.togglePause}
      />
      <IconButton
        small
        icon={TextWrap}
        label="Wrap lines"
        aria-pressed={wrap}
        onClick={() => setWrap(!wrap)}
      />
      <MoreActions acts={actions} isCleared={filter.clearedAt !== null} />
    </div>
  )
}

function metaOf({ found }: LogFinding): string | undefined {
  if (!found) return 'searching'
  const { count, isDone, current, problem } = found
  if (problem !== undefined) return 'stopped'
  if (count === 0) return isDone ? 'none' : 'searching'
  if (!isDone) return `${formatCount(count)} so far`
  return current ? `${formatCount(current.before + 1)} of ${formatCount(count)}` : undefined
}
