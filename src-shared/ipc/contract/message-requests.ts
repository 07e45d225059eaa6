import * as z from 'zod'

import { MessageEntry, MessageFilter, MessageRef } from '../../domain/agents/message-log'
import { TextPart, ToolRun, ToolRunId } from '../../domain/agents/tool-run'
import { command, request, ServerRef } from './refs'
import { PartRange } from './tool-run-requests'

/** The messages between Patchbay and servers. */
export const messageRequests = {
  /** Entries with `seq` above `afterSeq`, oldest first, at most `limit`; `firstSeq` is the oldest still held. */
  'messages.read': request(
    ServerRef.extend({
      afterSeq: z.number().int().default(-1),
      limit: z.number().int().min(1).max(20_000).default(20_000),
    }),
    z.object({ entries: z.array(MessageEntry), firstSeq: z.number().int() }),
  ),
  /** Which of the held messages with `seq` above `afterSeq` have this text in them, by `seq`, ascending. */
  'messages.find': request(
    ServerRef.extend({
      text: z.string().min(1).max(1_000),
      afterSeq: z.number().int().default(-1),
    }),
    z.array(z.number().int()),
  ),
  /** A part of a message as JSON text with known secrets masked. Rejects with NOT_FOUND. */
  'messages.text': request(MessageRef.extend(PartRange.shape), TextPart),
  /** The messages as JSON lines with known secrets masked; `isWhole` tells whether all of them fit. */
  'messages.export': request(
    ServerRef.extend({ filter: MessageFilter.default({}) }),
    z.object({ text: z.string(), count: z.number().int(), isWhole: z.boolean() }),
  ),
  /** Forgets the messages of a server. */
  'messages.clear': command(ServerRef),
  /** Sends a request that was sent before once more, as it was; its answer is a run. Rejects with NOT_FOUND, and with INVALID_REQUEST where it is no request that a user may send. */
  'messages.replay': request(MessageRef.extend({ toolRunId: ToolRunId }), ToolRun),
}
