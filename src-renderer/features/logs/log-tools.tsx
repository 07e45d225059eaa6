import {
  CaseSensitive,
  ChevronDown,
  ChevronUp,
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
import type { JSX, ReactNode } from 'react'

import { IconButton } from '../../ui/controls/icon-button'
import { Menu, MenuAction, MenuLine } from '../../ui/controls/menu'
import { SearchField } from '../../ui/controls/search-field'
import { formatCount } from '../../ui/text/format'
import type { LogFormat } from './log-export'
import type { LogControls } from './log-filter'
import { LogFilters } from './log-filters'
import type { LogFinding } from './use-log-find'

/** What can be done with the lines that the filters let through. */
export type LogActs = {
  readonly isPaused: boolean
  readonly togglePause: () => void
  /** Goes to the start or end, or to the error, before what is in view; the newest from the end. */
  readonly goTo: (kind: 'mark' | 'error') => void
  readonly copy: () => void
  readonly export: (format: LogFormat) => void
  /** Empties the view, or shows what was cleared again. */
  readonly clear: () => void
  readonly unclear: () => void
  /** Missing where those of several are shown already. */
  readonly showAll?: (() => void) | undefined
  /** Missing where there is more than one file. */
  readonly showFile?: (() => void) | undefined
}

function MoreActs({
  acts,
  isCleared,
}: {
  readonly acts: LogActs
  readonly isCleared: boolean
}): JSX.Element {
  return (
    <Menu
      label="Log actions"
      trigger={<IconButton small icon={Ellipsis} label="Log actions" data-testid="log-actions" />}
    >
      <MenuAction icon={Flag} onSelect={() => acts.goTo('mark')}>
        Go to last start or stop
      </MenuAction>
      <MenuAction icon={TriangleAlert} onSelect={() => acts.goTo('error')}>
        Go to last error
      </MenuAction>
      <MenuLine />
      <MenuAction icon={Copy} onSelect={acts.copy}>
        Copy lines
      </MenuAction>
      <MenuAction icon={Download} testId="export-text" onSelect={() => acts.export('text')}>
        Export as text
      </MenuAction>
      <MenuAction icon={Download} onSelect={() => acts.export('jsonl')}>
        Export as JSON Lines
      </MenuAction>
      {acts.showAll && (
        <MenuAction icon={ScrollText} onSelect={acts.showAll}>
          Show logs of all servers
        </MenuAction>
      )}
      {acts.showFile && (
        <MenuAction icon={FileText} onSelect={acts.showFile}>
          Show log file
        </MenuAction>
      )}
      <MenuLine />
      {isCleared ? (
        <MenuAction icon={Undo2} onSelect={acts.unclear}>
          Show cleared lines
        </MenuAction>
      ) : (
        <MenuAction icon={Eraser} onSelect={acts.clear} hint="Lines are hidden, not deleted">
          Clear view
        </MenuAction>
      )}
    </Menu>
  )
}

/** Search, filters and what can be done with the lines in view. */
export function LogTools({
  controls,
  finding,
  acts,
  hasStart,
  lead,
}: {
  readonly controls: LogControls
  readonly finding: LogFinding
  readonly acts: LogActs
  readonly hasStart: boolean
  /** Stands first: which servers. */
  readonly lead?: ReactNode
}): JSX.Element {
  const { filter, setFilter, wrap, setWrap } = controls
  return (
    <div className="log-tools list-bar row gap-1 fixed ruled" role="toolbar" aria-label="Log">
      {lead}
      <LogSearchField controls={controls} finding={finding} />
      <LogFilters filter={filter} onChange={setFilter} hasStart={hasStart} />
      <span className="grow" />
      <IconButton
        small
        icon={acts.isPaused ? Play : Pause}
        label={acts.isPaused ? 'Resume' : 'Pause'}
        onClick={acts.togglePause}
      />
      <IconButton
        small
        icon={TextWrap}
        label="Wrap lines"
        aria-pressed={wrap}
        onClick={() => setWrap(!wrap)}
      />
      <MoreActs acts={acts} isCleared={filter.clearedAt !== null} />
    </div>
  )
}

/** How many lines were found, and which of them is shown. */
function metaOf({ found }: LogFinding): string | undefined {
  if (!found) return 'searching'
  const { count, isDone, current, problem } = found
  if (problem !== undefined) return 'stopped'
  if (count === 0) return isDone ? 'none' : 'searching'
  if (!isDone) return `${formatCount(count)} so far`
  return current ? `${formatCount(current.before + 1)} of ${formatCount(count)}` : undefined
}

/** Searches the lines, and steps through those that are found. */
function LogSearchField({
  controls: { search, setSearch },
  finding,
}: {
  readonly controls: LogControls
  readonly finding: LogFinding
}): JSX.Element {
  const hasNone = (finding.found?.count ?? 0) === 0
  return (
    <>
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
      <IconButton
        small
        icon={ChevronUp}
        label="Previous match"
        className="hide-narrow"
        disabled={hasNone}
        onClick={() => finding.step('previous')}
      />
      <IconButton
        small
        icon={ChevronDown}
        label="Next match"
        className="hide-narrow"
        disabled={hasNone}
        onClick={() => finding.step('next')}
      />
    </>
  )
}
