import * as z from 'zod'

const Count = z.number().int().nonnegative()

/** What one server did against the protocol since its last start, counted by kind. */
export const ProtocolFaults = z.object({
  /** Lines on stdout that are no JSON-RPC message; they stand in the log. */
  noiseLines: Count,
  /** Messages that were readable only without their byte order mark or colours. */
  decoratedLines: Count,
  /** Arrays of messages, which only MCP 2025-03-26 knows. */
  batches: Count,
  /** Messages over the size limit. */
  oversizedMessages: Count,
  /** JSON-RPC that is neither request, notification nor answer, what is nested too deep, and elements of arrays that are no messages. */
  malformedMessages: Count,
  /** Answers with both or neither of result and error, or of wrong types. */
  malformedAnswers: Count,
  /** Answers to an id that was never asked. */
  unknownAnswers: Count,
  /** Further answers to a request that was answered. */
  duplicateAnswers: Count,
  /** Answers and progress that came after the deadline or the cancellation of their request. */
  lateAnswers: Count,
  /** Messages that were usable after a repair: a null for an absent member, a missing version, one element ignored. */
  repairs: Count,
})
export type ProtocolFaults = z.infer<typeof ProtocolFaults>

/** One kind of fault or repair, as the server page lists it. */
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
