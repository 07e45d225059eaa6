import * as z from 'zod'

import {
  CompletionRequest,
  PART_LENGTH,
  TextPart,
  ToolRun,
  ToolRunId,
  ToolRunRequest,
} from '../../domain/agents/tool-run'
import { command, request, ServerRef } from './refs'

const ToolRunRef = z.object({ toolRunId: ToolRunId })

/** Start and maximum length of a part of a text, in UTF-16 units. */
export const PartRange = z.object({
  from: z.number().int().min(0),
  length: z.number().int().min(1).max(PART_LENGTH).default(PART_LENGTH),
})

/** Requests on a user's own tool runs. */
export const toolRunRequests = {
  /**
   * Sends the request and responds when it has ended, whatever its outcome. A server that starts on first use is started. Rejects with
   * NOT_FOUND, and with INVALID_REQUEST if the id was used before.
   */
  'toolRun.start': request(
    ServerRef.extend({
      toolRunId: ToolRunId,
      request: ToolRunRequest,
      /** Time limit without a response or progress, in ms. */
      timeoutMs: z.number().int().min(1_000).max(3_600_000).optional(),
    }),
    ToolRun,
  ),
  /** No effect on an ended run. */
  'toolRun.cancel': command(ToolRunRef),
  /** Returns the stored runs since the app started, newest first; `target` is the name or address of the element. */
  'toolRun.history': request(
    ServerRef.extend({
      method: ToolRunRequest.shape.method.optional(),
      target: z.string().max(100_000).optional(),
    }),
    z.array(ToolRun),
  ),
  /** Deletes the runs of a server. */
  'toolRun.clear': command(ServerRef),
  /** Returns a part of the result, or of an error's data, as JSON text with known secrets masked. Rejects with NOT_FOUND. */
  'toolRun.text': request(ToolRunRef.extend(PartRange.shape), TextPart),
  /**
   * Returns the server's completions for an argument; empty if it offers none or is not running: this never starts a server. Rejects like
   * the server, within 5 s.
   */
  'toolRun.complete': request(
    ServerRef.extend({ request: CompletionRequest }),
    z.object({
      values: z.array(z.string()),
      total: z.number().optional(),
      hasMore: z.boolean(),
    }),
  ),
  /**
   * Subscribes to changes of a resource, or unsubscribes (MCP, resources/subscribe). `toolRun.updated` follows, at most four times a
   * second, until all watchers have unsubscribed or the server is removed. Rejects with NOT_FOUND, with NOT_AVAILABLE_HERE if the server
   * supports no subscriptions, and like the server.
   */
  'toolRun.watch': command(
    ServerRef.extend({
      uri: z.string().max(100_000),
      isWanted: z.boolean(),
      /** The watcher, one for each screen, so that none unsubscribes the others. */
      watcherId: z.uuid(),
    }),
  ),
}
