import * as z from 'zod'

import { InstallationId } from '../installation/installation'
import { StartPolicy, ToolChanges, ToolChoice } from '../tool-choice'
import { Tool, ToolAnnotations } from './capability'
import { DiffLine } from './host'

/**
 * Whether agents are shown a tool, and if not, why: its server is switched off or it was not chosen (`off`), it is new
 * or changed since the server's tools were approved (`held`), was rejected, or has a name or shape that no agent takes
 * (`quarantined`). How many of the exposed tools an agent lists is limited by its own profile.
 */
export const ToolExposure = z.enum(['exposed', 'off', 'held', 'refused', 'quarantined'])
export type ToolExposure = z.infer<typeof ToolExposure>

/** Something in a tool's texts that a user should look at; `where` names the text, as in `inputSchema.properties.path.description`. */
export const SecurityWarning = z.object({
  kind: z.enum(['invisible', 'instruction', 'lookAlike']),
  where: z.string(),
  /** A sentence; what it cites of the tool is cut and has its invisible characters written out. */
  message: z.string(),
})
export type SecurityWarning = z.infer<typeof SecurityWarning>

/** One tool of one server, as a row shows it; its schema comes with `ToolDetail`. */
export const ToolView = z.object({
  installationId: InstallationId,
  name: z.string(),
  /** What agents call it; also while it is not exposed. Missing when quarantined. */
  exposedName: z.string().optional(),
  /** At most 200 characters. */
  title: z.string().optional(),
  /** At most 300 characters. */
  description: z.string().optional(),
  annotations: ToolAnnotations.optional(),
  exposure: ToolExposure,
  /** Of a held one. */
  change: z.enum(['new', 'changed']).optional(),
  /** Why it is quarantined, as a sentence. */
  reason: z.string().optional(),
  /** Of its definition as the server gives it now; what is approved is bound to it. */
  hash: z.string(),
  /** Estimate of what its definition takes of a model's context; missing until it is counted. */
  tokens: z.number().int().optional(),
  securityWarnings: z.array(SecurityWarning),
  /** Why the APIs of some models reject its input schema, as sentences; missing where they take it. */
  schemaWarnings: z.array(z.string()).optional(),
  /** Calls in the last 30 days. */
  uses: z.number().int(),
  /** Epoch ms. */
  lastUsedAt: z.number().optional(),
})
export type ToolView = z.infer<typeof ToolView>

/** A tool with its definition, and with the one that was approved where the two differ. */
export const ToolDetail = z.object({
  view: ToolView,
  tool: Tool,
  approved: z.object({ tool: Tool, at: z.number() }).optional(),
})
export type ToolDetail = z.infer<typeof ToolDetail>

/** One event in the life of a server's tools, newest first in lists. */
export const ToolChange = z.object({
  /** Epoch ms. */
  at: z.number(),
  name: z.string(),
  kind: z.enum(['added', 'changed', 'removed', 'approved', 'refused']),
  packageVersion: z.string().optional(),
  before: Tool.optional(),
  after: Tool.optional(),
})
export type ToolChange = z.infer<typeof ToolChange>

/** The tools of one server in numbers. */
export const ServerTools = z.object({
  installationId: InstallationId,
  /** First part of its exposed names; it stays when the server is renamed. */
  alias: z.string(),
  choice: ToolChoice,
  starts: StartPolicy,
  changes: ToolChanges,
  /** When its list was last read, epoch ms; missing when it never was. */
  listedAt: z.number().optional(),
  /** Whether the list is of a session that serves now, and not the last known one. */
  isLive: z.boolean(),
  /** Version of the package that gave the list. */
  packageVersion: z.string().optional(),
  total: z.number().int(),
  exposed: z.number().int(),
  off: z.number().int(),
  held: z.number().int(),
  refused: z.number().int(),
  quarantined: z.number().int(),
  /** Exposed tools with warnings. */
  doubtful: z.number().int(),
  /** Estimate over its exposed tools; missing until all are counted. */
  tokens: z.number().int().optional(),
  /** Chosen names that the list does not have (C7). */
  missing: z.array(z.string()),
})
export type ServerTools = z.infer<typeof ServerTools>

/** All that agents are shown, in numbers. `generation` rises with every change of servers or tools (C5). */
export const ToolsState = z.object({
  generation: z.number().int(),
  exposed: z.number().int(),
  held: z.number().int(),
  /** Estimate over all exposed tools; missing until all are counted. */
  tokens: z.number().int().optional(),
  /** In the order of the installations; one that was never listed is there with zeros. */
  servers: z.array(ServerTools),
})
export type ToolsState = z.infer<typeof ToolsState>

/** A tool that could be switched off, and the sentence that says why. */
export const OffSuggestion = ToolView.pick({
  installationId: true,
  name: true,
  tokens: true,
}).extend({ because: z.string() })
export type OffSuggestion = z.infer<typeof OffSuggestion>

/** Server names, resources and prompts as a block of text for an agent's context (C6). */
export const AgentContext = z.object({ generation: z.number().int(), text: z.string() })
export type AgentContext = z.infer<typeof AgentContext>

/** Most characters of a text that the block is put into; the block alone may have a good part of them. */
export const MOST_FOLDED = 500_000

/**
 * A user's text with the block of now in it, once, and what that changes. `replaced` counts the earlier blocks that it
 * had; where it had none, the block stands at its end. `isEmpty`: there is no block now, so that earlier ones go.
 */
export const FoldedContext = z.object({
  text: z.string(),
  replaced: z.number().int(),
  isEmpty: z.boolean(),
  diff: z.array(DiffLine),
})
export type FoldedContext = z.infer<typeof FoldedContext>
