import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import { indexAt } from './detail/message-pair'

/** What stands in a line of the list: a message, or where a session begins. */
export type ListRow =
  | { readonly kind: 'message'; readonly seq: number; readonly entry: MessageEntry }
  /** `seq` is that of the message below it. */
  | {
      readonly kind: 'session'
      readonly seq: number
      readonly session: number
      readonly at: number
    }

/** The lines of the messages that are shown, with a line above each session; `entries` are all, which tell when one began. */
export function rowsOf(
  shown: readonly MessageEntry[],
  entries: readonly MessageEntry[],
): readonly ListRow[] {
  const begins = beginnings(entries)
  const rows: ListRow[] = []
  for (const [index, entry] of shown.entries()) {
    const { seq, session, at } = entry
    if (session !== shown[index - 1]?.session)
      rows.push({ kind: 'session', seq, session, at: begins.get(session) ?? at })
    rows.push({ kind: 'message', seq, entry })
  }
  return rows
}

function beginnings(entries: readonly MessageEntry[]): ReadonlyMap<number, number> {
  const begins = new Map<number, number>()
  for (const [index, { session, at }] of entries.entries())
    if (session !== entries[index - 1]?.session && !begins.has(session)) begins.set(session, at)
  return begins
}

/** Where the message of this number stands; undefined where it is not shown. */
export function rowAt(rows: readonly ListRow[], seq: number): number | undefined {
  const first = indexAt(rows, seq)
  const index = rows[first]?.kind === 'session' ? first + 1 : first
  return rows[index]?.seq === seq ? index : undefined
}

/** How many messages came after `seq`. */
export function countAfter(shown: readonly MessageEntry[], seq: number): number {
  return shown.length - indexAt(shown, seq + 1)
}
