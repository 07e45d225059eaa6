import * as z from 'zod'

import { AppErrorShape } from '../app-error'
import { InstallationId } from '../installation/installation'

/** Identifies one run. The caller creates it, so that it can cancel before the response arrives. */
export const ToolRunId = z.uuid()

/** A user's own request to a server. Tool arguments are validated like those of agents. */
export const ToolRunRequest = z.object({
  method: z.enum(['tools/call', 'resources/read', 'prompts/get']),
  params: z.record(z.string(), z.unknown()),
})
export type ToolRunRequest = z.infer<typeof ToolRunRequest>

/** A violation of the tool's output schema. */
export const SchemaProblem = z.object({
  /** JSON pointer into the structured content (RFC 6901); empty for the root. */
  path: z.string(),
  message: z.string(),
})
export type SchemaProblem = z.infer<typeof SchemaProblem>

/** Result of a run. `toolRun.text` reads its text in parts. */
export const ToolRunOutcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('result'),
    /** Length of the result as JSON text, in UTF-16 units, known secrets masked. */
    length: z.number().int(),
    /** Size of the response in bytes. */
    bytes: z.number().int(),
    /** Whether the tool reports a failure (MCP, `isError`). */
    isError: z.boolean(),
    /** Validation against the output schema; missing if the tool has none or reports a failure. */
    checked: z
      .object({
        problems: z.array(SchemaProblem),
        isChecked: z.boolean(),
        why: z.string().optional(),
      })
      .optional(),
  }),
  /** The server returned a JSON-RPC error. */
  z.object({
    kind: z.literal('refused'),
    code: z.number(),
    message: z.string(),
    /** Length of `error.data` as JSON text; 0 if there is none. */
    length: z.number().int(),
  }),
  /** No response: the server was not running, timed out, was cancelled or exited. */
  z.object({ kind: z.literal('failed'), error: AppErrorShape }),
])
export type ToolRunOutcome = z.infer<typeof ToolRunOutcome>

/** One tool run since the app started. */
export const ToolRun = z.object({
  toolRunId: ToolRunId,
  installationId: InstallationId,
  request: ToolRunRequest,
  /** Epoch ms. */
  startedAt: z.number(),
  /** Missing while it is in progress. */
  durationMs: z.number().optional(),
  outcome: ToolRunOutcome.optional(),
  /** Whether its text is still stored. */
  hasText: z.boolean(),
  /** A view of the server sent it, not the user. */
  isOfView: z.literal(true).optional(),
})
export type ToolRun = z.infer<typeof ToolRun>

/** Progress of a run (MCP, progress); the message is the server's own, cut. */
export const ToolRunProgress = z.object({
  toolRunId: ToolRunId,
  progress: z.number(),
  total: z.number().optional(),
  message: z.string().optional(),
})
export type ToolRunProgress = z.infer<typeof ToolRunProgress>

/** Request to complete an argument (MCP, completion/complete). */
export const CompletionRequest = z.object({
  ref: z.discriminatedUnion('type', [
    z.object({ type: z.literal('ref/prompt'), name: z.string().max(100_000) }),
    z.object({ type: z.literal('ref/resource'), uri: z.string().max(100_000) }),
  ]),
  argument: z.object({ name: z.string().max(100_000), value: z.string().max(100_000) }),
  /** Arguments that already have a value. */
  context: z.object({ arguments: z.record(z.string(), z.string()) }).optional(),
})
export type CompletionRequest = z.infer<typeof CompletionRequest>

/** A part of a long text from the requested offset; `length` is that of the whole text. UTF-16 units. */
export const TextPart = z.object({ text: z.string(), length: z.number().int() })
export type TextPart = z.infer<typeof TextPart>

/** Maximum length of one part, in UTF-16 units. */
export const PART_LENGTH = 256 * 1024
