import type { JSONRPCMessage } from '@modelcontextprotocol/client'

import type { ReadLine } from '../json/read-message'

/** Takes note of the messages of one session as they cross its line. It is called for each of them, so it has to be quick. */
export type MessageTap = {
  /** `text`: what goes for it, be it with the end of its line. */
  sent(message: JSONRPCMessage, text: string): void
  /** `text`: what came for all of them; nobody changes it any more. */
  received(read: Pick<ReadLine, 'messages' | 'decorated' | 'isBatch'>, text: Buffer): void
}
