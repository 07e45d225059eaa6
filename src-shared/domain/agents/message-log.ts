import * as z from 'zod'

import { InstallationId } from '../installation/installation'

/** One message between Patchbay and a server, as a row shows it; its text is read apart. */
export const MessageEntry = z.object({
  /** Its place in the exchange of this server; rises by one. */
  seq: z.number().int(),
  /** Which session of the server it belongs to, counted from 1. */
  session: z.number().int(),
  /** Epoch ms. */
  at: z.number(),
  direction: z.enum(['sent', 'received']),
  /** What it is by JSON-RPC 2.0; `result` and `error` are answers. */
  kind: z.enum(['request', 'notification', 'result', 'error']),
  /** Of a request or notification, and of the request that an answer is to, where it is known; cut. */
  method: z.string().optional(),
  /** Of a request or an answer, as JSON, so that 1 and "1" differ. */
  id: z.string().optional(),
  /** What is called or read, such as a tool's name or an address; cut. */
  target: z.string().optional(),
  /** Of an error. */
  code: z.number().optional(),
  /** Of its text. */
  bytes: z.number().int(),
  /** Of an answer: `seq` of its request, where that is still held. */
  requestSeq: z.number().int().optional(),
  /** Of an answer: since its request, in ms. */
  durationMs: z.number().optional(),
  /** Whether its text is held; larger ones are not, and the oldest are let go. */
  hasText: z.boolean(),
})
export type MessageEntry = z.infer<typeof MessageEntry>

/** Which messages; what is missing lets everything pass. */
export const MessageFilter = z.object({
  method: z.string().max(1_000).optional(),
  id: z.string().max(1_000).optional(),
  direction: z.enum(['sent', 'received']).optional(),
  isError: z.boolean().optional(),
  /** In the text of the message as it is shown, any case. */
  text: z.string().max(1_000).optional(),
  /** With each message that passes, the request that it answers, or the answer to it. */
  isPaired: z.boolean().optional(),
})
export type MessageFilter = z.infer<typeof MessageFilter>

/** Names one message of a server. */
export const MessageRef = z.object({ installationId: InstallationId, seq: z.number().int() })
export type MessageRef = z.infer<typeof MessageRef>
