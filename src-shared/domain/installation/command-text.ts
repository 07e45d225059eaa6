import * as z from 'zod'

/** A language that a command can be copied in: bash and zsh, PowerShell, cmd.exe, or a JSON list of its argv. */
export const ShellKind = z.enum(['posix', 'powershell', 'cmd', 'json'])
export type ShellKind = z.infer<typeof ShellKind>

/** A command as text; `variables` stand in it for secrets and are to be set before it is pasted. */
export const ShellText = z.object({
  text: z.string(),
  variables: z.array(z.string()),
  /** Where the language does not carry all of the command, in a sentence. */
  caution: z.string().optional(),
})
export type ShellText = z.infer<typeof ShellText>
