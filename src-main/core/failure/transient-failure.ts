import type { AppErrorCode } from '../../../src-shared/domain/app-error'

/** Failures after which a start may succeed later without a change by the user. */
const TRANSIENT: ReadonlySet<AppErrorCode> = new Set([
  'INTERNAL',
  'INSTALL_FAILED',
  'SPAWN_FAILED',
  'SERVER_EXITED',
  'SERVER_KILLED',
  'PHASE_TIMEOUT',
  'HANDSHAKE_FAILED',
  'DISCOVERY_FAILED',
  'REQUEST_TIMEOUT',
  'SERVER_NOT_READING',
  'REMOTE_UNREACHABLE',
  'REMOTE_FAILED',
  'REGISTRY_UNREACHABLE',
  'REGISTRY_BAD_ANSWER',
  'DISCONNECTED',
  'RUNNER_NOT_RUNNING',
  'CALLS_RUNNING',
])

/** False for failures that only a user can fix; they aren't retried (A8). */
export function isTransient(code: AppErrorCode): boolean {
  return TRANSIENT.has(code)
}
