const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

/** How an address is asked, and which way on it may show. */
export type Asking = {
  readonly fetch: typeof globalThis.fetch
  readonly signal: AbortSignal
  readonly redirects: number
  readonly headersFor: (address: URL) => Record<string, string>
  readonly mayFollow: (next: URL, from: URL) => boolean | Promise<boolean>
}

/** An address that leads to none that is asked. */
export class RedirectError extends Error {
  override readonly name = 'RedirectError'

  constructor(
    readonly why: 'unreadable' | 'refused' | 'endless',
    readonly from: URL,
    /** As the answer of `from` writes it. */
    readonly target: string,
  ) {
    super(`${from.host} redirects to an address that is not allowed.`)
  }
}

/**
 * Asks an address and follows redirects one by one, since each has to be one that may be asked. Rejects as `fetch`
 * does, and with a RedirectError. `address` is the one that answered.
 */
export async function fetchFollowing(
  first: URL,
  { fetch, signal, redirects, headersFor, mayFollow }: Asking,
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

/** An address as it is written, also where it is one beside another. */
export function readAddress(text: string, base?: URL): URL | undefined {
  return URL.canParse(text, base?.href) ? new URL(text, base) : undefined
}

/** The whole body, in a buffer of its own; undefined as soon as it is longer than it may be. */
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
  // One of the shared pool would cross to another thread with all that lies beside it.
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}
