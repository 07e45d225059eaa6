import * as z from 'zod'

import {
  OpenedView,
  ViewAnswer,
  ViewDomains,
  ViewId,
  ViewInfo,
} from '../../domain/installation/view'
import { command, request, ServerRef } from './refs'

const ToolRef = ServerRef.extend({ name: z.string().max(10_000) })

/** Requests on the views of tools (MCP Apps), which the user opens in Try it. */
export const viewRequests = {
  /** Reads the page of a tool from its server without rendering it. Rejects with NOT_FOUND, INVALID_ANSWER, and like the server. */
  'view.read': request(ToolRef, ViewInfo),
  /**
   * Prepares the page for one load. `domains` are those that the user saw; `remembers` opens later views with the same ones without a
   * question.
   */
  'view.open': request(
    ToolRef.extend({ domains: ViewDomains, remembers: z.boolean() }),
    OpenedView,
  ),
  /** Sends a request of a view to its own server; `isApproved` after the user saw its exact parameters. */
  'view.request': request(
    z.object({
      viewId: ViewId,
      method: z.enum(['tools/call', 'resources/read']),
      params: z.record(z.string(), z.unknown()),
      isApproved: z.boolean(),
    }),
    ViewAnswer,
  ),
  /** Returns the undeclared hosts that the view requested and that were blocked. */
  'view.blocked': request(z.object({ viewId: ViewId }), z.array(z.string())),
  'view.close': command(z.object({ viewId: ViewId })),
}
