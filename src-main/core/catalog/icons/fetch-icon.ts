import { leadsToPublic } from '../../network/public-address'
import { PICTURE_LIMIT } from './picture'

const TIME_LIMIT_MS = 10_000
const MAX_REDIRECTS = 3

/** What fetching an icon needs; the rest is there for tests. */
export type IconFetchOptions = {
  readonly signal?: AbortSignal | undefined
  /** Which addresses may be asked, the first one and those that others lead to. */
  readonly mayFetch?: ((address: URL) => boolean | Promise<boolean>) | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** Fetches at most 256 KB from an address, without cookies and without saying who asks; undefined for whatever goes wrong. */
export async function fetchIcon(
  address: string,
  options: IconFetchOptions = {},
): Promise<Uint8Array | undefined> {
  const limit = AbortSignal.timeout(TIME_LIMIT_MS)
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
  try {
    return await follow(address, { ...options, signal })
  } catch {
    return undefined // the monogram is shown then
  }
}

async function follow(
  first: string,
  { signal, mayFetch = leadsToPublic, fetch = globalThis.fetch }: IconFetchOptions,
): Promise<Uint8Array | undefined> {
  let address = readAddress(first)
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    if (!address || !(await mayFetch(address))) return undefined
    signal?.throwIfAborted()
    const headers = { accept: 'image/png, image/jpeg, image/webp, image/svg+xml' }
    const response = await fetch(address.href, {
      headers,
      redirect: 'manual',
      signal: signal ?? null,
    })
    const target = response.headers.get('location')
    const isRedirect = response.status >= 300 && response.status <= 399 && target !== null
    if (!isRedirect) return await readBody(response)
    await response.body?.cancel()
    address = readAddress(target, address.href)
  }
  return undefined
}

function readAddress(text: string, base?: string): URL | undefined {
  return URL.canParse(text, base) ? new URL(text, base) : undefined
}

async function readBody(response: Response): Promise<Uint8Array | undefined> {
  const body: AsyncIterable<Uint8Array> | null = response.body
  if (!response.ok || body === null) {
    await response.body?.cancel()
    return undefined
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > PICTURE_LIMIT) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
