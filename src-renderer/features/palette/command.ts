import type { LucideIcon } from 'lucide-react'

/** Where a command stands in the list. */
export const COMMAND_GROUPS = ['Recent', 'Actions', 'Servers', 'Tools', 'Catalog'] as const
export type CommandGroup = (typeof COMMAND_GROUPS)[number]

/** Something that can be done or gone to, by its words. */
export type Command = {
  /** Unique and the same over time. */
  readonly id: string
  readonly group: Exclude<CommandGroup, 'Recent'>
  readonly title: string
  /** The title is a name of a program's, to be drawn as one. */
  readonly isCode?: boolean
  /** What it belongs to. */
  readonly where: string
  /** Words that also find it. */
  readonly words?: string
  readonly icon: LucideIcon
  readonly keys?: readonly string[]
  /** The part of the title that says what is done, where the rest is a name: found by the name alone it comes after what has that name. */
  readonly verb?: string
  /** The server whose other commands it leads to. */
  readonly serverId?: string
  readonly run: () => void
}
