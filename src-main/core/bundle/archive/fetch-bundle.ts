import { AppError } from '../../../../src-shared/domain/app-error'
import { isJsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { cancelledBundle, invalidBundle } from './bundle-error'
import type { BundleLimits } from './bundle-limits'
import { saveBundle, type SavedBundle, tooLarge } from './save-bundle'

export type FetchOptions = {
  readonly limits: Pick<BundleLimits, 'fileBytes' | 'downloadMs' | 'stallMs' | 'redirects'>
  readonly signal: AbortSignal
  readonly onProgress: (received: number, total: number | undefined) => void
  /** Which addresses may be asked, the first one and those that others lead to. */
  readonly mayFetch?: (address: URL) => boolean
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** The rule of the product: https, without a name and password in the address. */
export function isSecureAddress({ protocol, username, password }: URL): boolean {
  return protocol === 'https:' && username === '' && password === ''
}

/**
 * Downloads a bundle into a new file. Rejects with INVALID_BUNDLE for an address that may not be asked and
 * above the size limit, with INSTALL_FAILED when the network or the server fails, or with REQUEST_CANCELLED.
 */
export async function fetchBundle(
  address: string,
  file: string,
  {
    limits,
    signal,
    onProgress,
    mayFetch = isSecureAddress,
    fetch = globalThis.fetch,
  }: FetchOptions,
): Promise<SavedBundle> {
  const stall = new AbortController()
  const stallTimer = setTimeout(() => stall.abort(new StallError()), limits.stallMs)
  const whole = AbortSignal.timeout(limits.downloadMs)
  const either = AbortSignal.any([signal, whole, stall.signal])
  const first = checkAddress(address, undefined, mayFetch)
  try {
    const response = await follow(first, { either, redirects: limits.redirects, mayFetch, fetch })
    const total = declaredSize(response)
    if (total !== undefined && total > limits.fileBytes) throw tooLarge(limits.fileBytes)
    const body: AsyncIterable<Uint8Array> | null = response.body
    if (body === null) throw failed(first, 'the answer is empty')
    return await saveBundle(body, file, {
      limit: limits.fileBytes,
      signal: either,
      onBytes: (received) => {
        stallTimer.refresh()
        onProgress(received, total)
      },
    })
  } catch (error) {
    if (error instanceof AppError) throw error
    if (signal.aborted) throw cancelledBundle()
    throw failed(first, reasonOf(error, { limits, whole, stall: stall.signal }), error)
  } finally {
    clearTimeout(stallTimer)
  }
}

class StallError extends Error {
  override readonly name = 'StallError'
}

type Walk = {
  readonly either: AbortSignal
  readonly redirects: number
  readonly mayFetch: (address: URL) => boolean
  readonly fetch: typeof globalThis.fetch
}

/** Follows redirects one by one, since each address has to be one that may be asked. */
async function follow(first: URL, { either, redirects, mayFetch, fetch }: Walk): Promise<Response> {
  let address = first
  for (let step = 0; step <= redirects; step += 1) {
    const response = await fetch(address, {
      redirect: 'manual',
      signal: either,
      // The hash is over the file as it is published.
      headers: { accept: '*/*', 'accept-encoding': 'identity' },
    })
    const target = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || target === null) {
      if (response.ok) return response
      await response.body?.cancel()
      throw failed(first, `${address.host} answered with status ${String(response.status)}`)
    }
    await response.body?.cancel()
    address = checkAddress(target, address, mayFetch)
  }
  throw failed(first, `it leads on more than ${String(redirects)} times`)
}

function checkAddress(
  text: string,
  base: URL | undefined,
  mayFetch: (address: URL) => boolean,
): URL {
  const address = URL.canParse(text, base?.href) ? new URL(text, base) : undefined
  if (address && mayFetch(address)) return address
  const shown = address ? `${address.protocol}//${address.host}` : text.slice(0, 200)
  const how = base ? `${base.host} leads on to ${shown}` : `It names ${shown}`
  throw invalidBundle(
    `The bundle was not downloaded: bundles come over https only. ${how}, which is not that.`,
  )
}

function declaredSize({ headers }: Response): number | undefined {
  const text = headers.get('content-length') ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function failed(address: URL, reason: string, cause?: unknown): AppError {
  return new AppError(
    'INSTALL_FAILED',
    `The bundle could not be downloaded from ${address.host}: ${reason}.`,
    { cause, hint: 'Check the network, then try again.' },
  )
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', 'its name could not be resolved'],
  ['EAI_AGAIN', 'its name could not be resolved'],
  ['ECONNREFUSED', 'nothing answers there'],
  ['ECONNRESET', 'the connection was cut'],
  ['UND_ERR_SOCKET', 'the connection was cut'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'the connection was cut'],
  ['ENETUNREACH', 'there is no network'],
])

function reasonOf(
  error: unknown,
  {
    limits,
    whole,
    stall,
  }: Pick<FetchOptions, 'limits'> & {
    readonly whole: AbortSignal
    readonly stall: AbortSignal
  },
): string {
  if (stall.aborted) return `nothing came for ${String(limits.stallMs / 1000)} s`
  if (whole.aborted) return `it took longer than ${String(limits.downloadMs / 1000)} s`
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const code = isJsonObject(cause) && typeof cause.code === 'string' ? cause.code : undefined
  const said = cause instanceof Error ? cause.message : String(cause)
  return (code === undefined ? undefined : REASONS.get(code)) ?? said
}
