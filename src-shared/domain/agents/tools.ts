import * as z from 'zod'

import { InstallationId } from '../installation/installation'
import { StartPolicy, ToolChanges, ToolChoice } from '../tool-choice'
import { Tool, ToolAnnotations } from './capability'
import { DiffLine } from './host'

/**
 * Whether agents see a tool, and if not, why. `off`: its server is disabled or it was not chosen. `held`: it is new or changed since the
 * server's tools were approved. `refused`: rejected. `quarantined`: no agent accepts its name or shape. The agent's own profile limits how
 * many exposed tools it lists.
 */
export const ToolExposure = z.enum(['exposed', 'off', 'needsReview', 'rejected', 'quarantined'])
export type ToolExposure = z.infer<typeof ToolExposure>

/** Something suspicious in a tool's texts; `where` names the text, such as `inputSchema.properties.path.description`. */
export const SecurityWarning = z.object({
  kind: z.enum(['invisible', 'instruction', 'lookAlike']),
  where: z.string(),
  /** One sentence. Quotes from the tool are cut, with invisible characters written as codes. */
  message: z.string(),
})
export type SecurityWarning = z.infer<typeof SecurityWarning>

/** One tool of one server, as a row shows it; `ToolDetail` adds its schema. */
export const ToolView = z.object({
  installationId: InstallationId,
  name: z.string(),
  /** Name for agents, also while it is not exposed; missing if quarantined. */
  exposedName: z.string().optional(),
  /** At most 200 characters. */
  title: z.string().optional(),
  /** At most 300 characters. */
  description: z.string().optional(),
  annotations: ToolAnnotations.optional(),
  exposure: ToolExposure,
  /** Present if held. */
  change: z.enum(['new', 'changed']).optional(),
  /** Why it is quarantined, as a sentence. */
  reason: z.string().optional(),
  /** Hash of its current definition; an approval applies to this hash only. */
  hash: z.string(),
  /** Estimated context size of its definition in tokens; missing until counted. */
  tokens: z.number().int().optional(),
  securityWarnings: z.array(SecurityWarning),
  /** Why the APIs of some models reject its input schema, as sentences; missing if they accept it. */
  schemaWarnings: z.array(z.string()).optional(),
  /** Number of calls in the last 30 days. */
  uses: z.number().int(),
  /** Epoch ms. */
  lastUsedAt: z.number().optional(),
})
export type ToolView = z.infer<typeof ToolView>

/** A tool with its definition, and with the approved one if they differ. */
export const ToolDetail = z.object({
  view: ToolView,
  tool: Tool,
  approved: z.object({ tool: Tool, at: z.number() }).optional(),
})
export type ToolDetail = z.infer<typeof ToolDetail>

/** One event in the history of a server's tools, newest first in lists. */
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

/** Numbers on the tools of one server. */
export const ServerTools = z.object({
  installationId: InstallationId,
  /** Prefix of its exposed names; unchanged when the server is renamed. */
  alias: z.string(),
  choice: ToolChoice,
  starts: StartPolicy,
  changes: ToolChanges,
  /** When its list was last read, epoch ms; missing if never. */
  listedAt: z.number().optional(),
  /** Whether the list comes from the current session instead of the last known one. */
  isLive: z.boolean(),
  /** Version of the package that returned the list. */
  packageVersion: z.string().optional(),
  total: z.number().int(),
  exposed: z.number().int(),
  off: z.number().int(),
  needsReview: z.number().int(),
  rejected: z.number().int(),
  quarantined: z.number().int(),
  /** Number of exposed tools with warnings. */
  doubtful: z.number().int(),
  /** Estimated tokens of its exposed tools; missing until all are counted. */
  tokens: z.number().int().optional(),
  /** Chosen names that the list lacks (C7). */
  missing: z.array(z.string()),
})
export type ServerTools = z.infer<typeof ServerTools>

/** Numbers on all exposed tools. `generation` rises with every change of servers or tools (C5). */
export const ToolsState = z.object({
  generation: z.number().int(),
  exposed: z.number().int(),
  needsReview: z.number().int(),
  /** Estimated tokens of all exposed tools; missing until all are counted. */
  tokens: z.number().int().optional(),
  /** In the order of the installations. A server that was never listed has zeros. */
  servers: z.array(ServerTools),
})
export type ToolsState = z.infer<typeof ToolsState>

/** A tool that could be disabled, and the reason in a sentence. */
export const OffSuggestion = ToolView.pick({
  installationId: true,
  name: true,
  tokens: true,
}).extend({ because: z.string() })
export type OffSuggestion = z.infer<typeof OffSuggestion>

/** Server names, resources and prompts as a text block for an agent's context (C6). */
export const AgentContext = z.object({ generation: z.number().int(), text: z.string() })
export type AgentContext = z.infer<typeof AgentContext>

/** Maximum length of the text that receives the block, in characters. The block alone may need much of it. */
export const MAX_CONTEXT_LENGTH = 500_000

/**
 * A user's text with exactly one current block, and what changes. `replaced` counts the earlier blocks in it; without one the block is
 * appended. `isEmpty`: no block exists now, so that earlier ones are removed.
 */
export const FoldedContext = z.object({
  text: z.string(),
  replaced: z.number().int(),
  isEmpty: z.boolean(),
  diff: z.array(DiffLine),
})
export type FoldedContext = z.infer<typeof FoldedContext>
