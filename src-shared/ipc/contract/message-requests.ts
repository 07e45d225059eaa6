import * as z from 'zod'

import { MessageEntry, MessageFilter, MessageRef } from '../../domain/agents/message-log'
import { TextPart, ToolRun, ToolRunId } from '../../domain/agents/tool-run'
import { command, request, ServerRef } from './refs'
import { PartRange } from './tool-run-requests'

/** Requests on the messages between Patchbay and servers. */
export const messageRequests = {
  /** Returns entries with `seq` above `afterSeq`, oldest first, at most `limit`; `firstSeq` is the oldest stored one. */
  'messages.read': request(
    ServerRef.extend({
      afterSeq: z.number().int().default(-1),
      limit: z.number().int().min(1).max(20_000).default(20_000),
    }),
    z.object({ entries: z.array(MessageEntry), firstSeq: z.number().int() }),
  ),
  /** Returns the `seq` of stored messages above `afterSeq` that contain this text, ascending. */
  'messages.find': request(
    ServerRef.extend({
      text: z.string().min(1).max(1_000),
      afterSeq: z.number().int().default(-1),
    }),
    z.array(z.number().int()),
  ),
  /** Returns a part of a message as JSON text with known secrets masked. Rejects with NOT_FOUND. */
  'messages.text': request(MessageRef.extend(PartRange.shape), TextPart),
  /** Returns the messages as JSON lines with known secrets masked; `isWhole` is true if all of them fit. */
  'messages.export': request(
    ServerRef.extend({ filter: MessageFilter.default({}) }),
    z.object({ text: z.string(), count: z.number().int(), isWhole: z.boolean() }),
  ),
  /** Deletes the messages of a server. */
  'messages.clear': command(ServerRef),
  /**
   * Sends an earlier request again, unchanged; the response is a tool run. Rejects with NOT_FOUND, and with INVALID_REQUEST if it is no
   * request that a user may send.
   */
  'messages.replay': request(MessageRef.extend({ toolRunId: ToolRunId }), ToolRun),
}
