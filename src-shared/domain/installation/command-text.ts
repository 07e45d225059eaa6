import * as z from 'zod'

/** Target format of a copied command: bash and zsh, PowerShell, cmd.exe, or its argv as a JSON list. */
export const ShellKind = z.enum(['posix', 'powershell', 'cmd', 'json'])
export type ShellKind = z.infer<typeof ShellKind>

/** A command as text. `variables` replace secrets in it and must be set before it is pasted. */
export const ShellText = z.object({
  text: z.string(),
  variables: z.array(z.string()),
  /** What the format cannot express, in a sentence. */
  caution: z.string().optional(),
})
export type ShellText = z.infer<typeof ShellText>
