import { AppError } from '../../../src-shared/domain/app-error'
import { isJsonObject } from '../../../src-shared/domain/server-json/tolerant-reader'
import type { MessageRing } from './message-ring'

/** A request that was sent, as it was. */
export type SentRequest = {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/** What the connection adds to requests itself (MCP 2026-07-28, `_meta`). */
const OF_CONNECTION = 'io.modelcontextprotocol/'
/** What a later round of the same request carries (MCP 2026-07-28, multi round-trip requests): the server asks anew. */
const OF_ROUND = ['inputResponses', 'requestState']

/** The request of this number with its secrets, without what belonged to its sending. Throws NOT_FOUND and INVALID_REQUEST. */
export function sentRequest(ring: MessageRing | undefined, seq: number): SentRequest {
  const held = ring?.get(seq)
  const text = held && ring?.textOf(held)
  if (!held || text === undefined) throw goneError()
  const message: unknown = JSON.parse(text)
  if (held.direction !== 'sent' || held.kind !== 'request' || !isJsonObject(message))
    throw new AppError('INVALID_REQUEST', 'This message is not a request sent to the server.')
  const { method, params } = message
  return {
    method: String(method),
    params: isJsonObject(params) ? withoutRound(withoutOwnMeta(params)) : {},
  }
}

/** What is said of a message that is no longer there. */
export function goneError(): AppError {
  return new AppError('NOT_FOUND', 'The content of this message is no longer stored.', {
    hint: 'Only the newest messages are stored, and very large ones only with their size.',
  })
}

function withoutRound(params: SentRequest['params']): SentRequest['params'] {
  return Object.fromEntries(Object.entries(params).filter(([key]) => !OF_ROUND.includes(key)))
}

function withoutOwnMeta(params: SentRequest['params']): SentRequest['params'] {
  const { _meta, ...others } = params
  if (!isJsonObject(_meta)) return params
  const kept = Object.entries(_meta).filter(
    ([key]) => key !== 'progressToken' && !key.startsWith(OF_CONNECTION),
  )
  return kept.length > 0 ? { ...others, _meta: Object.fromEntries(kept) } : others
}
