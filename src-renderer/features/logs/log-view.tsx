import './logs.css'

import type { JSX, ReactNode } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { Button } from '../../ui/controls/button'
import { BlankState } from '../../ui/layout/blank-state'
import { ProblemState } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'
import { SavingLine } from '../../ui/saving/saving-line'
import { ALL_LINES } from './log-filter'
import { LogLines } from './log-lines'
import { LogTools } from './log-tools'
import type { LogWindow } from './log-window'
import type { LogControls } from './use-log-controls'
import { type OpenLog, useOpenLog } from './use-open-log'

function NoLines({
  servers,
  controls,
}: {
  readonly servers: readonly ServerView[]
  readonly controls: LogControls
}): JSX.Element {
  const { isFiltered, filter, setFilter } = controls
  const [only] = servers
  if (filter.clearedAt !== null)
    return (
      <BlankState
        art="open"
        title="View cleared"
        message="New lines appear here. Earlier lines are hidden, not deleted."
        action={<Button onClick={() => setFilter({ clearedAt: null })}>Show cleared lines</Button>}
      />
    )
  return isFiltered ? (
    <BlankState
      art="open"
      title="No matching lines"
      message="Change or clear the filters."
      action={<Button onClick={() => setFilter(ALL_LINES)}>Show all lines</Button>}
    />
  ) : (
    <BlankState
      art="waiting"
      title="No lines yet"
      message={
        servers.length === 1 && only
          ? `Output of ${only.name} appears here.`
          : 'Output of these servers appears here.'
      }
    />
  )
}

function State({
  window: { extent, refresh },
  servers,
  controls,
}: {
  readonly window: LogWindow
  readonly servers: readonly ServerView[]
  readonly controls: LogControls
}): JSX.Element | null {
  if (extent.problem)
    return <ProblemState title="Can’t load the log" problem={extent.problem} onRetry={refresh} />
  if (extent.isReading) return <Skeleton label="Loading log" />
  return extent.end > extent.first ? null : <NoLines servers={servers} controls={controls} />
}

/** What goes on beside the lines: a search that was ended, an export on its way. */
function Notes({ log }: { readonly log: OpenLog }): JSX.Element | null {
  const { finding, saving, cancelSaving } = log
  const problem = finding.found?.problem ?? finding.problem?.message
  if (problem === undefined && !saving) return null
  return (
    <div className="pad-line fixed soft small ruled">
      {problem !== undefined && (
        <p className="tone is-error" role="status">
          {problem}
        </p>
      )}
      {saving && <SavingLine saving={saving} things="lines" onCancel={cancelSaving} />}
    </div>
  )
}

/** The log of a server, or those of several as one: live, searchable, filtered by level, source and time. */
export function LogView({
  servers,
  lead,
}: {
  readonly servers: readonly ServerView[]
  /** Stands first among the tools. */
  readonly lead?: ReactNode
}): JSX.Element {
  const log = useOpenLog(servers)
  const { controls, finding, window, place, acts } = log
  const names = servers.map(({ name }) => name)
  const label = names.length === 1 ? `Log of ${names[0] ?? ''}` : 'Logs of several servers'
  const [only] = servers
  return (
    <div className="log fill col anchor">
      <LogTools
        controls={controls}
        finding={finding}
        acts={acts}
        hasStart={servers.length === 1 && (only?.phases.length ?? 0) > 0}
        lead={lead}
      />
      <Notes log={log} />
      <div className="log-body fill col anchor">
        <State window={window} servers={servers} controls={controls} />
        <LogLines
          key={log.windowKey}
          label={label}
          window={window}
          place={place}
          spot={log.spot}
          wrap={controls.wrap}
          names={names.length > 1 ? names : null}
        />
      </div>
    </div>
  )
}
