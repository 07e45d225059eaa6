import type { AppErrorCode } from '../../../src-shared/domain/app-error'
import type { FailureText } from '../failure/describe-failure'

/** Known causes in the server or its package, independent of computer and values. */
const OWN_CAUSES: ReadonlySet<string> = new Set([
  ...['node-file-missing', 'node-module-missing', 'program-crashed'],
  ...['npm-integrity', 'npm-nothing-to-run', 'npm-package-gone', 'npm-version-gone'],
  ...['npx-program-missing', 'image-architecture', 'image-missing', 'uvx-nothing-to-run'],
  ...['pypi-package-gone', 'pypi-version-gone', 'python-dependency-changed'],
  ...['python-module-missing', 'uvx-program-missing', 'uvx-program-named-otherwise'],
])
/** Failures that are the server's own if no cause is known. */
const OWN_CODES: ReadonlySet<AppErrorCode> = new Set<AppErrorCode>([
  ...(['SERVER_EXITED', 'SERVER_KILLED', 'HANDSHAKE_FAILED'] as const),
  ...(['DISCOVERY_FAILED', 'PHASE_TIMEOUT', 'REMOTE_FAILED'] as const),
])

/** Words of an error about the network, a service, a key, or a missing program. */
const OUTSIDE = new RegExp(
  [
    String.raw`\b(?:ENOTFOUND|EAI_AGAIN|E(?:CONN(?:REFUSED|RESET|ABORTED)|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOENT))\b`,
    String.raw`\b(?:fetch failed|failed to fetch|getaddrinfo|name resolution|name or service not known|max retries)\b`,
    String.raw`\bconnect(?:ion|ing)? (?:error|refused|failed|timed? ?out|attempts? failed|to\b)`,
    String.raw`\b(?:can.?t|cannot|could not|couldn.?t|failed to|unable to) (?:connect|reach|resolve|authenticate)\b`,
    String.raw`\b(?:unauthori[sz]ed|unauthenticated|forbidden|not authenticated|access denied|permission denied)\b`,
    String.raw`\b(?:api[ _-]?key|access[ _-]?token|credentials?|log ?in|sign ?in)\b`,
    String.raw`\b(?:status(?: code)?:?|HTTP) ?(?:401|403|407|5\d\d)\b`,
    String.raw`\b(?:not installed|no such file|executable)\b|\binstall \w`,
    String.raw`\bnetwork\b`,
  ].join('|'),
  'iu',
)

/** Whether an error says that something outside the server is missing, so nothing follows about the server. */
export function isOutsideError(text: string): boolean {
  return OUTSIDE.test(text)
}

/** Whether a start failed because of this computer or the values. */
export function isOutsideFailure({ code, cause, message, stderrTail }: FailureText): boolean {
  if (cause) return !OWN_CAUSES.has(cause.causeId)
  return !OWN_CODES.has(code) || isOutsideError([message, ...stderrTail].join('\n'))
}
