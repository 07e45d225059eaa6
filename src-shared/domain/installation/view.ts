import * as z from 'zod'

import { isJsonObject, type JsonObject } from '../server-json/tolerant-reader'

const Sources = z.array(z.string())

/** Addresses that a view loads from, as sources of a content security policy, sorted. */
export const ViewDomains = z.object({
  /** What its code may ask. */
  connect: Sources,
  /** Where scripts, styles, pictures and fonts come from. */
  resource: Sources,
  /** Pages that it shows in frames. */
  frame: Sources,
})
export type ViewDomains = z.infer<typeof ViewDomains>

/** Names one view that is open. */
export const ViewId = z.uuid()

/** What a tool's view is, before anything of it is drawn (MCP Apps). */
export const ViewInfo = z.object({
  domains: ViewDomains,
  /** Declared addresses that can't be allowed; the view does without. */
  ignored: z.array(z.string()),
  /** Whether views of this server with these addresses are shown without a question. */
  isAllowed: z.boolean(),
})
export type ViewInfo = z.infer<typeof ViewInfo>

/** A view as a page can show it, once. */
export const OpenedView = z.object({
  viewId: ViewId,
  /** Address of its outer frame, on this computer; good for one load within a minute. */
  address: z.string(),
})
export type OpenedView = z.infer<typeof OpenedView>

/** What became of a request of a view. */
export const ViewAnswer = z.discriminatedUnion('kind', [
  /** `text` is the result as JSON, known secrets masked. */
  z.object({ kind: z.literal('result'), text: z.string() }),
  /** The tool may change something: the user has to see the exact arguments first. */
  z.object({ kind: z.literal('approval') }),
  z.object({ kind: z.literal('error'), message: z.string() }),
])
export type ViewAnswer = z.infer<typeof ViewAnswer>

/** What a tool or resource says for views (MCP Apps, `_meta.ui`). */
export function uiOf(element: unknown): JsonObject {
  const meta = isJsonObject(element) && isJsonObject(element._meta) ? element._meta : {}
  return isJsonObject(meta.ui) ? meta.ui : {}
}

/** The page of a tool (MCP Apps, `_meta.ui.resourceUri`; `ui/resourceUri` before 2026); undefined where it has none. */
export function viewUriOf(tool: unknown): string | undefined {
  const meta = isJsonObject(tool) && isJsonObject(tool._meta) ? tool._meta : {}
  const uri = uiOf(tool).resourceUri ?? meta['ui/resourceUri']
  return typeof uri === 'string' && uri.startsWith('ui://') ? uri : undefined
}
