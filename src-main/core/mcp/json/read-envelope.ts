import { stripVTControlCharacters } from 'node:util'

import type { OversizedMessage } from '../../lines/message-framing'

/** What the ends of a message tell: the id of an answer, or of a request of the server. */
export type Envelope = {
  readonly id: string | number
  readonly kind: 'answer' | 'request'
}

const ID = String.raw`(-?\d{1,15}|"(?:[^"\\]|\\.){0,200}")`
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"`
const METHOD = String.raw`"method"\s*:\s*"[^"\\]{1,200}"`
const HEAD = new RegExp(
  String.raw`^\s*\{\s*(?:${VERSION}\s*,\s*)?(?:(${METHOD})\s*,\s*)?(?:${VERSION}\s*,\s*)?"id"\s*:\s*${ID}\s*,\s*(?:${VERSION}\s*,\s*)?("method"|"result"|"error"|"params")`,
)
/** Behind the value that made it large there may be the id, the version and nothing else. */
const TAIL = new RegExp(
  String.raw`,\s*(?:${VERSION}\s*,\s*)?"id"\s*:\s*${ID}\s*(?:,\s*${VERSION}\s*)?\}\s*$`,
)
const HEAD_OF_REQUEST = new RegExp(String.raw`^\s*\{\s*(?:${VERSION}\s*,\s*)?"(?:method|params)"`)

/**
 * Whom a message that was too large to be read belongs to (JSON-RPC 2.0, sections 4 and 5). Servers write
 * the id first or last; where it stands elsewhere, and in a batch, it cannot be told: undefined.
 */
export function readEnvelope({ head, tail }: OversizedMessage): Envelope | undefined {
  const start = startOf(head)
  const first = HEAD.exec(start)
  if (first) {
    const [, method, id = '', next] = first
    const isRequest = method !== undefined || next === '"method"' || next === '"params"'
    return { id: JSON.parse(id) as string | number, kind: isRequest ? 'request' : 'answer' }
  }
  // Not in a batch: its last bracket closes the batch, and then nothing matches.
  const last = TAIL.exec(stripVTControlCharacters(tail.toString('utf8')))
  if (!last) return undefined
  const kind = HEAD_OF_REQUEST.test(start) ? 'request' : 'answer'
  return { id: JSON.parse(last[1] ?? '') as string | number, kind }
}

/** Whether a message that was too large is a request or a notification, as far as its begin tells. */
export function isCall({ head }: OversizedMessage): boolean {
  return HEAD_OF_REQUEST.test(startOf(head))
}

function startOf(head: Buffer): string {
  return stripVTControlCharacters(head.toString('utf8').replace(/^\uFEFF/u, ''))
}
