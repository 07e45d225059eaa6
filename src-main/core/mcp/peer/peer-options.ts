import type { JsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import type { MessageTap, OnFault } from './connection'

export type IncomingRequest = {
  readonly method: string
  readonly params: JsonObject
  /** Aborted when the server gives it up, or the connection is gone. */
  readonly signal: AbortSignal
}

/** What a server sends of its own accord, and the end of the connection. */
export type PeerHandlers = {
  /** Answers a request; rejects with a `ResponseError` for one that is not answered. */
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
