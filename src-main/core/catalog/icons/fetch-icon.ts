import { fetchFollowing, readAddress, readBody } from '../../network/http-fetch'
import { leadsToPublic } from '../../network/public-address'
import { PICTURE_LIMIT } from './picture'

const TIME_LIMIT_MS = 10_000
const MAX_REDIRECTS = 3
const HEADERS = { accept: 'image/png, image/jpeg, image/webp, image/svg+xml' }

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
  { mayFetch = leadsToPublic, fetch = globalThis.fetch, ...options }: IconFetchOptions = {},
): Promise<Uint8Array | undefined> {
  const limit = AbortSignal.timeout(TIME_LIMIT_MS)
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
  try {
    const first = readAddress(address)
    if (!first || !(await mayFetch(first))) return undefined
    const { response } = await fetchFollowing(first, {
      ...{ fetch, signal, redirects: MAX_REDIRECTS, headersFor: () => HEADERS },
      mayFollow: (next) => mayFetch(next),
    })
    if (response.ok) return await readBody(response, PICTURE_LIMIT)
    await response.body?.cancel()
  } catch {
    // The monogram is shown then.
  }
  return undefined
}
