import {
  type QueryClient,
  skipToken,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
} from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { call, toErrorShape } from '../../ipc/call'
import { markOf, rest, STAYS_MS, useLastGood } from '../../ipc/use-request'
import { useApp } from '../../stores/app-store'
import { type ListRow, rowsOf } from './list-rows'
import { type MessageSettings, setMessages, useMessageSettings } from './message-store'
import { type FoundText, isText, shownEntries } from './message-view'

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
    /** Why the text could not be looked for. */
    readonly findProblem: AppErrorShape | undefined
    /** The message that is shown in full. */
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
