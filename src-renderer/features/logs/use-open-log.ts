import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { call } from '../../ipc/call'
import { tellFailure } from '../../ipc/tell-failure'
import { showToast } from '../../ui/overlays/toast'
import { type Saving, useSaving } from '../../ui/saving/use-saving'
import { copyLines, saveLines, showLogFile } from './log-acts'
import type { LogActs } from './log-tools'
import type { LogWindow } from './log-window'
import { type LogControls, useLogControls } from './use-log-controls'
import { type LogFinding, useLogFind } from './use-log-find'
import { type LogPlace, useLogPlace } from './use-log-place'
import { useLogWindow } from './use-log-window'

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
