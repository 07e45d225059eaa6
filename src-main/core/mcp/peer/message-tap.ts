import type { JSONRPCMessage } from '@modelcontextprotocol/client'

/** Records the messages of one session as they cross its connection. Each message calls it, so it has to be quick. */
export type MessageTap = {
  /** `text`: what goes for it, be it with the end of its line. */
  sent(message: JSONRPCMessage, text: string): void
  /** `text`: what came for all of them; nobody changes it any more. */
  received(
    read: {
      readonly messages: readonly JSONRPCMessage[]
      readonly decorated: boolean
      readonly isBatch: boolean
    },
    text: Buffer,
  ): void
}
