import { errorMessage } from '../../../src-shared/domain/error-message'

/** The page where the user can fix it. */
const PLACE = 'Settings > Network'

const CERTIFICATE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not yet valid; check this computer’s clock',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: `the certificate’s authority is unknown; add your company’s root certificate under ${PLACE}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `the certificate can’t be verified; add your company’s root certificate under ${PLACE}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `the certificate’s authority is unknown; add your company’s root certificate under ${PLACE}`,
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
  CERT_REVOKED: 'the certificate was revoked',
}

/**
 * System errors of a connection that was never established, including a refused one: server, VPN, router or proxy may be down. A retry is
 * harmless, and the user can't do better.
 */
const NEVER_REACHED: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name is unknown (DNS)',
  EAI_AGAIN: 'the name couldn’t be resolved; this computer may be offline',
  ENETUNREACH: 'the network is unreachable; this computer may be offline',
  EHOSTUNREACH: 'the host is unreachable',
  EHOSTDOWN: 'the host is unreachable',
  ENETDOWN: 'this computer is offline',
  EADDRNOTAVAIL: 'this computer has no suitable network address',
  ECONNREFUSED: 'the connection was refused',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  PROXY_UNREACHED: `the proxy doesn’t respond; check it under ${PLACE}`,
}

const LOST: Readonly<Record<string, string>> = {
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  UND_ERR_HEADERS_TIMEOUT: 'the connection timed out',
  UND_ERR_BODY_TIMEOUT: 'the response stopped partway',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the connection was closed',
  UND_ERR_ABORTED: 'the proxy blocked the request',
  PROXY_UNUSABLE: `the proxy address in the environment, the system settings, or ${PLACE} is invalid`,
}

const MIDWAY: readonly unknown[] = [
  ...['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'],
  ...['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'],
]

/** A failed request in words that continue after a colon. */
export type FetchFailure = {
  /** `tls`: no common TLS version or cipher. */
  readonly kind: 'certificate' | 'tls' | 'unreachable'
  readonly code: string
  readonly reason: string
}

/** Whether the system's error means that nothing was reached, so nothing was sent. */
export function isNeverReached(error: unknown): boolean {
  return reasonIn(NEVER_REACHED, codeOf(error)) !== undefined && !wasConnected(error)
}

/** Whether a connection ended after the request may have been sent, so the server may be processing it. */
export function isLostMidway(error: unknown): boolean {
  return causesOf(error).some((one) => MIDWAY.includes(codeOf(one)) || wasConnected(one))
}

/** Describes one system error, without its causes; undefined if unknown. */
export function fetchFailure(error: unknown): FetchFailure | undefined {
  const code = codeOf(error)
  if (code === undefined) return undefined
  const untrusted = reasonIn(CERTIFICATE, code)
  if (untrusted !== undefined) return { kind: 'certificate', code, reason: untrusted }
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO')
    return { kind: 'tls', code, reason: 'no common TLS version' }
  // The proxy's status is available nowhere else.
  const asksForPassword = code === 'UND_ERR_ABORTED' && /\b407\b/.test(errorMessage(error))
  const reason = asksForPassword
    ? `the proxy requires a password; enter it under ${PLACE}`
    : (reasonIn(NEVER_REACHED, code) ?? reasonIn(LOST, code))
  return reason === undefined ? undefined : { kind: 'unreachable', code, reason }
}

/** Why a `fetch` rejected, in words that continue after a colon. */
export function reasonOf(error: unknown): string {
  const causes = causesOf(error)
  const known = causes.map(fetchFailure).find((one) => one !== undefined)
  if (known) return known.reason
  const code = causes.map(codeOf).find((one) => one !== undefined)
  return `the request failed (${code ?? errorMessage(causes[0])})`
}

/** An error and its causes, innermost first. */
export function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = []
  for (let one = error; one !== undefined && one !== null && causes.length < 8;) {
    causes.unshift(one)
    one = one instanceof Error ? one.cause : undefined
  }
  return causes
}

/** The connection existed: after a sleep the system reports the lost peer with the codes of one never established. */
function wasConnected(error: unknown): boolean {
  const { syscall } = (error ?? {}) as { readonly syscall?: unknown }
  return syscall === 'read' || syscall === 'write'
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

function reasonIn(table: Readonly<Record<string, string>>, code: unknown): string | undefined {
  return typeof code === 'string' && Object.hasOwn(table, code) ? table[code] : undefined
}
