import * as z from 'zod'

import {
  AgentContext,
  FoldedContext,
  MOST_FOLDED,
  OffSuggestion,
  ToolChange,
  ToolDetail,
  ToolView,
} from '../../domain/agents/tools'
import { InstallationId } from '../../domain/installation/installation'
import { StartPolicy, ToolChanges, ToolChoice } from '../../domain/tool-choice'
import { command, request, ServerRef } from './refs'

const ToolRef = ServerRef.extend({ name: z.string().max(100_000) })

/** What agents are shown of each server, and what a user decides about it. None of these waits for a server. */
export const toolRequests = {
  /** Every tool that is known, of one server or of all; in the order of servers and of their lists. */
  'tools.list': request(
    z.object({ installationId: InstallationId.optional() }),
    z.object({ generation: z.number().int(), tools: z.array(ToolView) }),
  ),
  /** Rejects with NOT_FOUND. */
  'tools.read': request(ToolRef, ToolDetail),
  /** Which of its tools agents are shown. */
  'tools.choose': command(ServerRef.extend({ choice: ToolChoice })),
  'tools.setStarts': command(ServerRef.extend({ starts: StartPolicy })),
  /** Whether its new and changed tools wait for review; what waits is approved with `follow`. */
  'tools.setChanges': command(ServerRef.extend({ changes: ToolChanges })),
  /** Approves or rejects held, exposed or rejected tools as they were seen: one whose hash is another by now is left as it is and named in `stale`. */
  'tools.review': request(
    ServerRef.extend({
      decision: z.enum(['approve', 'refuse']),
      tools: z
        .array(z.object({ name: z.string().max(100_000), hash: z.string().max(128) }))
        .max(10_000),
    }),
    z.object({ stale: z.array(z.string()) }),
  ),
  /** What happened to the tools of a server, newest first. */
  'tools.history': request(ServerRef, z.array(ToolChange)),
  /** Exposed tools to switch off, the least missed first, until at most `limit` are left; empty when no more are exposed. */
  'tools.suggest': request(
    z.object({ limit: z.number().int().min(1).max(10_000) }),
    z.array(OffSuggestion),
  ),
  'tools.context': request(z.object({}), AgentContext),
  /** A user's own text with the block of `tools.context` in it. */
  'tools.foldContext': request(z.object({ text: z.string().max(MOST_FOLDED) }), FoldedContext),
}
