import * as z from 'zod'

/** The 16 colors of a terminal, by the names of their sequences. */
export const TerminalColor = z.enum([
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
  'brightBlack',
  'brightRed',
  'brightGreen',
  'brightYellow',
  'brightBlue',
  'brightMagenta',
  'brightCyan',
  'brightWhite',
])
export type TerminalColor = z.infer<typeof TerminalColor>

/** Terminal style of a part of a line: offsets in its text, `end` excluded. */
export const TextStyle = z.object({
  start: z.number().int().nonnegative(),
  end: z.number().int().positive(),
  color: TerminalColor.optional(),
  background: TerminalColor.optional(),
  bold: z.literal(true).optional(),
  dim: z.literal(true).optional(),
  italic: z.literal(true).optional(),
  underline: z.literal(true).optional(),
})
export type TextStyle = z.infer<typeof TextStyle>

/** One line of a server's log. `seq` counts from 0 for each server and never repeats while the app runs. */
export const LogEntry = z.object({
  seq: z.number().int().nonnegative(),
  /** Epoch ms. */
  at: z.number(),
  /** `stdout` marks a line that was no protocol message; `patchbay` marks the app's own lines. */
  source: z.enum(['stderr', 'stdout', 'install', 'patchbay']),
  level: z.enum(['debug', 'info', 'warn', 'error']),
  /** Plain and masked: no terminal sequences, no control characters except tab. */
  text: z.string(),
  /** The line is longer than one entry: the next entry of this source continues it. */
  continues: z.literal(true).optional(),
  /** In order, without overlaps; text outside the ranges is unstyled. */
  styles: z.array(TextStyle).optional(),
})
export type LogEntry = z.infer<typeof LogEntry>
