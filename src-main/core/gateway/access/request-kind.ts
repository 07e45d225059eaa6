import type { IncomingMessage } from 'node:http'

import { isJsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'

/** What of its share an agent takes by a request: a call, the stream of a session, or a subscription (MCP 2026-07-28). */
export type RequestKind = 'calls' | 'streams' | 'listens'

const LISTEN = 'subscriptions/listen'

/** Which kind a request is of; `body` is the whole of a POST. */
export function requestKind(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  body: Buffer | undefined,
): RequestKind {
  if (method === 'GET') return 'streams'
  // The era wants the header, so only what has it is read for this; the body alone tells what is done.
  const saysListen = body !== undefined && headers['mcp-method'] === LISTEN
  return saysListen && methodOf(body) === LISTEN ? 'listens' : 'calls'
}

function methodOf(body: Buffer): unknown {
  try {
    const message: unknown = JSON.parse(body.toString())
    return isJsonObject(message) ? message.method : undefined
  } catch {
    return undefined // whoever parses it in earnest tells what is wrong with it
  }
}
