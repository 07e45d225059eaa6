import {
  type QueryClient,
  skipToken,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
} from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { create } from 'zustand'

import type { MessageEntry, MessageFilter } from '../../../src-shared/domain/agents/message-log'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { call, toErrorShape } from '../../ipc/call'
import { markOf, rest, STAYS_MS, useLastGood } from '../../ipc/use-request'
import { useApp } from '../../stores/app-store'
import { type ListRow, rowsOf } from './list-rows'

/** How many messages of one server the window holds; main holds no more. */
export const MOST_MESSAGES = 20_000
/** Messages of one request: what is read in one go leaves the page time for the user. */
const AT_ONCE = 2_000
/** How long after each look the next one begins, in ms. */
const EVERY_MS = 300
/** How often a text is looked for again while messages come, in ms. */
const FIND_EVERY_MS = 1_000
/** How long somebody pauses while typing until that is looked for, in ms. */
const TYPING_MS = 150

/** The messages of one server, as far as they were read. */
export type MessageLog = {
  /** Oldest first. */
  readonly entries: readonly MessageEntry[]
  /** The newest message that was seen, shown or cleared; -1 before the first. */
  readonly lastSeq: number
  /** All that main held was read once. */
  readonly isRead: boolean
}

const UNREAD: MessageLog = { entries: [], lastSeq: -1, isRead: false }

/** Whose messages; `main` is another object where they may be those of another main. */
type MessageSource = {
  readonly installationId: string
  readonly main: object | undefined
}

function logKey({ installationId, main }: MessageSource): readonly unknown[] {
  return ['messages.read', installationId, markOf(main)]
}

/** Adds what is newer and lets go of what main holds no more; the same object where nothing changed. */
function extended(
  known: MessageLog,
  read: { readonly entries: readonly MessageEntry[]; readonly firstSeq: number },
): MessageLog {
  const fresh = read.entries.filter(({ seq }) => seq > known.lastSeq)
  const isOlderGone = (known.entries[0]?.seq ?? Infinity) < read.firstSeq
  const isRead = known.isRead || read.entries.length < AT_ONCE
  if (fresh.length === 0 && !isOlderGone && isRead === known.isRead) return known
  const held = isOlderGone ? known.entries.filter(({ seq }) => seq >= read.firstSeq) : known.entries
  const entries = [...held, ...fresh].slice(-MOST_MESSAGES)
  return { entries, lastSeq: fresh.at(-1)?.seq ?? known.lastSeq, isRead }
}

/** The messages of a server, read in parts: each look brings what came since the one before. */
export function messagesQuery(source: MessageSource): UseQueryOptions<MessageLog> {
  const { installationId } = source
  const queryKey = logKey(source)
  return {
    queryKey,
    queryFn: async ({ client }) => {
      const known = (): MessageLog => client.getQueryData<MessageLog>(queryKey) ?? UNREAD
      const asked = { installationId, afterSeq: known().lastSeq, limit: AT_ONCE }
      return extended(known(), await call('messages.read', asked))
    },
    refetchInterval: ({ state: { data } }) => (data?.isRead === false ? 1 : EVERY_MS),
    refetchOnWindowFocus: 'always',
    gcTime: STAYS_MS,
  }
}

/** Which messages have a text in them; what was looked through before is not looked through again. */
export function foundQuery(source: MessageSource, text: string): UseQueryOptions<FoundText> {
  const { installationId, main } = source
  const queryKey = ['messages.find', installationId, markOf(main), text]
  return {
    queryKey,
    queryFn: isText(text)
      ? async ({ client, signal }) => {
          const before = client.getQueryData<FoundText>(queryKey)
          if (!before) await rest(TYPING_MS, signal)
          signal.throwIfAborted()
          const { entries, lastSeq } = client.getQueryData<MessageLog>(logKey(source)) ?? UNREAD
          if (before && before.upTo >= lastSeq) return before
          const afterSeq = before?.upTo ?? -1
          const newer = await call('messages.find', { installationId, text, afterSeq })
          const oldest = entries[0]?.seq ?? Infinity
          const older = [...(before?.seqs ?? [])].filter((seq) => seq >= oldest)
          return { text, upTo: lastSeq, seqs: new Set([...older, ...newer]) }
        }
      : skipToken,
    refetchInterval: FIND_EVERY_MS,
  }
}

/** Forgets the messages here and in main; those that come while it is on its way stay. Rejects where main rejects. */
export async function clearMessageLog(queries: QueryClient, source: MessageSource): Promise<void> {
  const queryKey = logKey(source)
  await queries.refetchQueries({ queryKey })
  const upTo = queries.getQueryData<MessageLog>(queryKey)?.lastSeq ?? -1
  await call('messages.clear', { installationId: source.installationId })
  // An answer that is on its way may bring what was cleared.
  await queries.cancelQueries({ queryKey })
  queries.setQueryData<MessageLog>(
    queryKey,
    (log) => log && { ...log, entries: log.entries.filter(({ seq }) => seq > upTo) },
  )
}

/** The exchange with a server, and what of it is shown. */
export type ShownMessages = Omit<MessageLog, 'lastSeq'> &
  Pick<MessageSettings, 'view' | 'isPaused'> & {
    readonly problem: AppErrorShape | undefined
    /** Kept from the text before until there is another one. */
    readonly found: FoundText | undefined
    readonly findProblem: AppErrorShape | undefined
    readonly selected: number | undefined
    readonly select: (seq: number | undefined) => void
    readonly shown: readonly MessageEntry[]
    readonly rows: readonly ListRow[]
    readonly read: () => void
    readonly clear: () => Promise<void>
  }

/** The messages of a server, live while the page is seen. */
export function useMessages(installationId: string): ShownMessages {
  const queries = useQueryClient()
  const main = useApp(({ app }) => app?.info)
  const { view, isPaused, selected } = useMessageSettings(installationId)
  const source = { installationId, main }
  const log = useQuery({
    ...messagesQuery(source),
    enabled: ({ state }) => !isPaused || state.data?.isRead !== true,
  })
  const { value: found, problem: findProblem } = useLastGood(
    useQuery(foundQuery(source, view.text)),
  )
  const { entries, isRead } = log.data ?? UNREAD
  const problem = useMemo(() => log.error && toErrorShape(log.error), [log.error])
  const shown = useMemo(() => shownEntries(entries, view, found), [entries, view, found])
  const rows = useMemo(() => rowsOf(shown, entries), [shown, entries])
  const select = useCallback(
    (seq: number | undefined) =>
      setMessages(installationId, { selected: seq === undefined ? undefined : { seq, main } }),
    [installationId, main],
  )
  return {
    ...{ entries, isRead, view, isPaused, found, findProblem, select, shown, rows },
    problem: problem ?? undefined,
    selected: selected?.main === main ? selected?.seq : undefined,
    read: () => void log.refetch(),
    clear: () => clearMessageLog(queries, source),
  }
}

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
type MessageSettings = {
  readonly view: MessageView
  readonly isPaused: boolean
  /** The message that is shown in full, and the main that it is of: another one counts its messages from the start. */
  readonly selected: { readonly seq: number; readonly main: object | undefined } | undefined
}

const UNSET: MessageSettings = { view: ALL_MESSAGES, isPaused: false, selected: undefined }

/** By server; they stay while other pages are looked at. */
const useSettings = create<Readonly<Record<string, MessageSettings>>>(() => ({}))

/** What is set for the messages of one server, live. */
function useMessageSettings(installationId: string): MessageSettings {
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
