import {
  Copy,
  Download,
  Ellipsis,
  Eraser,
  FileText,
  Flag,
  Pause,
  Play,
  ScrollText,
  TextWrap,
  TriangleAlert,
  Undo2,
} from 'lucide-react'
import type { JSX, ReactNode } from 'react'

import { IconButton } from '../../ui/controls/icon-button'
import { Menu, MenuAction, MenuLine } from '../../ui/controls/menu'
import type { LogFormat } from './log-export'
import { LogFilters } from './log-filters'
import { LogSearchField } from './log-search-field'
import type { LogControls } from './use-log-controls'
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
    <Menu label="Log actions" trigger={<IconButton small icon={Ellipsis} label="Log actions" />}>
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
      <MenuAction icon={Download} onSelect={() => acts.export('text')}>
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
