import * as z from 'zod'

/** One line of a server's log. `seq` counts from 0 for each server and never repeats while the app runs. */
export const LogEntry = z.object({
  seq: z.number().int().nonnegative(),
  /** Epoch ms. */
  at: z.number(),
  /** `stdout` marks a line that was not a protocol message; `patchbay` is the app's own word. */
  source: z.enum(['stderr', 'stdout', 'install', 'patchbay']),
  level: z.enum(['debug', 'info', 'warn', 'error']),
  text: z.string(),
})
export type LogEntry = z.infer<typeof LogEntry>
