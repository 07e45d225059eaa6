import type { ServerResponse } from 'node:http'

import { idText } from '../requests/exact-ids'
import { RequestError } from '../requests/request-error'

const INTERNAL_ERROR = -32_603
/** What is shorter is written in one piece with its envelope and its head. */
const SHORT = 32 * 1024

/** Answers a request with a result that is JSON text already (JSON-RPC 2.0, section 5). */
export function sendResult(
  response: ServerResponse,
  id: string | number,
  result: string | Buffer,
): void {
  send(response, `{"jsonrpc":"2.0","id":${idText(id)},"result":`, result, '}')
}

/** Answers it with an error as the SDK would: `code`, `message` and `data` of what was thrown. */
export function sendError(response: ServerResponse, id: string | number, error: unknown): void {
  const { code, message, data } =
    error instanceof RequestError ? error : { code: INTERNAL_ERROR, ...wordsOf(error) }
  const text = JSON.stringify({ code, message, ...(data !== undefined && { data }) })
  send(response, `{"jsonrpc":"2.0","id":${idText(id)},"error":`, text, '}')
}

/** Ends the answer to a request that was cancelled without one (MCP, cancellation). */
export function sendCancelled(response: ServerResponse): void {
  if (response.destroyed) return
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end()
}

function send(
  response: ServerResponse,
  before: string,
  body: string | Buffer,
  after: string,
): void {
  // It left; what was done for it is done.
  if (response.destroyed) return
  if (body.length < SHORT) {
    const whole = before + body.toString() + after
    response.writeHead(200, headOf(Buffer.byteLength(whole))).end(whole)
    return
  }
  const length = Buffer.byteLength(before) + Buffer.byteLength(body) + Buffer.byteLength(after)
  response.writeHead(200, headOf(length))
  response.cork()
  response.write(before)
  response.write(body)
  response.end(after)
  response.uncork()
}

function headOf(length: number): Record<string, string | number> {
  return { 'content-type': 'application/json', 'content-length': length }
}

function wordsOf(error: unknown): { readonly message: string; readonly data?: undefined } {
  return { message: error instanceof Error ? error.message : 'Internal error' }
}
