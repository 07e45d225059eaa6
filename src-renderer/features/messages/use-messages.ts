import {
  type QueryClient,
  skipToken,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
} from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { create } from 'zustand'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { call, toErrorShape } from '../../ipc/call'
import { CACHED_MS, markOf, pause, useLastGood } from '../../ipc/use-request'
import { useApp } from '../../stores/app-store'
import { type ListRow, rowsOf } from './list-rows'
import {
  ALL_MESSAGES,
  isText,
  type MessageView,
  shownEntries,
  type TextMatches,
} from './message-filter'

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
          if (!before) await pause(TYPING_MS, signal)
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
