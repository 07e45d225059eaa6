import * as z from 'zod'

const Hint = z.boolean().optional().catch(undefined)

/** An optional member. Many serializers write null for an absent one. */
function optional<T extends z.ZodType>(schema: T): z.ZodPreprocess<z.ZodOptional<T>> {
  return z.preprocess((value) => value ?? undefined, schema.optional())
}

/**
 * A server's hints on the nature of a tool, never guarantees (MCP, ToolAnnotations). A value that is no boolean is ignored; unknown members
 * are kept.
 */
export const ToolAnnotations = z.looseObject({
  title: z.string().optional().catch(undefined),
  readOnlyHint: Hint,
  destructiveHint: Hint,
  idempotentHint: Hint,
  openWorldHint: Hint,
})
export type ToolAnnotations = z.infer<typeof ToolAnnotations>

const Named = {
  name: z.string(),
  title: optional(z.string()),
  description: optional(z.string()),
}
const Readable = { ...Named, mimeType: optional(z.string()) }

/**
 * What a ready server offers. All texts are untrusted and shown as plain text only. Unknown fields are kept, because agents get what the
 * server wrote.
 */
export const Tool = z.looseObject({
  ...Named,
  inputSchema: z.unknown().optional(),
  outputSchema: z.unknown().optional(),
  annotations: ToolAnnotations.optional().catch(undefined),
})
export type Tool = z.infer<typeof Tool>

export const Resource = z.looseObject({ uri: z.string(), ...Readable })
export type Resource = z.infer<typeof Resource>

export const ResourceTemplate = z.looseObject({ uriTemplate: z.string(), ...Readable })
export type ResourceTemplate = z.infer<typeof ResourceTemplate>

export const Prompt = z.looseObject({
  ...Named,
  arguments: optional(
    z.array(
      z.looseObject({
        name: z.string(),
        description: optional(z.string()),
        required: optional(z.boolean()),
      }),
    ),
  ),
})
export type Prompt = z.infer<typeof Prompt>

/** A number in a listed element that JavaScript cannot represent: its path and its digits. */
export const LongNumber = z.object({
  /** Name of a tool or prompt, or address of a resource or template. */
  element: z.string(),
  path: z.array(z.union([z.string(), z.number()])).max(100),
  digits: z.string().max(1_000),
})
export type LongNumber = z.infer<typeof LongNumber>

export const Capabilities = z.object({
  tools: z.array(Tool),
  resources: z.array(Resource),
  resourceTemplates: z.array(ResourceTemplate),
  prompts: z.array(Prompt),
  /** Problems while listing, as sentences: a repeated cursor, a page limit. */
  notices: z.array(z.string()),
  /** Missing if every number is exact. */
  longNumbers: z.array(LongNumber).max(10_000).optional(),
})
export type Capabilities = z.infer<typeof Capabilities>

export const NO_CAPABILITIES: Capabilities = {
  tools: [],
  resources: [],
  resourceTemplates: [],
  prompts: [],
  notices: [],
}
