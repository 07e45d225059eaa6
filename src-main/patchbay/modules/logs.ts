import { join } from 'node:path'

import { background } from '../../core/lifecycle/background'
import { LogArchive } from '../../core/log/log-archive'
import { LogEvents } from '../../core/log/log-buffer'
import { LogReader } from '../../core/log/log-reader'
import { openSearchThread } from '../../core/log/log-search'
import { LogMemory } from '../../core/log/log-store'
import { ServerLogs } from '../../core/servers/server-logs'
import type { HandlersOf } from '../../ipc/answer'
import type { AppContext, Shell, Threads } from './context'

const DAY_MS = 86_400_000
const MEGABYTE = 1024 * 1024

export type LogsModule = {
  readonly logs: ServerLogs
  readonly archive: LogArchive
  readonly handlers: HandlersOf<'log'>
  /** Sends and writes pending lines; settles within about 2 s. */
  close(): Promise<void>
}

/** Opens the servers' logs and their files below the profile folder, and deletes old files now and daily. */
export function openLogs(
  { profileDir, settings, changes, notices }: AppContext,
  { createSearchWorker }: Threads,
  { showFile }: Shell,
): LogsModule {
  const events = new LogEvents((grown) => changes.event('log.grew', { servers: grown }))
  const memory = new LogMemory()
  const thread = openSearchThread(createSearchWorker)
  const archive = new LogArchive({
    folder: join(profileDir, 'logs'),
    limits: () => ({
      maxBytes: settings().logFileMb * MEGABYTE,
      maxAgeMs: settings().logDays * DAY_MS,
    }),
    onProblem: (installationId, message) => logs.warn(installationId, message),
    onSweepProblem: (message) =>
      notices.warn('log-files', 'Old log files can’t be deleted', message),
  })
  const logs = new ServerLogs((installationId, entry) => {
    events.add(installationId)
    archive.append(installationId, entry)
  }, memory)
  const lines = new LogReader({
    storeOf: (installationId) => logs.read(installationId).store,
    lastPlace: () => memory.lastPlace,
    thread,
  })
  const sweep = (): void => background(archive.sweep(), 'deleting old log files')
  sweep()
  const daily = setInterval(sweep, DAY_MS).unref()
  return {
    ...{ logs, archive },
    handlers: {
      'log.rows': ({ query, from, count, search }) => lines.rows(query, from, count, search),
      'log.find': ({ query, search, from, step }) => lines.find(query, search, from, step),
      'log.landmark': ({ query, kind, from, step }) => lines.landmark(query, kind, from, step),
      'log.showFile': ({ installationId }) => {
        logs.read(installationId)
        const path = archive.pathOf(installationId)
        showFile?.(path)
        return { path, isShown: showFile !== undefined }
      },
      'log.usage': () => archive.usage(),
      'log.clearFiles': () => archive.clear(),
    },
    close: async () => {
      clearInterval(daily)
      events[Symbol.dispose]()
      await Promise.all([archive.close(), thread[Symbol.asyncDispose]()])
    },
  }
}
