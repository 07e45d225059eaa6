import { create } from 'zustand'

import type { MessageEntry, MessageFilter } from '../../../src-shared/domain/agents/message-log'

/** What is searched and filtered in the exchange of one server. */
export type MessageView = {
  /** Looked for in the text of the messages, by main. */
  readonly text: string
  readonly method: string | undefined
  readonly direction: MessageEntry['direction'] | 'all'
  readonly isOnlyErrors: boolean
  /** As it is typed: `3` finds the number, and the string where there is no such number. */
  readonly id: string
  /** The other half of each pair is shown with the one that fits. */
  readonly isPaired: boolean
}

/** Lets every message through. */
export const ALL_MESSAGES: MessageView = {
  text: '',
  method: undefined,
  direction: 'all',
  isOnlyErrors: false,
  id: '',
  isPaired: false,
}

/** Which messages have a text in them, of those up to `upTo`. */
export type FoundText = {
  readonly text: string
  readonly upTo: number
  readonly seqs: ReadonlySet<number>
}

/** Whether any filter is set. */
export function isNarrowed({ text, method, direction, isOnlyErrors, id }: MessageView): boolean {
  return isText(text) || method !== undefined || direction !== 'all' || isOnlyErrors || isText(id)
}

/** Whether there is something to look for. */
export function isText(text: string): boolean {
  return text.trim() !== ''
}

/** The id that is meant, as messages have it: a string where no number is like it. */
export function meantId(typed: string, entries: readonly MessageEntry[]): string {
  const id = typed.trim()
  const meant = [id, JSON.stringify(id)]
  return meant.find((one) => entries.some((entry) => entry.id === one)) ?? id
}

/**
 * The messages that fit, in order; all of them where nothing is filtered. `found` stays that of the text before until
 * main has answered, and no text is filtered while there is none.
 */
export function shownEntries(
  entries: readonly MessageEntry[],
  view: MessageView,
  found: FoundText | undefined,
): readonly MessageEntry[] {
  if (!isNarrowed(view)) return entries
  const seqs = isText(view.text) ? found?.seqs : undefined
  const fits = fitsBy(view, isText(view.id) ? meantId(view.id, entries) : undefined)
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

/** Adds to messages the requests that they answer, and the answers to them. */
function withPairs(
  entries: readonly MessageEntry[],
  some: readonly MessageEntry[],
): readonly MessageEntry[] {
  const wanted = new Set(some.map(({ seq }) => seq))
  const asked = new Set(some.flatMap(({ requestSeq }) => requestSeq ?? []))
  return entries.filter(
    ({ seq, requestSeq }) =>
      wanted.has(seq) || asked.has(seq) || (requestSeq !== undefined && wanted.has(requestSeq)),
  )
}

/** The filter as main knows it, for what is exported; see `messages.export`. */
export function asFilter(view: MessageView, entries: readonly MessageEntry[]): MessageFilter {
  const { text, method, direction, isOnlyErrors, id, isPaired } = view
  return {
    ...(isPaired && isNarrowed(view) && { isPaired }),
    ...(isText(text) && { text }),
    ...(method !== undefined && { method }),
    ...(direction !== 'all' && { direction }),
    ...(isOnlyErrors && { isError: true }),
    ...(isText(id) && { id: meantId(id, entries) }),
  }
}

/** The methods that are there with the number of their messages, the most frequent first. */
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

/** What the user set for the messages of one server. */
export type MessageSettings = {
  readonly view: MessageView
  readonly isPaused: boolean
  /** The message that is shown in full, and the main that it is of: another one counts its messages from the start. */
  readonly selected: { readonly seq: number; readonly main: object | undefined } | undefined
}

const UNSET: MessageSettings = { view: ALL_MESSAGES, isPaused: false, selected: undefined }

/** By server; they stay while other pages are looked at. */
const useSettings = create<Readonly<Record<string, MessageSettings>>>(() => ({}))

/** What is set for the messages of one server, live. */
export function useMessageSettings(installationId: string): MessageSettings {
  return useSettings((servers) => servers[installationId] ?? UNSET)
}

/** Changes a part of what is set. */
export function setMessages(installationId: string, change: Partial<MessageSettings>): void {
  useSettings.setState((servers) => ({
    [installationId]: { ...(servers[installationId] ?? UNSET), ...change },
  }))
}

/** Changes a part of what is filtered. */
export function setMessageView(installationId: string, change: Partial<MessageView>): void {
  const { view } = useSettings.getState()[installationId] ?? UNSET
  setMessages(installationId, { view: { ...view, ...change } })
}
