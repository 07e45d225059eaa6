import * as z from 'zod'

import {
  AgentContext,
  FoldedContext,
  MAX_CONTEXT_LENGTH,
  OffSuggestion,
  ToolChange,
  ToolDetail,
  ToolView,
} from '../../domain/agents/tools'
import { InstallationId } from '../../domain/installation/installation'
import { StartPolicy, ToolChanges, ToolChoice } from '../../domain/tool-choice'
import { command, request, ServerRef } from './refs'

const ToolRef = ServerRef.extend({ name: z.string().max(100_000) })

/** Requests on the tools of each server and the user's decisions on them. None of these waits for a server. */
export const toolRequests = {
  /** Returns every known tool of one server or of all, in the order of servers and of their lists. */
  'tools.list': request(
    z.object({ installationId: InstallationId.optional() }),
    z.object({ generation: z.number().int(), tools: z.array(ToolView) }),
  ),
  /** Rejects with NOT_FOUND. */
  'tools.read': request(ToolRef, ToolDetail),
  /** Sets which of its tools agents see. */
  'tools.choose': command(ServerRef.extend({ choice: ToolChoice })),
  'tools.setStarts': command(ServerRef.extend({ starts: StartPolicy })),
  /** Sets whether its new and changed tools wait for review; `follow` approves the waiting ones. */
  'tools.setChanges': command(ServerRef.extend({ changes: ToolChanges })),
  /**
   * Approves or rejects held, exposed or rejected tools as they were shown: a tool whose hash changed since stays unchanged and is listed
   * in `stale`.
   */
  'tools.review': request(
    ServerRef.extend({
      decision: z.enum(['approve', 'reject']),
      tools: z
        .array(z.object({ name: z.string().max(100_000), hash: z.string().max(128) }))
        .max(10_000),
    }),
    z.object({ stale: z.array(z.string()) }),
  ),
  /** Returns the history of a server's tools, newest first. */
  'tools.history': request(ServerRef, z.array(ToolChange)),
  /** Returns exposed tools to disable, least used first, until at most `limit` remain; empty if no more are exposed. */
  'tools.suggest': request(
    z.object({ limit: z.number().int().min(1).max(10_000) }),
    z.array(OffSuggestion),
  ),
  'tools.context': request(z.object({}), AgentContext),
  /** Inserts the block of `tools.context` into a user's own text. */
  'tools.foldContext': request(
    z.object({ text: z.string().max(MAX_CONTEXT_LENGTH) }),
    FoldedContext,
  ),
}
