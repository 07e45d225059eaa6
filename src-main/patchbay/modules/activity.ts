import { join } from 'node:path'

import type { ActivityState } from '../../../src-shared/domain/agents/activity'
import { type AuditLoss, emptyDay } from '../../core/gateway/audit/audit-call'
import { CallAudit } from '../../core/gateway/audit/call-audit'
import type { ServerLogs } from '../../core/servers/server-logs'
import type { HandlersOf } from '../../ipc/answer'
import type { AppContext, Threads } from './context'

/** The recorded calls of agents. */
export type ActivityModule = Pick<CallAudit, 'record' | 'close'> & {
  readonly snapshot: () => ActivityState
  readonly handlers: Omit<HandlersOf<'activity'>, 'activity.running' | 'activity.cancel'>
}

const LOST: Readonly<Record<AuditLoss, string>> = {
  corrupt: 'The file was damaged and was moved. New calls are recorded in a new file.',
  newer:
    'The file is from a later version of Patchbay and was moved. New calls are recorded in a new file.',
}

/** Opens the call log below the profile folder; reads and writes nothing before the first call. */
export function openActivity(
  { profileDir, settings, notices, changes, time }: AppContext,
  logs: ServerLogs,
  createWorker: Threads['createAuditWorker'],
): ActivityModule {
  if (!createWorker) return NO_ACTIVITY
  const audit = new CallAudit({
    folder: join(profileDir, 'activity'),
    createWorker,
    // The text of an unknown server may contain any server's secrets.
    mask: (text, installationId) => logs.mask(text, installationId),
    days: () => settings().activityDays,
    onLost: (loss) => notices.warn('activity-lost', 'Activity was reset', LOST[loss]),
    onProblem: (message) => notices.warn('activity', 'Activity isn’t saved to disk', message),
    time,
  })
  audit.onDidChange(() => changes.topic('activity'))
  return {
    record: (call) => audit.record(call),
    snapshot: () => audit.state,
    handlers: {
      'activity.query': (query) => audit.query(query),
      'activity.counts': () => audit.counts(),
      'activity.export': (filter) => audit.export(filter),
      'activity.clear': () => audit.clear(),
    },
    close: () => audit.close(),
  }
}

const NO_ACTIVITY: ActivityModule = {
  record: () => undefined,
  snapshot: () => ({ newest: 0, kept: 0 }),
  handlers: {
    'activity.query': () => ({ calls: [], total: 0, newest: 0 }),
    'activity.counts': () => emptyDay(Date.now()),
    'activity.export': () => ({ text: '', count: 0 }),
    'activity.clear': () => undefined,
  },
  close: () => Promise.resolve(),
}
