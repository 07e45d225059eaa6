import { open } from 'node:fs/promises'

import { AppError } from '../../../../src-shared/domain/app-error'
import { reasonOf } from '../../network/fetch-failure'
import { fetchFollowing, readAddress, RedirectError } from '../../network/http-fetch'
import { type BundleLimits, cancelledBundle, invalidBundle } from './bundle-error'
import { saveBundle, type SavedBundle, tooLarge } from './save-bundle'

export type FetchOptions = {
  readonly limits: Pick<BundleLimits, 'fileBytes' | 'downloadMs' | 'stallMs' | 'redirects'>
  readonly signal: AbortSignal
  readonly onProgress: (received: number, total: number | undefined) => void
  /** Whether an address may be requested, including redirects. */
  readonly mayFetch?: (address: URL) => boolean
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** The product's rule: https, without user name and password. */
export function isSecureAddress({ protocol, username, password }: URL): boolean {
  return protocol === 'https:' && username === '' && password === ''
}

/**
 * Downloads a bundle into a new file. Rejects with INVALID_BUNDLE for a forbidden address and above the size limit, with INSTALL_FAILED if
 * the network or the server fails, or with REQUEST_CANCELLED.
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
  const stallTimer = setTimeout(() => stall.abort(), limits.stallMs)
  const timeout = AbortSignal.timeout(limits.downloadMs)
  const either = AbortSignal.any([signal, timeout, stall.signal])
  const first = readAddress(address)
  if (!first || !mayFetch(first)) throw notSecure(address)
  try {
    const { redirects } = limits
    const options = { fetch, signal: either, redirects, headersFor: () => HEADERS }
    const response = await request(first, { ...options, mayFollow: mayFetch })
    const total = declaredSize(response)
    if (total !== undefined && total > limits.fileBytes) throw tooLarge(limits.fileBytes)
    const body: AsyncIterable<Uint8Array> | null = response.body
    if (body === null) throw failed(first, 'the response is empty')
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
    if (stall.signal.aborted)
      throw failed(first, `no data arrived for ${String(limits.stallMs / 1000)} s`, error)
    if (timeout.aborted)
      throw failed(
        first,
        `the download took longer than ${String(limits.downloadMs / 1000)} s`,
        error,
      )
    throw failed(first, reasonOf(error), error)
  } finally {
    clearTimeout(stallTimer)
  }
}

/** The hash covers the published file, so it must not be encoded. */
const HEADERS = { accept: '*/*', 'accept-encoding': 'identity' }

async function request(
  first: URL,
  options: Parameters<typeof fetchFollowing>[1],
): Promise<Response> {
  const { response, address } = await fetchFollowing(first, options).catch((error: unknown) => {
    if (!(error instanceof RedirectError)) throw error
    if (error.why !== 'endless') throw notSecure(error.target, error.from)
    throw failed(first, `more than ${String(options.redirects)} redirects`)
  })
  if (response.ok) return response
  await response.body?.cancel()
  throw failed(first, `${address.host} responded with status ${String(response.status)}`)
}

function notSecure(text: string, base?: URL): AppError {
  const address = readAddress(text, base)
  const shown = address ? `${address.protocol}//${address.host}` : text.slice(0, 200)
  const how = base ? `${base.host} redirects to ${shown}` : `The address is ${shown}`
  return invalidBundle(`The bundle was not downloaded because its address isn’t https. ${how}.`)
}

function declaredSize({ headers }: Response): number | undefined {
  const text = headers.get('content-length') ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function failed(address: URL, reason: string, cause?: unknown): AppError {
  return new AppError(
    'INSTALL_FAILED',
    `The bundle couldn’t be downloaded from ${address.host}: ${reason}.`,
    { cause, hint: 'Check your network, then try again.' },
  )
}

const START = Buffer.from('MCPB_SIG_V1')
const END = Buffer.from('MCPB_SIG_END')
/** Signatures with certificates have a few KB; the format pads them to 16. */
const MAX_BYTES = 64 * 1024

/**
 * Removes the signature that the publishers' tool appends to the archive and that isn't part of the zip format. The signature itself isn't
 * verified: the hash is. Leaves every other file unchanged.
 */
export async function cutSignature(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    const { size } = await handle.stat()
    const tail = Buffer.alloc(Math.min(size, MAX_BYTES))
    await handle.read(tail, 0, tail.length, size - tail.length)
    if (!tail.subarray(-END.length).equals(END)) return
    const start = tail.lastIndexOf(START)
    // A newer tool includes it in the archive's comment, where it may stay.
    if (start < 0 || !endsArchive(tail.subarray(0, start))) return
    await handle.truncate(size - tail.length + start)
  } finally {
    await handle.close()
  }
}

const END_RECORD = Buffer.from('PK\x05\x06', 'latin1')
const END_RECORD_BYTES = 22

/** Whether bytes end with a zip archive's last record and exactly its comment. */
function endsArchive(bytes: Buffer): boolean {
  const at = bytes.lastIndexOf(END_RECORD)
  if (at < 0 || at + END_RECORD_BYTES > bytes.length) return false
  return at + END_RECORD_BYTES + bytes.readUInt16LE(at + 20) === bytes.length
}
