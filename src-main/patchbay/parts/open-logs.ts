import { join } from 'node:path'
import type { Worker, WorkerOptions } from 'node:worker_threads'

import type { LogEntry } from '../../../src-shared/domain/running/log-entry'
import type { Settings } from '../../../src-shared/domain/state/settings'
import { LogArchive } from '../../core/log/log-archive'
import { LogEvents } from '../../core/log/log-events'
import { LogReader } from '../../core/log/log-reader'
import { openSearchThread } from '../../core/log/search/open-search-thread'
import { LogMemory } from '../../core/log/store/log-memory'
import type { ServerDirectory } from '../../core/servers/server-directory'
import type { StateFeed } from '../../core/state/state-feed'

const DAY_MS = 86_400_000
const MEGABYTE = 1024 * 1024

/** The lines of all logs: what reads them, and where each goes beside the memory. */
export type Logs = {
  readonly archive: LogArchive
  /** What all logs share. */
  readonly memory: LogMemory
  /** Reads them for pages. */
  readonly lines: LogReader
  readonly append: (installationId: string, entry: LogEntry) => void
  /** Sends and writes what waits; settles within about 2 s. */
  close(): Promise<void>
}

/** Opens the log files below the profile folder, and deletes there what is too old, now and each day. */
export function openLogs(parts: {
  readonly profileDir: string
  readonly settings: () => Settings
  readonly feed: StateFeed
  readonly servers: () => ServerDirectory
  readonly createSearchWorker?: ((options: WorkerOptions) => Worker) | undefined
}): Logs {
  const { profileDir, settings, feed, servers, createSearchWorker } = parts
  const news = new LogEvents((grown) => feed.logsGrew({ servers: grown }))
  const memory = new LogMemory()
  const thread = openSearchThread(createSearchWorker)
  const lines = new LogReader({
    storeOf: (installationId) => servers().read(installationId).log.store,
    lastPlace: () => memory.lastPlace,
    thread,
  })
  const archive = new LogArchive({
    folder: join(profileDir, 'logs'),
    limits: () => ({
      maxBytes: settings().logFileMb * MEGABYTE,
      maxAgeMs: settings().logDays * DAY_MS,
    }),
    onTrouble: (installationId, message) =>
      servers().find(installationId)?.log.append('patchbay', 'warn', message),
    onSweepTrouble: (message) =>
      feed.addNotice({
        noticeId: 'log-files',
        severity: 'warn',
        title: 'Old log files can’t be deleted',
        message,
      }),
  })
  void archive.sweep()
  const daily = setInterval(() => void archive.sweep(), DAY_MS).unref()
  return {
    archive,
    memory,
    lines,
    append: (installationId, entry) => {
      news.add(installationId)
      archive.append(installationId, entry)
    },
    close: async () => {
      clearInterval(daily)
      news[Symbol.dispose]()
      await Promise.all([archive.close(), thread[Symbol.asyncDispose]()])
    },
  }
}
