import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Why a request is not served: an HTTP status, a sentence for who reads it, and headers beside it. */
export type Refusal = {
  readonly status: number
  readonly message: string
  readonly headers?: OutgoingHttpHeaders
}

/** Writes the sentence of a refusal as the body that its reader expects. */
export type RefusalForm = (message: string) => { readonly type: string; readonly text: string }

/** For a user's browser. */
export const AS_PLAIN_TEXT: RefusalForm = (text) => ({ type: 'text/plain', text })

/** For an agent: a JSON-RPC error that belongs to no request. */
export const AS_JSON_RPC: RefusalForm = (message) => {
  const error = { code: -32_000, message }
  return { type: 'application/json', text: JSON.stringify({ jsonrpc: '2.0', id: null, error }) }
}

/** How long what a peer still sends is taken after it was refused, in ms: cut off at once, it might not hear why. */
const LINGER_MS = 1_000

/** Says no and ends the connection: what may still come on it was sent in the belief that this was served. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, message, headers }: Refusal,
  form: RefusalForm,
): void {
  const { type, text } = form(message)
  response.writeHead(status, {
    ...headers,
    'content-type': type,
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

const REASONS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The headers of this request are too large.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
}
const NO_REQUEST = ['400 Bad Request', 'This is not an HTTP/1.1 request.'] as const

/** Ends a connection on which something else than HTTP came, or too much, or too slowly; says why where no answer is on its way. */
export function answerUnreadable(
  code: string | undefined,
  socket: Duplex,
  { isFree, form }: { readonly isFree: boolean; readonly form: RefusalForm },
): void {
  if (!isFree || !socket.writable || code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const [status, message] = REASONS[code ?? ''] ?? NO_REQUEST
  const { type, text } = form(message)
  const head = [
    `HTTP/1.1 ${status}`,
    `Content-Type: ${type}`,
    `Content-Length: ${String(Buffer.byteLength(text))}`,
    'Connection: close',
  ]
  socket.end([...head, '', text].join('\r\n'), () => socket.destroy())
}
