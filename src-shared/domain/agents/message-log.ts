import * as z from 'zod'

import { InstallationId } from '../installation/installation'

/** One message between Patchbay and a server, as a row shows it. Its text is read separately. */
export const MessageEntry = z.object({
  /** Sequence number within this server's log; rises by one. */
  seq: z.number().int(),
  /** Session of the server, counted from 1. */
  session: z.number().int(),
  /** Epoch ms. */
  at: z.number(),
  direction: z.enum(['sent', 'received']),
  /** Kind by JSON-RPC 2.0; `result` and `error` are responses. */
  kind: z.enum(['request', 'notification', 'result', 'error']),
  /** Method of a request or notification, or of the request that a response belongs to, if known; cut. */
  method: z.string().optional(),
  /** Id of a request or response, as JSON, so that 1 and "1" differ. */
  id: z.string().optional(),
  /** What is called or read, such as a tool's name or an address; cut. */
  target: z.string().optional(),
  /** Code of an error. */
  code: z.number().optional(),
  /** Size of the text. */
  bytes: z.number().int(),
  /** `seq` of the request that a response belongs to, if still in the log. */
  requestSeq: z.number().int().optional(),
  /** Time between request and response, in ms. */
  durationMs: z.number().optional(),
  /** Whether the log has its text. Large texts are not stored, and the oldest are dropped. */
  hasText: z.boolean(),
})
export type MessageEntry = z.infer<typeof MessageEntry>

/** Which messages to return; a missing member matches everything. */
export const MessageFilter = z.object({
  method: z.string().max(1_000).optional(),
  id: z.string().max(1_000).optional(),
  direction: z.enum(['sent', 'received']).optional(),
  isError: z.boolean().optional(),
  /** Text to search for in the message as it is shown, ignoring case. */
  text: z.string().max(1_000).optional(),
  /** Also returns the request or response that belongs to each match. */
  isPaired: z.boolean().optional(),
})
export type MessageFilter = z.infer<typeof MessageFilter>

/** Reference to one message of a server. */
export const MessageRef = z.object({ installationId: InstallationId, seq: z.number().int() })
export type MessageRef = z.infer<typeof MessageRef>
