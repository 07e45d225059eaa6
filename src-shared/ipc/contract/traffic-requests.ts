import * as z from 'zod'

import { TrafficEntry, TrafficFilter, TrafficRef } from '../../domain/agents/traffic'
import { TextPart, Trial, TrialId } from '../../domain/agents/trial'
import type { RequestChannel } from '../channels'
import type { Shapes } from './refs'
import { ServerRef } from './refs'
import { PartRange } from './trial-requests'

/** The messages between Patchbay and servers. */
export const trafficRequests = {
  /** Entries with `seq` above `afterSeq`, oldest first, at most `limit`; `firstSeq` is the oldest still held. */
  'traffic.read': {
    input: ServerRef.extend({
      afterSeq: z.number().int().default(-1),
      limit: z.number().int().min(1).max(20_000).default(20_000),
    }),
    output: z.object({ entries: z.array(TrafficEntry), firstSeq: z.number().int() }),
  },
  /** Which of the held messages with `seq` above `afterSeq` have this text in them, by `seq`, ascending. */
  'traffic.find': {
    input: ServerRef.extend({
      text: z.string().min(1).max(1_000),
      afterSeq: z.number().int().default(-1),
    }),
    output: z.array(z.number().int()),
  },
  /** A part of a message as JSON text with known secrets masked. Rejects with NOT_FOUND. */
  'traffic.text': { input: TrafficRef.extend(PartRange.shape), output: TextPart },
  /** The messages as JSON lines with known secrets masked; `isWhole` tells whether all of them fit. */
  'traffic.export': {
    input: ServerRef.extend({ filter: TrafficFilter.default({}) }),
    output: z.object({ text: z.string(), count: z.number().int(), isWhole: z.boolean() }),
  },
  /** Forgets the messages of a server. */
  'traffic.clear': { input: ServerRef, output: z.void() },
  /** Sends a request that was sent before once more, as it was; its answer is a trial. Rejects with NOT_FOUND, and with INVALID_REQUEST where it is no request that a person may send. */
  'traffic.replay': { input: TrafficRef.extend({ trialId: TrialId }), output: Trial },
} satisfies Partial<Record<RequestChannel, Shapes>>
