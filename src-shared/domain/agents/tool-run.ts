import * as z from 'zod'

import { AppErrorShape } from '../app-error'
import { InstallationId } from '../installation/installation'

/** Names one run; made by who starts it, so that it can be cancelled before its answer is there. */
export const ToolRunId = z.uuid()

/** What a user asks of a server to see what it does; the arguments of a tool are checked as those of agents. */
export const ToolRunRequest = z.object({
  method: z.enum(['tools/call', 'resources/read', 'prompts/get']),
  params: z.record(z.string(), z.unknown()),
})
export type ToolRunRequest = z.infer<typeof ToolRunRequest>

/** What a result lacks of the output schema of its tool. */
export const SchemaProblem = z.object({
  /** Place in the structured content as a JSON pointer (RFC 6901); empty for all of it. */
  path: z.string(),
  message: z.string(),
})
export type SchemaProblem = z.infer<typeof SchemaProblem>

/** How a run ended. Its text is read in parts, by `toolRun.text`. */
export const ToolRunOutcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('result'),
    /** Length of the result as JSON text, in UTF-16 units, known secrets masked. */
    length: z.number().int(),
    /** Of the answer, in bytes. */
    bytes: z.number().int(),
    /** Whether the tool itself says that it failed (MCP, `isError`). */
    isError: z.boolean(),
    /** Against the output schema; missing where the tool has none, or says that it failed. */
    checked: z
      .object({
        problems: z.array(SchemaProblem),
        isChecked: z.boolean(),
        why: z.string().optional(),
      })
      .optional(),
  }),
  /** The server answered with an error of JSON-RPC. */
  z.object({
    kind: z.literal('refused'),
    code: z.number(),
    message: z.string(),
    /** Length of `error.data` as JSON text; 0 where there is none. */
    length: z.number().int(),
  }),
  /** No answer: not running, too late, cancelled, gone. */
  z.object({ kind: z.literal('failed'), error: AppErrorShape }),
])
export type ToolRunOutcome = z.infer<typeof ToolRunOutcome>

/** One run of this run of the app. */
export const ToolRun = z.object({
  toolRunId: ToolRunId,
  installationId: InstallationId,
  request: ToolRunRequest,
  /** Epoch ms. */
  startedAt: z.number(),
  /** Missing while it is on its way. */
  durationMs: z.number().optional(),
  outcome: ToolRunOutcome.optional(),
  /** Whether its text is still held. */
  hasText: z.boolean(),
  /** A view of the server sent it, and not the user. */
  isOfView: z.literal(true).optional(),
})
export type ToolRun = z.infer<typeof ToolRun>

/** A step of a run that is on its way (MCP, progress); the message is the server's own, cut. */
export const ToolRunProgress = z.object({
  toolRunId: ToolRunId,
  progress: z.number(),
  total: z.number().optional(),
  message: z.string().optional(),
})
export type ToolRunProgress = z.infer<typeof ToolRunProgress>

/** What completes an argument (MCP, completion/complete). */
export const CompletionRequest = z.object({
  ref: z.discriminatedUnion('type', [
    z.object({ type: z.literal('ref/prompt'), name: z.string().max(100_000) }),
    z.object({ type: z.literal('ref/resource'), uri: z.string().max(100_000) }),
  ]),
  argument: z.object({ name: z.string().max(100_000), value: z.string().max(100_000) }),
  /** Arguments that are filled in already. */
  context: z.object({ arguments: z.record(z.string(), z.string()) }).optional(),
})
export type CompletionRequest = z.infer<typeof CompletionRequest>

/** A part of a long text: `text` begins at the asked place, `length` is that of all of it. UTF-16 units. */
export const TextPart = z.object({ text: z.string(), length: z.number().int() })
export type TextPart = z.infer<typeof TextPart>

/** Most of one part, in UTF-16 units: what is read in one turn of a screen. */
export const PART_LENGTH = 256 * 1024
