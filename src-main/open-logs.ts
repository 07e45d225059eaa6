import { join } from 'node:path'

import type { LogEntry } from '../src-shared/domain/log-entry'
import type { Settings } from '../src-shared/domain/settings'
import { LogArchive } from './core/log/log-archive'
import { LogBatcher } from './core/log/log-batcher'
import type { ServerDirectory } from './core/session/server-directory'
import type { StateFeed } from './core/state-feed'

const DAY_MS = 86_400_000
const MEGABYTE = 1024 * 1024

/** Where every line goes that a log takes: to the screens, and to its server's file. */
export type Logs = {
  readonly archive: LogArchive
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
}): Logs {
  const { profileDir, settings, feed, servers } = parts
  const batcher = new LogBatcher((installationId, entries) =>
    feed.logAppended({ installationId, entries }),
  )
  const archive = new LogArchive({
    folder: join(profileDir, 'logs'),
    limits: () => ({
      maxBytes: settings().logFileMb * MEGABYTE,
      maxAgeMs: settings().logDays * DAY_MS,
    }),
    onTrouble: (installationId, message) =>
      servers().findLog(installationId)?.append('patchbay', 'warn', message),
    onSweepTrouble: (message) =>
      feed.addNotice({
        noticeId: 'log-files',
        severity: 'warn',
        title: 'Old log files stay',
        message,
      }),
  })
  void archive.sweep()
  const daily = setInterval(() => void archive.sweep(), DAY_MS)
  return {
    archive,
    append: (installationId, entry) => {
      batcher.add(installationId, entry)
      archive.append(installationId, entry)
    },
    close: async () => {
      clearInterval(daily)
      batcher[Symbol.dispose]()
      await archive.close()
    },
  }
}
