import * as z from 'zod'

/** What a ready server offers. Texts are the server's own and untrusted: shown as plain text only. */
export const Tool = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.unknown(),
})
export type Tool = z.infer<typeof Tool>

export const Resource = z.object({
  uri: z.string(),
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
})
export type Resource = z.infer<typeof Resource>

export const ResourceTemplate = z.object({
  uriTemplate: z.string(),
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
})
export type ResourceTemplate = z.infer<typeof ResourceTemplate>

export const Prompt = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  arguments: z.array(
    z.object({
      name: z.string(),
      description: z.string().optional(),
      required: z.boolean().optional(),
    }),
  ),
})
export type Prompt = z.infer<typeof Prompt>

export const Capabilities = z.object({
  tools: z.array(Tool),
  resources: z.array(Resource),
  resourceTemplates: z.array(ResourceTemplate),
  prompts: z.array(Prompt),
  /** What went wrong while listing, in sentences: a repeated cursor, a page limit. */
  notices: z.array(z.string()),
})
export type Capabilities = z.infer<typeof Capabilities>

export const NO_CAPABILITIES: Capabilities = {
  tools: [],
  resources: [],
  resourceTemplates: [],
  prompts: [],
  notices: [],
}
