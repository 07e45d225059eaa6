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
import { CACHED_MS, markOf, rest, useLastGood } from '../../ipc/use-request'
import { useApp } from '../../stores/app-store'
import { type ListRow, rowsOf } from './list-rows'

/** Maximum number of messages of one server in the window; main stores no more. */
export const MAX_MESSAGES = 20_000
/** Maximum number of messages in one request, so that a response doesn't block the page. */
const AT_ONCE = 2_000
/** Delay between two requests, in ms. */
const EVERY_MS = 300
/** Interval at which a text search repeats while messages arrive, in ms. */
const FIND_EVERY_MS = 1_000
/** Debounce time of the text search, in ms. */
const TYPING_MS = 150

/** The loaded messages of one server. */
export type MessageLog = {
  /** Oldest first. */
  readonly entries: readonly MessageEntry[]
  /** The newest message seen, shown or cleared; -1 before the first. */
  readonly lastSeq: number
  /** Whether everything that main stores was read once. */
  readonly isRead: boolean
}

const UNREAD: MessageLog = { entries: [], lastSeq: -1, isRead: false }

/** The server whose messages are loaded; `main` is a different object for another main process. */
type MessageSource = {
  readonly installationId: string
  readonly main: object | undefined
}

function logKey({ installationId, main }: MessageSource): readonly unknown[] {
  return ['messages.read', installationId, markOf(main)]
}

/** Adds new messages and drops those that main no longer stores; returns the same object if nothing changed. */
function mergeLog(
  cached: MessageLog,
  read: { readonly entries: readonly MessageEntry[]; readonly firstSeq: number },
): MessageLog {
  const added = read.entries.filter(({ seq }) => seq > cached.lastSeq)
  const isOlderGone = (cached.entries[0]?.seq ?? Infinity) < read.firstSeq
  const isRead = cached.isRead || read.entries.length < AT_ONCE
  if (added.length === 0 && !isOlderGone && isRead === cached.isRead) return cached
  const retained = isOlderGone
    ? cached.entries.filter(({ seq }) => seq >= read.firstSeq)
    : cached.entries
  const entries = [...retained, ...added].slice(-MAX_MESSAGES)
  return { entries, lastSeq: added.at(-1)?.seq ?? cached.lastSeq, isRead }
}

/** Returns the query for a server's messages, loaded in parts: each request adds the newer ones. */
export function messagesQuery(source: MessageSource): UseQueryOptions<MessageLog> {
  const { installationId } = source
  const queryKey = logKey(source)
  return {
    queryKey,
    queryFn: async ({ client }) => {
      const cached = (): MessageLog => client.getQueryData<MessageLog>(queryKey) ?? UNREAD
      const input = { installationId, afterSeq: cached().lastSeq, limit: AT_ONCE }
      return mergeLog(cached(), await call('messages.read', input))
    },
    refetchInterval: ({ state: { data } }) => (data?.isRead === false ? 1 : EVERY_MS),
    refetchOnWindowFocus: 'always',
    gcTime: CACHED_MS,
  }
}

/** Returns the query for the messages that contain a text; messages that were already searched are skipped. */
export function textMatchQuery(source: MessageSource, text: string): UseQueryOptions<TextMatches> {
  const { installationId, main } = source
  const queryKey = ['messages.find', installationId, markOf(main), text]
  return {
    queryKey,
    queryFn: isText(text)
      ? async ({ client, signal }) => {
          const before = client.getQueryData<TextMatches>(queryKey)
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

/** Clears the messages here and in main, except those that arrive meanwhile. Rejects if main rejects. */
export async function clearMessageLog(queries: QueryClient, source: MessageSource): Promise<void> {
  const queryKey = logKey(source)
  await queries.refetchQueries({ queryKey })
  const upTo = queries.getQueryData<MessageLog>(queryKey)?.lastSeq ?? -1
  await call('messages.clear', { installationId: source.installationId })
  // A pending response may contain cleared messages.
  await queries.cancelQueries({ queryKey })
  queries.setQueryData<MessageLog>(
    queryKey,
    (log) => log && { ...log, entries: log.entries.filter(({ seq }) => seq > upTo) },
  )
}

/** The messages of a server, and those shown. */
export type ShownMessages = Omit<MessageLog, 'lastSeq'> &
  Pick<MessageSettings, 'view' | 'isPaused'> & {
    readonly problem: AppErrorShape | undefined
    /** Kept from the previous text until a result for the new one arrives. */
    readonly found: TextMatches | undefined
    readonly findProblem: AppErrorShape | undefined
    readonly selected: number | undefined
    readonly select: (seq: number | undefined) => void
    readonly shown: readonly MessageEntry[]
    readonly rows: readonly ListRow[]
    readonly read: () => void
    readonly clear: () => Promise<void>
  }

/** Returns the messages of a server, updated live while the page is visible. */
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
    useQuery(textMatchQuery(source, view.text)),
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

/** The user's settings for the messages of one server. */
type MessageSettings = {
  readonly view: MessageView
  readonly isPaused: boolean
  /** The open message and its main: another main numbers messages from the start. */
  readonly selected: { readonly seq: number; readonly main: object | undefined } | undefined
}

const UNSET: MessageSettings = { view: ALL_MESSAGES, isPaused: false, selected: undefined }

/** Settings by server; they persist across page changes. */
const useSettings = create<Readonly<Record<string, MessageSettings>>>(() => ({}))

/** Returns the settings for the messages of one server. */
function useMessageSettings(installationId: string): MessageSettings {
  return useSettings((servers) => servers[installationId] ?? UNSET)
}

/** Changes a part of the settings. */
export function setMessages(installationId: string, change: Partial<MessageSettings>): void {
  useSettings.setState((servers) => ({
    [installationId]: { ...(servers[installationId] ?? UNSET), ...change },
  }))
}

/** Changes a part of the view. */
export function setMessageView(installationId: string, change: Partial<MessageView>): void {
  const { view } = useSettings.getState()[installationId] ?? UNSET
  setMessages(installationId, { view: { ...view, ...change } })
}
