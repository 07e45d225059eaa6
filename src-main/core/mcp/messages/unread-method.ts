import type { Client, JSONRPCMessage } from '@modelcontextprotocol/client'

const MARK = ' (unread)'

/**
 * What the SDK is asked for, so that it hands an answer on as the server wrote it: in the newer era it checks the answers
 * to every method that it knows, and lets a whole list go for one element that is broken.
 */
export function unreadMethod(client: Client, method: string): string {
  return client.getProtocolEra() === 'modern' ? method + MARK : method
}

/** A message as it goes to the server, with the method's own name. */
export function withOwnMethod(message: JSONRPCMessage): JSONRPCMessage {
  if (!('method' in message) || !message.method.endsWith(MARK)) return message
  return { ...message, method: message.method.slice(0, -MARK.length) }
}
