import type { JSONRPCMessage } from '@modelcontextprotocol/client'

import type { ReadText } from '../mcp/json/json-rpc'
import type { MessageTap } from '../mcp/peer/connection'
import type { Way } from './entry-page'
import type { MessageRing } from './message-ring'

export type SessionRecorderOptions = {
  /** Its number among the sessions of its server. */
  readonly session: number
  /** A longer text is not held, in bytes. */
  readonly longestBytes: number
}

/** Puts the messages of one session into the ring of its server. */
export class SessionRecorder implements MessageTap {
  readonly #longestBytes: number
  readonly #sent: Way
  readonly #received: Way

  constructor(
    private readonly ring: MessageRing,
    { session, longestBytes }: SessionRecorderOptions,
  ) {
    this.#longestBytes = longestBytes
    this.#sent = { session, direction: 'sent' }
    this.#received = { session, direction: 'received' }
  }

  sent(message: JSONRPCMessage, text: string): void {
    this.ring.add(this.#sent, message, text)
  }

  received(read: ReadText, text: Buffer): void {
    const messages = read.messages.map(({ message }) => message as JSONRPCMessage)
    const [first] = messages
    if (first && !read.isBatch && !read.isDecorated) this.ring.add(this.#received, first, text)
    else this.#addWritten(messages, text.length)
  }

  /** Of a batch, and of what had to be freed of a decoration, each message is written anew; of a very large one none is. */
  #addWritten(messages: readonly JSONRPCMessage[], bytes: number): void {
    const share = Math.round(bytes / messages.length)
    const isHeld = bytes <= this.#longestBytes
    for (const message of messages)
      this.ring.add(this.#received, message, isHeld ? JSON.stringify(message) : share)
  }
}
