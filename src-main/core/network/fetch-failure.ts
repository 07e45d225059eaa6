/** Where the person mends it. */
const PLACE = 'Settings, Network'

const CERTIFICATE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; the clock of this computer may be wrong',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: `its certificate is signed by an authority that this computer does not know; a company’s own is added under ${PLACE}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `its certificate cannot be verified: its authority is not known here, or a part of the chain is missing; a company’s own is added under ${PLACE}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `its certificate comes from an authority that this computer does not know; a company’s own is added under ${PLACE}`,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  CERT_REVOKED: 'its certificate was revoked',
}

/**
 * What the system says of a connection that never came about. A refused one is among them: it may be a server that is
 * down, or a VPN, a router or a proxy that is; to ask again costs nobody anything, and no person could do better.
 */
const NEVER_REACHED: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name is not known (DNS)',
  EAI_AGAIN: 'its name could not be looked up; this computer may be offline',
  ENETUNREACH: 'there is no way to it; this computer may be offline',
  EHOSTUNREACH: 'there is no way to it',
  EHOSTDOWN: 'there is no way to it',
  ENETDOWN: 'this computer is offline',
  EADDRNOTAVAIL: 'this computer has no address to reach it from',
  ECONNREFUSED: 'nothing answers there',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  PROXY_UNREACHED: `the proxy does not answer; which one is used is set under ${PLACE}`,
}

const LOST: Readonly<Record<string, string>> = {
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'it stopped in the middle of its answer',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the connection was cut',
  UND_ERR_ABORTED: 'the proxy did not let it through',
  PROXY_UNUSABLE: `the proxy that HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, the settings of this computer or ${PLACE} name cannot be used`,
}

/** What a failed request came to, in words that go on after a colon. */
export type FetchFailure = {
  /** `tls`: the two have no way of speaking TLS in common. */
  readonly kind: 'certificate' | 'tls' | 'unreachable'
  readonly code: string
  readonly words: string
}

/** Whether the system's error means that nothing was reached, so that nothing was sent either. */
export function isNeverReached(code: unknown): boolean {
  return wordsIn(NEVER_REACHED, code) !== undefined
}

/** What the system says of one error, its causes left aside; undefined where that is nothing known. */
export function fetchFailure(error: unknown): FetchFailure | undefined {
  const code = codeOf(error)
  if (code === undefined) return undefined
  const untrusted = wordsIn(CERTIFICATE, code)
  if (untrusted !== undefined) return { kind: 'certificate', code, words: untrusted }
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO')
    return { kind: 'tls', code, words: 'it speaks no TLS that this computer takes' }
  // The status of the proxy stands nowhere else.
  const asksForPassword = code === 'UND_ERR_ABORTED' && /\b407\b/.test(saidBy(error))
  const words = asksForPassword
    ? `the proxy asks for a password, which is set under ${PLACE}`
    : (wordsIn(NEVER_REACHED, code) ?? wordsIn(LOST, code))
  return words === undefined ? undefined : { kind: 'unreachable', code, words }
}

/** Why a `fetch` rejected, in words that go on after a colon. */
export function reasonOf(error: unknown): string {
  const causes = causesOf(error)
  const known = causes.map(fetchFailure).find((one) => one !== undefined)
  if (known) return known.words
  const code = causes.map(codeOf).find((one) => one !== undefined)
  return `the request failed (${code ?? saidBy(causes[0])})`
}

/** An error with what it says it comes from, outermost last. */
export function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = []
  for (let one = error; one !== undefined && one !== null && causes.length < 8;) {
    causes.unshift(one)
    one = one instanceof Error ? one.cause : undefined
  }
  return causes
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

function saidBy(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function wordsIn(table: Readonly<Record<string, string>>, code: unknown): string | undefined {
  return typeof code === 'string' && Object.hasOwn(table, code) ? table[code] : undefined
}
