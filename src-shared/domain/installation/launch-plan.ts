import * as z from 'zod'

/** Origin of one argv item; `fieldKey` connects the preview with the field. */
export const ArgumentOrigin = z.object({
  kind: z.enum(['runner', 'package', 'fixed', 'default', 'you', 'keychain']),
  label: z.string(),
  fieldKey: z.string().optional(),
})
export type ArgumentOrigin = z.infer<typeof ArgumentOrigin>

/** Everything that can be wrong with a value. */
export const ProblemCode = z.enum([
  'missing-required',
  'invalid-choice',
  'invalid-number',
  'invalid-boolean',
  'invalid-character',
  'invalid-list',
])
export type ProblemCode = z.infer<typeof ProblemCode>

/** A problem of a value, at the field that can fix it. */
export const FieldProblem = z.object({
  code: ProblemCode,
  fieldKey: z.string(),
  label: z.string(),
  message: z.string(),
})
export type FieldProblem = z.infer<typeof FieldProblem>

/** An environment variable or header with its text as the user sees it. */
const PreviewPair = z.object({
  name: z.string(),
  text: z.string(),
  secret: z.boolean(),
  origin: ArgumentOrigin,
})

const consent = {
  /** SHA-256 of everything that an approval covers, see `plan-hash.ts`. */
  planHash: z.string(),
  problems: z.array(FieldProblem),
  /** Sentences to read before consent: an unpinned version, a secret in the process list. */
  warnings: z.array(z.string()),
}

/** What the user sees before a server runs here: every argv item and variable, secrets as eight dots. */
export const CommandPreview = z.object({
  kind: z.literal('command'),
  command: z.string(),
  args: z.array(
    z.object({
      text: z.string(),
      secret: z.boolean(),
      /** True if the item belongs to the previous one (the value of a named argument). */
      joined: z.boolean(),
      origin: ArgumentOrigin,
    }),
  ),
  env: z.array(PreviewPair),
  cwd: z.string().optional(),
  packageName: z.string(),
  packageVersion: z.string().optional(),
  /** HTTP endpoint of a server that does not use its pipes. */
  transport: z
    .object({
      type: z.enum(['streamable-http', 'sse']),
      url: z.string().optional(),
      headers: z.array(PreviewPair).optional(),
    })
    .optional(),
  ...consent,
})
export type CommandPreview = z.infer<typeof CommandPreview>

/** What the user sees before Patchbay connects to a remote server, secrets as eight dots. */
export const RemotePreview = z.object({
  kind: z.literal('remote'),
  type: z.enum(['streamable-http', 'sse']),
  url: PreviewPair.omit({ name: true }),
  headers: z.array(PreviewPair),
  ...consent,
})
export type RemotePreview = z.infer<typeof RemotePreview>

export const LaunchPreview = z.discriminatedUnion('kind', [CommandPreview, RemotePreview])
export type LaunchPreview = z.infer<typeof LaunchPreview>

/** Replacement for a secret in all displays, whatever its length. */
export const SECRET_MASK = '••••••••'
