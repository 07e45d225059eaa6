const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

/** The fetch function, and the allowed redirect targets. */
export type FollowOptions = {
  readonly fetch: typeof globalThis.fetch
  readonly signal: AbortSignal
  readonly redirects: number
  readonly headersFor: (address: URL) => Record<string, string>
  readonly mayFollow: (next: URL, from: URL) => boolean | Promise<boolean>
}

/** An address redirects to a forbidden one. */
export class RedirectError extends Error {
  override readonly name = 'RedirectError'

  constructor(
    readonly why: 'unreadable' | 'refused' | 'endless',
    readonly from: URL,
    /** The target as sent by `from`. */
    readonly target: string,
  ) {
    super(`${from.host} redirects to an address that is not allowed.`)
  }
}

/**
 * Requests an address and follows redirects one by one, because each target has to be allowed. Rejects as `fetch` does, and with a
 * RedirectError. `address` is the final one.
 */
export async function fetchFollowing(
  first: URL,
  { fetch, signal, redirects, headersFor, mayFollow }: FollowOptions,
): Promise<{ response: Response; address: URL }> {
  let address = first
  for (let hops = 0; ; hops += 1) {
    signal.throwIfAborted()
    const headers = headersFor(address)
    const response = await fetch(address.href, { headers, signal, redirect: 'manual' })
    const target = response.headers.get('location')
    if (!REDIRECTS.includes(response.status) || target === null) return { response, address }
    await response.body?.cancel()
    const next = readAddress(target, address)
    if (!next) throw new RedirectError('unreadable', address, target)
    if (!(await mayFollow(next, address))) throw new RedirectError('refused', address, target)
    if (hops >= redirects) throw new RedirectError('endless', address, target)
    address = next
  }
}

/** Parses an absolute or relative address. */
export function readAddress(text: string, base?: URL): URL | undefined {
  return URL.canParse(text, base?.href) ? new URL(text, base) : undefined
}

/** The whole body in its own buffer; undefined if it is too long. */
export async function readBody(
  { body }: Response,
  byteLimit: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const stream: AsyncIterable<Uint8Array<ArrayBuffer>> | null = body
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength
    if (size > byteLimit) return undefined
    chunks.push(chunk)
  }
  // A pooled buffer would be sent to other threads with its neighbors.
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}
