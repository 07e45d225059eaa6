import type { FetchLike, IssuerMismatchError } from '@modelcontextprotocol/client'

import { AppError } from '../../../src-shared/domain/app-error'
import { jsonIn } from '../../../src-shared/domain/attempt'
import {
  isJsonObject,
  type JsonObject,
} from '../../../src-shared/domain/server-json/tolerant-reader'
import { cutProse } from '../failure/describe-failure'

/** As the SDK names it in the requests of a sign-in. */
const PROTOCOL_VERSION = '2025-11-25'
const MOST_REDIRECTS = 5
const LONGEST_LINE = 300

/** The content of one document: metadata, or why it is none. */
export type Reading<T> =
  | { readonly metadata: T }
  | { readonly said: string; readonly mismatch?: IssuerMismatchError }

/** One address that had no metadata, and what it answered. */
export type Attempt = {
  readonly address: URL
  readonly said: string
  /** Missing where nothing answered. */
  readonly status?: number
  /** The metadata there is that of another issuer. */
  readonly mismatch?: IssuerMismatchError | undefined
}

/** No address of a sign-in has metadata that can be used; the hint has a line for each. */
export class MetadataMissingError extends AppError {
  constructor({ host }: URL, attempts: readonly Attempt[]) {
    const lines = attempts.map(({ address, said }) =>
      cutProse(`${address.href}: ${said}.`, LONGEST_LINE),
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
 * Tries one address after the other until one has metadata: everything else that it answers counts as "not here". Rejects
 * where none has any and one could not be asked, for it may be the one.
 */
export async function findMetadata<T>(
  addresses: readonly URL[],
  read: (document: unknown) => Reading<T>,
  fetchFn: FetchLike,
): Promise<{ readonly metadata?: T; readonly attempts: readonly Attempt[] }> {
  const attempts: Attempt[] = []
  let failure: Error | undefined
  // Another address of a host that does not answer would only wait as long again.
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
      attempts.push({ address, said: error.cause.message.replace(/\.$/u, '') })
    }
  }
  if (failure) throw failure
  return { attempts }
}

/** Whether each address said plainly that nothing is there. */
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
    return { said: `${status}, a redirect to another origin, which is not followed` }
  if (!response.ok) return { said: String(status) }
  const document = jsonObjectIn(text)
  if (!document) {
    const type = headers.get('content-type') ?? 'no content type'
    return { said: `${status}, but not a JSON object (${type})` }
  }
  const reading = read(document)
  return 'metadata' in reading ? reading : { ...reading, said: `${status}, but ${reading.said}` }
}

/** The JSON object that a text is; undefined for any other text. */
export function jsonObjectIn(text: string): JsonObject | undefined {
  const document = jsonIn(text)
  return isJsonObject(document) ? document : undefined
}

/** A redirect is followed within its origin, or to https at the same host: nobody else speaks for an issuer. */
async function getWithinOrigin(address: URL, fetchFn: FetchLike): Promise<Response> {
  const headers = { accept: 'application/json', 'mcp-protocol-version': PROTOCOL_VERSION }
  let at = address
  for (let followed = 0; ; followed += 1) {
    const response = await fetchFn(at, { headers })
    const to = redirectIn(response, at)
    if (!to || !isWithinOrigin(at, to) || followed === MOST_REDIRECTS) return response
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
