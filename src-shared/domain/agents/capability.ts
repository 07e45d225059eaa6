import * as z from 'zod'

const Hint = z.boolean().optional().catch(undefined)

/** An optional member: many serializers write null for one that is not set. */
function optional<T extends z.ZodType>(schema: T): z.ZodPreprocess<z.ZodOptional<T>> {
  return z.preprocess((value) => value ?? undefined, schema.optional())
}

/** What a server says of a tool’s nature; hints, never promises (MCP, ToolAnnotations). What is no boolean counts as not said; what Patchbay does not know is kept. */
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
 * What a ready server offers. Texts are the server's own and untrusted: shown as plain text only. Fields that Patchbay
 * does not know are kept, as agents are given what the server wrote.
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

/** A number of a listed element that JavaScript can't hold: where it stands, and its digits as the server wrote them. */
export const LongNumber = z.object({
  /** The name of a tool or prompt, or the address of a resource or template. */
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
  /** What went wrong while listing, in sentences: a repeated cursor, a page limit. */
  notices: z.array(z.string()),
  /** Missing where every number is exact. */
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
