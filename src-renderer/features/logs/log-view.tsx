import type { JSX } from 'react'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'

import type { ServerView } from '../../../src-shared/domain/app-state'
import type { LogEntry } from '../../../src-shared/domain/log-entry'
import { toErrorShape } from '../../ipc/call'
import { logStore, useLog } from '../../stores/log-store'
import { BlankState } from '../../ui/blank-state'
import { Button } from '../../ui/button'
import { Skeleton } from '../../ui/skeleton'
import { showToast } from '../../ui/toast'
import { downloadText, linesAsText, logFileName } from './log-export'
import { LogLines } from './log-lines'
import type { LogFilter } from './log-search'
import { filterLines, findMatches } from './log-search'
import { LogTools } from './log-tools'

const NO_LINES: readonly LogEntry[] = []
const ALL: LogFilter = { level: 'all', source: 'all' }

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

/** The log of a server: live, searchable, filtered by level and source. */
export function LogView({ server }: { readonly server: ServerView }): JSX.Element {
  const { installationId, name } = server
  const log = useLog(installationId)
  const [query, setQuery] = useState('')
  const [current, setCurrent] = useState(0)
  const [filter, setFilter] = useState(ALL)
  const [wrap, setWrap] = useState(true)
  const entries = useDeferredValue(log?.entries ?? NO_LINES)
  const lines = useMemo(() => filterLines(entries, filter), [entries, filter])
  const matches = useMemo(() => findMatches(lines, query), [lines, query])
  useEffect(() => logStore.getState().open(installationId), [installationId])

  const at = matches.length === 0 ? 0 : Math.min(current, matches.length - 1)
  const step = (by: 1 | -1): void => setCurrent((at + by + matches.length) % (matches.length || 1))
  const search = (words: string): void => {
    setQuery(words)
    setCurrent(0)
  }
  return (
    <div className="log">
      <LogTools
        query={query}
        onQuery={search}
        matchCount={matches.length}
        current={at}
        onStep={step}
        filter={filter}
        onFilter={setFilter}
        wrap={wrap}
        onWrap={setWrap}
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
        <>
          {lines.length === 0 &&
            (log && !log.reading ? (
              <NoLines
                server={server}
                isFiltered={entries.length > 0}
                onShowAll={() => setFilter(ALL)}
              />
            ) : (
              <Skeleton label="Reading the log" />
            ))}
          <LogLines
            name={name}
            lines={lines}
            query={query}
            current={query === '' ? undefined : matches[at]}
            wrap={wrap}
          />
        </>
      )}
    </div>
  )
}
