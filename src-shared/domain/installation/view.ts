import * as z from 'zod'

import { isJsonObject, type JsonObject } from '../json-object'

const Sources = z.array(z.string())

/** Addresses that a view loads from, as sorted sources of a content security policy. */
export const ViewDomains = z.object({
  /** Addresses that its code may request. */
  connect: Sources,
  /** Addresses of scripts, styles, pictures and fonts. */
  resource: Sources,
  /** Pages that it may show in frames. */
  frame: Sources,
})
export type ViewDomains = z.infer<typeof ViewDomains>

/** Identifies one open view. */
export const ViewId = z.uuid()

/** Information on a tool's view before it is rendered (MCP Apps). */
export const ViewInfo = z.object({
  domains: ViewDomains,
  /** Declared addresses that can't be allowed; the view runs without them. */
  ignored: z.array(z.string()),
  /** Whether views of this server with these addresses open without a question. */
  isAllowed: z.boolean(),
})
export type ViewInfo = z.infer<typeof ViewInfo>

/** A view that a page can show once. */
export const OpenedView = z.object({
  viewId: ViewId,
  /** Address of its outer frame on this computer, valid for one load within a minute. */
  address: z.string(),
})
export type OpenedView = z.infer<typeof OpenedView>

/** Result of a view's request. */
export const ViewAnswer = z.discriminatedUnion('kind', [
  /** `text` is the result as JSON, known secrets masked. */
  z.object({ kind: z.literal('result'), text: z.string() }),
  /** The tool may change something: the user has to see the exact arguments first. */
  z.object({ kind: z.literal('approval') }),
  z.object({ kind: z.literal('error'), message: z.string() }),
])
export type ViewAnswer = z.infer<typeof ViewAnswer>

/** Returns the view metadata of a tool or resource (MCP Apps, `_meta.ui`). */
export function uiOf(element: unknown): JsonObject {
  const meta = isJsonObject(element) && isJsonObject(element._meta) ? element._meta : {}
  return isJsonObject(meta.ui) ? meta.ui : {}
}

/** Returns the page of a tool (MCP Apps, `_meta.ui.resourceUri`; `ui/resourceUri` before 2026); undefined if it has none. */
export function viewUriOf(tool: unknown): string | undefined {
  const meta = isJsonObject(tool) && isJsonObject(tool._meta) ? tool._meta : {}
  const uri = uiOf(tool).resourceUri ?? meta['ui/resourceUri']
  return typeof uri === 'string' && uri.startsWith('ui://') ? uri : undefined
}
