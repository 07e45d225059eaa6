import { constants } from 'node:buffer'
import type { IncomingMessage } from 'node:http'

import { isJsonObject, type JsonObject } from '../../src-shared/domain/server-json/tolerant-reader'
import { EventReader } from '../core/mcp/connections/event-reader'
import { FAILED, type HostLine, type Id } from './host-line'
import { brokenOff } from './outage'

/** What nobody could parse; the gateway allows less. */
const MOST_BYTES = constants.MAX_STRING_LENGTH

/** The whole body of an answer; rejects with an Outage where its end never comes. */
export async function readBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer)
  } catch (error) {
    throw brokenOff(error)
  }
  const [only] = chunks
  return only && chunks.length === 1 ? only : Buffer.concat(chunks)
}

/** Whether an answer is a stream of events, in which a message is the data of one. */
export function isStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') ?? false
}

/** Reads the messages of a stream until it ends, no faster than the host reads; whether the answer to `id` was among them. Rejects with an Outage where it breaks. */
export async function readStream(
  response: IncomingMessage,
  host: Pick<HostLine, 'room'>,
  onMessage: (text: Buffer, message: JsonObject) => void,
  id?: Id,
): Promise<boolean> {
  const seen = new Set<unknown>()
  const reader = new EventReader({
    maxBytes: MOST_BYTES,
    onData: (text) => {
      const message: unknown = JSON.parse(text.toString())
      if (!isJsonObject(message)) return
      if (message.method === undefined) seen.add(message.id)
      onMessage(text, message)
    },
    onOversized: () => undefined,
    onEmpty: () => undefined,
  })
  try {
    for await (const chunk of response) {
      reader.push(chunk as Buffer)
      await host.room()
    }
  } catch (error) {
    throw brokenOff(error)
  }
  return seen.has(id)
}

/** Reads the body of the answer to the request `id`. An error that names no request becomes its own. */
export function ownAnswer(body: Buffer, status: number, id: Id): Buffer {
  if (status === 200) return body
  const { code, message } = errorIn(body)
  const words = message ?? `Patchbay responded with HTTP status ${status}.`
  return Buffer.from(
    JSON.stringify({
      jsonrpc: '2.0',
      ...parsed(body),
      id,
      error: { ...errorOf(body), code: code ?? FAILED, message: words },
    }),
  )
}

/** The code of the JSON-RPC error that a body is, and its words. */
export function errorIn(body: Buffer): { readonly code?: number; readonly message?: string } {
  const { code, message } = errorOf(body)
  return {
    ...(typeof code === 'number' && { code }),
    ...(typeof message === 'string' && { message }),
  }
}

function errorOf(body: Buffer): JsonObject {
  const { error } = parsed(body)
  return isJsonObject(error) ? error : {}
}

function parsed(body: Buffer): JsonObject {
  try {
    const message: unknown = JSON.parse(body.toString())
    return isJsonObject(message) ? message : {}
  } catch {
    return {} // whatever it is, it is no message
  }
}
