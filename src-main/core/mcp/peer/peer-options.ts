import type { JsonObject } from '../../../../src-shared/domain/json-object'
import type { ReadText } from '../json/json-rpc'
import type { MessageTap, OnFault } from './connection'

export type IncomingRequest = {
  readonly method: string
  readonly params: JsonObject
  /** Aborted when the server cancels the request, or the connection is gone. */
  readonly signal: AbortSignal
}

/** Handlers of the server's own messages, and of the connection's end. */
export type PeerHandlers = {
  /** Answers a request; rejects with a `ResponseError` for an unsupported one. */
  readonly onRequest: (request: IncomingRequest) => Promise<JsonObject>
  readonly onNotification: (method: string, params: JsonObject) => void
  readonly onClosed: () => void
}

export type PeerOptions = {
  readonly maxMessageBytes: number
  readonly onFault: OnFault
  readonly onWarning: (error: unknown) => void
  readonly onText?: ((words: string) => void) | undefined
  readonly tap?: MessageTap | undefined
}

/** Maximum counted elements of a batch that are no messages. */
const MAX_COUNTED = 1_000

/** Reports text around messages, and protocol violations in them. */
export function reportText(
  { isDecorated, text, isBatch, malformed, hasLoneSurrogates }: ReadText,
  { onFault, onText }: Pick<PeerOptions, 'onFault' | 'onText'>,
): void {
  if (text !== '') onText?.(text)
  const others = text === '' ? 'something else' : 'other text'
  if (isDecorated) onFault('decoratedLines', `A line contains a message and ${others}.`)
  if (isBatch) onFault('batches', 'Several messages arrived in one array (a batch).')
  if (hasLoneSurrogates)
    onFault('repairs', 'A lone surrogate in a string was replaced with U+FFFD.')
  for (let count = Math.min(malformed, MAX_COUNTED); count > 0; count -= 1)
    onFault('malformedMessages', 'An array of messages contains an invalid element.')
}
