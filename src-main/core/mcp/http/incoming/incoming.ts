import type { OversizedMessage } from '../../../lines/message-framing'

/** Who reads the bodies of the answers to one message. */
export type Incoming = {
  /** Aborted once nobody waits for what comes of the message. */
  readonly signal: AbortSignal | undefined
  /** The message is on its way, with this body. */
  sent(body: string): void
  /** Whether a body that is one JSON text may be the answer to it. */
  readonly isAsked: boolean
  /** The answer is a stream of events. */
  streams(): void
  /** Reads the messages of a body or of an event; whether the answer to a request that waited was among them. */
  read(text: Buffer): boolean
  /** Takes note of one that is too large; whether that ended a request that waited. */
  letGo(message: OversizedMessage): boolean
  /** Settles when more may be read; undefined where it may at once. */
  room(): Promise<void> | undefined
}

/** Names what the SDK gets in place of messages that are read already, so that it knows whether a stream has done its work. */
export const READ = 'patchbay/read'
