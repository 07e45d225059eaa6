import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** Why a request is not served: an HTTP status, a sentence for who reads it, and headers beside it. */
export type Refusal = {
  readonly status: number
  readonly message: string
  readonly headers?: OutgoingHttpHeaders
}

/** Writes the sentence of a refusal as the body that its reader expects. */
export type RefusalForm = (message: string) => { readonly type: string; readonly text: string }

/** For a person's browser. */
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
