import type { FetchLike, IssuerMismatchError } from '@modelcontextprotocol/client'

import { AppError } from '../../../src-shared/domain/app-error'
import { jsonIn } from '../../../src-shared/domain/attempt'
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json-object'
import { cutProse } from '../failure/describe-failure'

/** The version that the SDK names in sign-in requests. */
const PROTOCOL_VERSION = '2025-11-25'
const MAX_REDIRECTS = 5
const MAX_LINE_LENGTH = 300

/** The parsed metadata, or why a document has none. */
export type Reading<T> =
  | { readonly metadata: T }
  | { readonly problem: string; readonly mismatch?: IssuerMismatchError }

/** An address without metadata, and its response. */
export type Attempt = {
  readonly address: URL
  readonly problem: string
  /** Absent if nothing answered. */
  readonly status?: number
  /** Set if the metadata belongs to another issuer. */
  readonly mismatch?: IssuerMismatchError | undefined
}

/** No address has usable metadata; the hint lists each address on its own line. */
export class MetadataMissingError extends AppError {
  constructor({ host }: URL, attempts: readonly Attempt[]) {
    const lines = attempts.map(({ address, problem }) =>
      cutProse(`${address.href}: ${problem}.`, MAX_LINE_LENGTH),
    )
    super('SIGN_IN_FAILED', `Can’t find sign-in information for ${host}.`, {
      hint: [
        'If the server uses a token or key, set it under Configure. Addresses tried:',
        ...lines,
      ].join('\n'),
    })
  }
}

/**
 * Tries each address until one has metadata; any other response counts as "not here". Rejects if none has metadata and one couldn't be
 * reached, because that one might have it.
 */
export async function findMetadata<T>(
  addresses: readonly URL[],
  read: (document: unknown) => Reading<T>,
  fetchFn: FetchLike,
): Promise<{ readonly metadata?: T; readonly attempts: readonly Attempt[] }> {
  const attempts: Attempt[] = []
  let failure: Error | undefined
  // A second address of a silent host would wait just as long.
  const silent = new Set<string>()
  for (const address of addresses) {
    if (silent.has(address.origin)) continue
    try {
      const answer = await getWithinOrigin(address, fetchFn)
      const reading = await readAnswer(answer, read)
      if ('metadata' in reading) return { metadata: reading.metadata, attempts }
      attempts.push({ address, status: answer.status, ...reading })
    } catch (error) {
      if (!(error instanceof TypeError && error.cause instanceof AppError)) throw error
      failure ??= error
      if (error.cause.code === 'REMOTE_UNREACHABLE') silent.add(address.origin)
      attempts.push({ address, problem: error.cause.message.replace(/\.$/u, '') })
    }
  }
  if (failure) throw failure
  return { attempts }
}

/** Whether every address answered that nothing is there. */
export function hasNone(attempts: readonly Attempt[]): boolean {
  return attempts.every(({ status = 0 }) => status >= 400 && status < 500)
}

async function readAnswer<T>(
  response: Response,
  read: (document: unknown) => Reading<T>,
): Promise<Reading<T>> {
  const { status, headers } = response
  const text = await response.text()
  if (status >= 300 && status < 400)
    return {
      problem: `${status}, a redirect to another origin or one too many, which is not followed`,
    }
  if (!response.ok) return { problem: String(status) }
  const document = jsonObjectIn(text)
  if (!document) {
    const type = headers.get('content-type') ?? 'no content type'
    return { problem: `${status}, but not a JSON object (${type})` }
  }
  const reading = read(document)
  return 'metadata' in reading
    ? reading
    : { ...reading, problem: `${status}, but ${reading.problem}` }
}

/** Parses a JSON object; undefined for any other text. */
export function jsonObjectIn(text: string): JsonObject | undefined {
  const document = jsonIn(text)
  return isJsonObject(document) ? document : undefined
}

/** Follows redirects within the origin, or to https at the same host: nobody else speaks for an issuer. */
async function getWithinOrigin(address: URL, fetchFn: FetchLike): Promise<Response> {
  const headers = { accept: 'application/json', 'mcp-protocol-version': PROTOCOL_VERSION }
  let at = address
  for (let followed = 0; ; followed += 1) {
    const response = await fetchFn(at, { headers })
    const to = redirectIn(response, at)
    if (!to || !isWithinOrigin(at, to) || followed === MAX_REDIRECTS) return response
    await response.body?.cancel()
    at = to
  }
}

function redirectIn({ status, headers }: Response, at: URL): URL | undefined {
  const location = headers.get('location')
  const isRedirect = status >= 300 && status < 400 && location !== null
  return isRedirect && URL.canParse(location, at.href) ? new URL(location, at) : undefined
}

function isWithinOrigin(from: URL, to: URL): boolean {
  if (to.origin === from.origin) return true
  const ports = `${from.port}${to.port}`
  return to.protocol === 'https:' && to.hostname === from.hostname && ports === ''
}
