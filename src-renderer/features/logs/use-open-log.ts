import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'

import { MOST_LOG_ROWS } from '../../../src-shared/domain/running/log-limits'
import type { LogQuery, LogSearch } from '../../../src-shared/domain/running/log-query'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { call, toErrorShape } from '../../ipc/call'
import { tellFailure } from '../../ipc/tell-failure'
import { onLogChange } from '../../stores/log-events'
import { showToast } from '../../ui/overlays/toast'
import { copyText } from '../../ui/saving/copy-text'
import { fileName, saveBlob } from '../../ui/saving/save-text'
import { type Saving, useSaving } from '../../ui/saving/saving-line'
import { counted } from '../../ui/text/format'
import { exportLines, linesAsText, type LogFormat } from './log-export'
import type { LogActs } from './log-tools'
import { LogWindow, type ReadRows } from './log-window'
import { type LogControls, useLogControls } from './use-log-controls'
import { type LogFinding, useLogFind } from './use-log-find'
import { type LogPlace, useLogPlace } from './use-log-place'

/** Copies the newest lines of a query, 5,000 at most. */
async function copyLines(query: LogQuery, names: readonly string[]): Promise<void> {
  try {
    const { rows, first, end } = await call('log.rows', {
      query,
      from: -MOST_LOG_ROWS,
      count: MOST_LOG_ROWS,
    })
    const text = linesAsText(rows, names.length > 1 ? names : undefined)
    const isAll = end - first === rows.length
    const count = counted(rows.length, isAll ? 'line' : 'newest line')
    copyText(text, `${count} copied.`)
  } catch (thrown) {
    showToast({
      message: `Can’t copy the lines. ${toErrorShape(thrown).message} Export them instead.`,
      tone: 'error',
    })
  }
}

const ENDINGS: Readonly<Record<LogFormat, string>> = { text: 'log', jsonl: 'jsonl' }

/** Saves all lines of a query as a file; does nothing more once it is called off. */
async function saveLines(
  query: LogQuery,
  format: LogFormat,
  names: readonly string[],
  run: { signal: AbortSignal; onProgress: (done: number, of: number) => void },
): Promise<void> {
  try {
    const parts = await exportLines(query, format, names, run)
    if (run.signal.aborted) return
    const name = names.length === 1 ? (names[0] ?? 'log') : 'logs'
    saveBlob(fileName(name, Date.now(), ENDINGS[format]), new Blob(parts, { type: 'text/plain' }))
  } catch (thrown) {
    tellFailure(thrown)
  }
}

/** Shows the log file of a server among its files; where there is no such program, says where it is. */
async function showLogFile(installationId: string): Promise<void> {
  try {
    const { path, isShown } = await call('log.showFile', { installationId })
    if (isShown) return
    showToast({
      message: `Log file: ${path}`,
      action: { label: 'Copy path', onAct: () => copyText(path, 'Path copied.') },
    })
  } catch (thrown) {
    tellFailure(thrown)
  }
}

/** The line that one has gone to; `count` rises each time. */
export type LogSpot = { readonly row: number; readonly count: number }

/** A log as it is looked at. */
export type OpenLog = {
  readonly controls: LogControls
  readonly window: LogWindow
  /** Differs for each query. */
  readonly windowKey: string
  readonly place: LogPlace
  readonly finding: LogFinding
  readonly spot: LogSpot | null
  readonly acts: LogActs
  readonly saving: Saving | null
  readonly cancelSaving: () => void
}

/** Everything that the log of a server, or those of several, are looked at with. */
export function useOpenLog(servers: readonly ServerView[]): OpenLog {
  const ids = servers.map(({ installationId }) => installationId)
  const names = servers.map(({ name }) => name)
  const [only] = servers
  const controls = useLogControls(ids, only?.phases[0]?.startedAt)
  const { query, wanted, setFilter } = controls
  const window = useLogWindow(query, wanted)
  const { extent } = window
  const place = useLogPlace(extent.end)
  const finding = useLogFind(query, wanted, () => Math.max(extent.first, window.inView.to - 1))
  const { spot, goTo } = useSpot(controls, finding)
  const { saving, save, cancel } = useSaving()
  const [, navigate] = useLocation()
  const landmark = async (kind: 'mark' | 'error'): Promise<void> => {
    const from = spot && !place.isFollowing ? spot.row : extent.end
    const row = await call('log.landmark', { query, kind, from, step: 'previous' })
    if (row !== null) goTo(row)
    else showToast({ message: kind === 'error' ? 'No errors found.' : 'No start found.' })
  }
  const acts: LogActs = {
    isPaused: place.upTo !== null,
    togglePause: place.upTo === null ? place.pause : place.follow,
    goTo: (kind) => void landmark(kind).catch(tellFailure),
    copy: () => void copyLines(query, names),
    export: (format) => save((run) => saveLines(query, format, names, run)),
    clear: () => setFilter({ clearedAt: extent.place }),
    unclear: () => setFilter({ clearedAt: null }),
    showAll: ids.length === 1 ? () => navigate('/logs') : undefined,
    showFile: only && ids.length === 1 ? () => void showLogFile(only.installationId) : undefined,
  }
  return {
    ...{ controls, window, place, finding, spot, acts, saving },
    windowKey: JSON.stringify(query),
    cancelSaving: cancel,
  }
}

/** The line that a search or a jump has led to, until something else is asked for. */
function useSpot(
  { query, wanted }: LogControls,
  { found, shows }: LogFinding,
): { readonly spot: LogSpot | null; readonly goTo: (row: number) => void } {
  const [spot, setSpot] = useState<LogSpot | null>(null)
  const goTo = (row: number): void => setSpot((old) => ({ row, count: (old?.count ?? 0) + 1 }))
  useEffect(() => setSpot(null), [query, wanted])
  const row = found?.current?.row
  useEffect(() => {
    if (shows > 0 && row !== undefined) goTo(row)
    // Each time that the search shows a line; a line that moves meanwhile is none.
  }, [shows])
  return { spot, goTo }
}

function reader(query: LogQuery, search: LogSearch | undefined): ReadRows {
  return (from, count) => call('log.rows', { query, from, count, ...(search && { search }) })
}

/** The rows of a query, kept up with what comes; `query` and `search` stay the same objects as long as nothing changes in them. */
function useLogWindow(query: LogQuery, search: LogSearch | undefined): LogWindow {
  const window = useMemo(() => new LogWindow(reader(query, undefined)), [query])
  useEffect(() => window.readBy(reader(query, search)), [window, query, search])
  useEffect(() => {
    const ours = new Set(query.servers)
    window.begin()
    const stop = onLogChange((grown) => {
      if (!grown || grown.some((one) => ours.has(one))) window.refresh()
    })
    return () => {
      stop()
      window.end()
    }
  }, [window, query])
  useSyncExternalStore(window.subscribe, () => window.version)
  return window
}
