import type { InstanceView } from '../../../../src-shared/domain/running/instances'
import type { Sharing } from '../../../../src-shared/domain/sharing'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { visibleText } from '../../../ui/text/visible-text'

const REMOTE = ['streamable-http', 'sse']

const WHOSE: Readonly<Record<Exclude<Sharing, 'shared'>, string>> = {
  perApp: 'Each app gets its own',
  perSession: 'Each session of an app, such as a window, gets its own',
}

/** What the choice of a server means, as sentences. */
export function sharingSentence({
  sharing,
  registryType,
}: Pick<ServerView, 'sharing' | 'registryType'>): string {
  const what = REMOTE.includes(registryType) ? 'session with the server' : 'process'
  if (sharing === 'shared') return `All apps use one ${what} and see its state.`
  return `${WHOSE[sharing]} ${what}, with the app’s open folders, at its first call. It ends after 10 minutes without a call, and at most 8 run.`
}

/** Whose a process is: "Cursor #2", as in the log. */
export function instanceName({ agent, instanceId }: InstanceView): string {
  return `${visibleText(agent)} #${String(instanceId)}`
}

/** What is to be known of a process: its status where it does not work yet, whether one session uses it, and its pid. */
export function instanceWords({ isOfSession, pid, status }: InstanceView): string {
  return [
    isOfSession ? 'one session' : 'all sessions',
    ...(pid === undefined ? [] : [`pid ${String(pid)}`]),
    ...(STATUS[status] === undefined ? [] : [STATUS[status]]),
  ].join(', ')
}

const STATUS: Partial<Record<InstanceView['status'], string>> = {
  starting: 'starting',
  stopping: 'stopping',
  backingOff: 'retrying',
  error: 'failed',
  paused: 'failed',
  signInNeeded: 'sign-in needed',
}
