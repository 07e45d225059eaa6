import { join } from 'node:path'
import type { Worker, WorkerOptions } from 'node:worker_threads'

import type { Settings } from '../../../src-shared/domain/state/settings'
import { type AuditLoss, emptyDay } from '../../core/gateway/audit/audit-call'
import { CallAudit } from '../../core/gateway/audit/call-audit'
import { systemTime } from '../../core/lifecycle/system-time'
import type { ServerDirectory } from '../../core/servers/server-directory'
import type { StateFeed } from '../../core/state/state-feed'

/** The calls of agents as far as they are kept; to be closed by its owner. */
export type OpenActivity = Pick<
  CallAudit,
  'state' | 'record' | 'query' | 'counts' | 'export' | 'clear' | 'close'
>

const LOST: Readonly<Record<AuditLoss, string>> = {
  corrupt: 'The file was damaged and was moved. New calls are recorded in a new file.',
  newer:
    'The file is from a later version of Patchbay and was moved. New calls are recorded in a new file.',
}

/** Opens what is kept of calls below the profile folder; nothing is read or written before the first. */
export function openActivity(parts: {
  readonly profileDir: string
  readonly settings: () => Pick<Settings, 'activityDays'>
  readonly servers: Pick<ServerDirectory, 'find' | 'all'>
  readonly feed: Pick<StateFeed, 'addNotice' | 'dismissNotice' | 'activityChanged'>
  /** Starts the thread that keeps calls; where it is missing none are kept. */
  readonly createAuditWorker?: ((options: WorkerOptions) => Worker) | undefined
}): OpenActivity {
  const { createAuditWorker: createWorker, feed, servers, settings } = parts
  if (!createWorker) return NO_ACTIVITY
  const audit = new CallAudit({
    folder: join(parts.profileDir, 'activity'),
    createWorker,
    mask: (text, installationId) => {
      const own = installationId === undefined ? undefined : servers.find(installationId)?.log
      // The text of an unknown server may hold the secrets of any.
      return own
        ? own.redactor(text)
        : servers.all().reduce((masked, { log }) => log.redactor(masked), text)
    },
    days: () => settings().activityDays,
    onTrouble: (message) => {
      if (message === undefined) feed.dismissNotice('activity')
      else
        feed.addNotice({
          ...{ noticeId: 'activity', severity: 'warn', message },
          title: 'Activity isn’t saved to disk',
        })
    },
    onLost: (loss) =>
      feed.addNotice({
        ...{ noticeId: 'activity-lost', severity: 'warn', message: LOST[loss] },
        title: 'Activity was reset',
      }),
    time: systemTime,
  })
  audit.onDidChange(() => feed.activityChanged())
  return audit
}

const NO_ACTIVITY: OpenActivity = {
  state: { newest: 0, kept: 0 },
  record: () => undefined,
  query: () => Promise.resolve({ calls: [], total: 0, newest: 0 }),
  counts: () => Promise.resolve(emptyDay(Date.now())),
  export: () => Promise.resolve({ text: '', count: 0 }),
  clear: () => Promise.resolve(),
  close: () => Promise.resolve(),
}
