import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** Why a request is not served: an HTTP status, a sentence for the agent and its person, and headers beside it. */
export type Refusal = {
  readonly status: number
  readonly message: string
  readonly headers?: OutgoingHttpHeaders
}

/** How long what an agent still sends is taken after it was refused, in ms: cut off at once, it might not hear why. */
const LINGER_MS = 1_000

/** The body of an HTTP error: a JSON-RPC error that belongs to no request. */
export function refusalText(message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } })
}

/** Says no and ends the connection: what may still come on it was sent in the belief that this was served. */
export function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  const text = refusalText(refusal.message)
  response.writeHead(refusal.status, {
    ...refusal.headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  })
  if (request.complete) {
    response.end(text)
    return
  }
  response.write(text)
  const end = (): void => void response.end()
  const tooLong = setTimeout(end, LINGER_MS)
  tooLong.unref()
  request.once('end', end)
  response.once('close', () => clearTimeout(tooLong))
  request.resume()
}
