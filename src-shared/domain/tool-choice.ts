import * as z from 'zod'

/** Which tools of a server agents may see (C7); a listed name need not exist now. */
export const ToolChoice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('all') }),
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('list'), names: z.array(z.string().max(1_000)).max(10_000) }),
])
export type ToolChoice = z.infer<typeof ToolChoice>

/** A choice as it is saved. It can also be all tools except some, because an app's file hides tools before the server's list is known. */
export const SavedToolChoice = z.discriminatedUnion('kind', [
  ...ToolChoice.options,
  z.object({ kind: z.literal('except'), names: z.array(z.string().max(1_000)).max(10_000) }),
])
export type SavedToolChoice = z.infer<typeof SavedToolChoice>

/** When an enabled server starts: with the app, at the first call of one of its tools (C8), or only manually. */
export const StartPolicy = z.enum(['withApp', 'onFirstUse', 'byHand'])
export type StartPolicy = z.infer<typeof StartPolicy>

/** Whether new and changed tools of a server wait for review, or agents get them immediately. */
export const ToolChanges = z.enum(['review', 'follow'])
export type ToolChanges = z.infer<typeof ToolChanges>
