import * as z from 'zod'

const Count = z.number().int().nonnegative()

/** Protocol violations of one server since its last start, counted by kind. */
export const ProtocolFaults = z.object({
  /** Lines on stdout that are no JSON-RPC message; the log has them. */
  noiseLines: Count,
  /** Messages that were readable only after removing a byte order mark or colors. */
  decoratedLines: Count,
  /** Arrays of messages, which only MCP 2025-03-26 has. */
  batches: Count,
  /** Messages over the size limit. */
  oversizedMessages: Count,
  /** JSON-RPC that is neither request, notification nor response, messages nested too deep, and array elements that are no messages. */
  malformedMessages: Count,
  /** Responses with both or neither of result and error, or with wrong types. */
  malformedAnswers: Count,
  /** Responses with an unknown id. */
  unknownAnswers: Count,
  /** Further responses to an answered request. */
  duplicateAnswers: Count,
  /** Responses and progress after the timeout or cancellation of their request. */
  lateAnswers: Count,
  /** Messages that needed a repair: a null for an absent member, a missing version, an ignored element. */
  repairs: Count,
})
export type ProtocolFaults = z.infer<typeof ProtocolFaults>

/** One kind of violation or repair, as the server page lists it. */
export const ProtocolWarning = z.object({
  kind: ProtocolFaults.keyof(),
  /** One sentence that names what and where. */
  message: z.string(),
  count: z.number().int().positive(),
  /** Epoch ms of the last time. */
  lastAt: z.number(),
})
export type ProtocolWarning = z.infer<typeof ProtocolWarning>

export const NO_FAULTS = Object.fromEntries(
  ProtocolFaults.keyof().options.map((kind) => [kind, 0]),
) as ProtocolFaults
