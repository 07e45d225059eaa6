import type { JSX } from 'react'
import { useDeferredValue, useEffect } from 'react'

import type { ServerView } from '../../../src-shared/domain/app-state'
import type { LogEntry } from '../../../src-shared/domain/log-entry'
import { toErrorShape } from '../../ipc/call'
import type { ServerLog } from '../../stores/log-store'
import { logStore, useLog } from '../../stores/log-store'
import { BlankState } from '../../ui/blank-state'
import { Button } from '../../ui/button'
import { Skeleton } from '../../ui/skeleton'
import { showToast } from '../../ui/toast'
import { downloadText, linesAsText, logFileName } from './log-export'
import { LogLines } from './log-lines'
import { LogTools } from './log-tools'
import type { LogControls } from './use-log-controls'
import { ALL_LINES, useLogControls } from './use-log-controls'

const NO_LINES: readonly LogEntry[] = []

async function copyLines(lines: readonly LogEntry[]): Promise<void> {
  try {
    await navigator.clipboard.writeText(linesAsText(lines))
    showToast({ message: `${lines.length} lines were copied.` })
  } catch (thrown) {
    showToast({
      message: `The lines could not be copied: ${toErrorShape(thrown).message} Export them instead.`,
      tone: 'error',
    })
  }
}

async function clearLog(installationId: string): Promise<void> {
  try {
    await logStore.getState().clear(installationId)
  } catch (thrown) {
    showToast({ message: toErrorShape(thrown).message, tone: 'error' })
  }
}

function NoLines({
  server,
  isFiltered,
  onShowAll,
}: {
  readonly server: ServerView
  readonly isFiltered: boolean
  readonly onShowAll: () => void
}): JSX.Element {
  return isFiltered ? (
    <BlankState
      art="open"
      title="No line fits"
      message="The filters hide every line."
      action={<Button onClick={onShowAll}>Show all lines</Button>}
    />
  ) : (
    <BlankState
      art="waiting"
      title="No lines yet"
      message={`What ${server.name} writes to stderr appears here at once.`}
    />
  )
}

function Lines({
  server,
  log,
  controls,
}: {
  readonly server: ServerView
  readonly log: ServerLog | undefined
  readonly controls: LogControls
}): JSX.Element {
  const { lines, query, matches, current, wrap, isWhole } = controls
  const isReading = !log || log.reading
  return (
    <>
      {lines.length === 0 && isReading && <Skeleton label="Reading the log" />}
      {lines.length === 0 && !isReading && (
        <NoLines
          server={server}
          isFiltered={log.entries.length > 0}
          onShowAll={() => controls.setFilter(ALL_LINES)}
        />
      )}
      <LogLines
        name={server.name}
        lines={lines}
        query={query}
        current={query === '' ? undefined : matches[current]}
        wrap={wrap}
        isWhole={isWhole}
      />
    </>
  )
}

/** The log of a server: live, searchable, filtered by level and source. */
export function LogView({ server }: { readonly server: ServerView }): JSX.Element {
  const { installationId, name } = server
  const log = useLog(installationId)
  const controls = useLogControls(useDeferredValue(log?.entries ?? NO_LINES))
  const { lines } = controls
  useEffect(() => logStore.getState().open(installationId), [installationId])
  return (
    <div className="log">
      <LogTools
        controls={controls}
        onCopy={() => void copyLines(lines)}
        onExport={() => downloadText(logFileName(name, Date.now()), linesAsText(lines))}
        onClear={() => void clearLog(installationId)}
      />
      {log?.problem ? (
        <BlankState
          art="cut"
          title="The log could not be read"
          message={log.problem.message}
          action={
            <Button onClick={() => logStore.getState().open(installationId)}>Read again</Button>
          }
        />
      ) : (
        <Lines server={server} log={log} controls={controls} />
      )}
    </div>
  )
}
