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

/** Where a part of a text begins and how long it may be, in UTF-16 units. */
export const PartRange = z.object({
  from: z.number().int().min(0),
  length: z.number().int().min(1).max(PART_LENGTH).default(PART_LENGTH),
})

/** What a user tries of a server. */
export const toolRunRequests = {
  /**
   * Sends the request and answers when it is over, whatever its outcome. A server that waits for its first use is
   * started. Rejects with NOT_FOUND, and with INVALID_REQUEST where the id was used before.
   */
  'toolRun.start': request(
    ServerRef.extend({
      toolRunId: ToolRunId,
      request: ToolRunRequest,
      /** How long without an answer or progress, in ms. */
      timeoutMs: z.number().int().min(1_000).max(3_600_000).optional(),
    }),
    ToolRun,
  ),
  /** One that is over stays as it is. */
  'toolRun.cancel': command(ToolRunRef),
  /** What is still known of this run of the app, newest first; `target` is the name or address that was tried. */
  'toolRun.history': request(
    ServerRef.extend({
      method: ToolRunRequest.shape.method.optional(),
      target: z.string().max(100_000).optional(),
    }),
    z.array(ToolRun),
  ),
  /** Forgets the runs of a server. */
  'toolRun.clear': command(ServerRef),
  /** A part of the result, or of the data of an error, as JSON text with known secrets masked. Rejects with NOT_FOUND. */
  'toolRun.text': request(ToolRunRef.extend(PartRange.shape), TextPart),
  /** What the server offers for an argument; empty where it completes none, or does not run: it is not started for it. Rejects as it does, within 5 s. */
  'toolRun.complete': request(
    ServerRef.extend({ request: CompletionRequest }),
    z.object({
      values: z.array(z.string()),
      total: z.number().optional(),
      hasMore: z.boolean(),
    }),
  ),
  /** Has the server tell of changes of a resource, or no longer (MCP, resources/subscribe); `toolRun.updated` follows, four times a second at most, until all who watch it have left it or its server is removed. Rejects with NOT_FOUND, with NOT_AVAILABLE_HERE where the server tells of no changes, and as the server does. */
  'toolRun.watch': command(
    ServerRef.extend({
      uri: z.string().max(100_000),
      isWanted: z.boolean(),
      /** Who watches; another one for each screen, so that none leaves it for the others. */
      watcherId: z.uuid(),
    }),
  ),
}
