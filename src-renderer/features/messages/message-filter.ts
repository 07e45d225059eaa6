import type { MessageEntry, MessageFilter } from '../../../src-shared/domain/agents/message-log'

/** Search and filters for the messages of one server. */
export type MessageView = {
  /** Search text, which main looks for in the messages. */
  readonly text: string
  readonly method: string | undefined
  readonly direction: MessageEntry['direction'] | 'all'
  readonly isOnlyErrors: boolean
  /** As typed: `3` matches the number, or the string if there is no such number. */
  readonly id: string
  /** Whether the other message of each matching pair is shown too. */
  readonly isPaired: boolean
}

/** A view that shows every message. */
export const ALL_MESSAGES: MessageView = {
  text: '',
  method: undefined,
  direction: 'all',
  isOnlyErrors: false,
  id: '',
  isPaired: false,
}

/** The messages up to `upTo` that contain a text. */
export type TextMatches = {
  readonly text: string
  readonly upTo: number
  readonly seqs: ReadonlySet<number>
}

/** Whether any filter is set. */
export function isNarrowed({ text, method, direction, isOnlyErrors, id }: MessageView): boolean {
  return isText(text) || method !== undefined || direction !== 'all' || isOnlyErrors || isText(id)
}

/** Whether the search text is not blank. */
export function isText(text: string): boolean {
  return text.trim() !== ''
}

/** Returns the JSON id that the typed text means: a string if no number matches. */
export function typedId(typed: string, entries: readonly MessageEntry[]): string {
  const id = typed.trim()
  const candidates = [id, JSON.stringify(id)]
  return candidates.find((one) => entries.some((entry) => entry.id === one)) ?? id
}

/**
 * Returns the matching messages in order; all of them without a filter. Until main responds, `found` belongs to the previous text; without
 * `found` the text filters nothing.
 */
export function shownEntries(
  entries: readonly MessageEntry[],
  view: MessageView,
  found: TextMatches | undefined,
): readonly MessageEntry[] {
  if (!isNarrowed(view)) return entries
  const seqs = isText(view.text) ? found?.seqs : undefined
  const fits = fitsBy(view, isText(view.id) ? typedId(view.id, entries) : undefined)
  const shown = entries.filter((entry) => fits(entry) && (seqs?.has(entry.seq) ?? true))
  return view.isPaired ? withPairs(entries, shown) : shown
}

function fitsBy(
  { method, direction, isOnlyErrors }: MessageView,
  id: string | undefined,
): (entry: MessageEntry) => boolean {
  return (entry) =>
    (method === undefined || entry.method === method) &&
    (direction === 'all' || entry.direction === direction) &&
    (!isOnlyErrors || entry.kind === 'error') &&
    (id === undefined || entry.id === id)
}

/** Adds the requests of responses and the responses to requests. */
function withPairs(
  entries: readonly MessageEntry[],
  some: readonly MessageEntry[],
): readonly MessageEntry[] {
  const wanted = new Set(some.map(({ seq }) => seq))
  const requests = new Set(some.flatMap(({ requestSeq }) => requestSeq ?? []))
  return entries.filter(
    ({ seq, requestSeq }) =>
      wanted.has(seq) || requests.has(seq) || (requestSeq !== undefined && wanted.has(requestSeq)),
  )
}

/** Returns main's filter for an export; see `messages.export`. */
export function asFilter(view: MessageView, entries: readonly MessageEntry[]): MessageFilter {
  const { text, method, direction, isOnlyErrors, id, isPaired } = view
  return {
    ...(isPaired && isNarrowed(view) && { isPaired }),
    ...(isText(text) && { text }),
    ...(method !== undefined && { method }),
    ...(direction !== 'all' && { direction }),
    ...(isOnlyErrors && { isError: true }),
    ...(isText(id) && { id: typedId(id, entries) }),
  }
}

/** Returns the methods of the messages with their counts, most frequent first. */
export function methodCounts(
  entries: readonly MessageEntry[],
): readonly { readonly method: string; readonly count: number }[] {
  const counts = new Map<string, number>()
  for (const { method } of entries)
    if (method !== undefined) counts.set(method, (counts.get(method) ?? 0) + 1)
  return [...counts]
    .map(([method, count]) => ({ method, count }))
    .toSorted((a, b) => b.count - a.count || (a.method < b.method ? -1 : 1))
}
