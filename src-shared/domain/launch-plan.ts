import * as z from 'zod'

/** Where one argv item comes from; `fieldKey` leads from the preview to the field and back. */
export const ArgumentOrigin = z.object({
  kind: z.enum(['runner', 'package', 'fixed', 'default', 'you', 'keychain']),
  label: z.string(),
  fieldKey: z.string().optional(),
})
export type ArgumentOrigin = z.infer<typeof ArgumentOrigin>

/** A problem of a value, at the field where it can be mended. */
export const FieldProblem = z.object({
  fieldKey: z.string(),
  label: z.string(),
  message: z.string(),
})
export type FieldProblem = z.infer<typeof FieldProblem>

/** What the person sees before a start: every argv item and variable, secrets as eight dots. */
export const LaunchPreview = z.object({
  command: z.string(),
  args: z.array(
    z.object({
      text: z.string(),
      secret: z.boolean(),
      /** True on an item that belongs to the item before it (the value of a named argument). */
      joined: z.boolean(),
      origin: ArgumentOrigin,
    }),
  ),
  env: z.array(
    z.object({ name: z.string(), text: z.string(), secret: z.boolean(), origin: ArgumentOrigin }),
  ),
  cwd: z.string().optional(),
  packageName: z.string(),
  packageVersion: z.string().optional(),
  /** SHA-256 over command, args (a secret stands as its field), environment as the entry declares it, cwd and version. */
  planHash: z.string(),
  problems: z.array(FieldProblem),
  /** Sentences worth reading before consent: a version that is not pinned, a secret in the process list. */
  warnings: z.array(z.string()),
})
export type LaunchPreview = z.infer<typeof LaunchPreview>

/** What a secret looks like wherever it would be shown, whatever its length. */
export const SECRET_MASK = '••••••••'
