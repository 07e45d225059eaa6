import type { Duplex } from 'node:stream'

import type { RefusalForm } from './refusal'

const REASONS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The headers of this request are too large.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'This request took too long to arrive.'],
}
const NO_REQUEST = ['400 Bad Request', 'This is no request of HTTP/1.1.'] as const

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
