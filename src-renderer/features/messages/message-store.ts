import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { appStore } from '../../stores/app-store'
import { ALL_MESSAGES, type FoundText, type MessageView } from './message-view'

/** How many messages of one server the window holds; main holds no more. */
export const MOST_MESSAGES = 20_000

/** The exchange with one server as this window knows it. */
export type MessageLogState = {
  /** Oldest first. */
  readonly entries: readonly MessageEntry[]
  /** The newest message that was seen, shown or cleared; -1 before the first. */
  readonly lastSeq: number
  /** All that main held was read once. */
  readonly isRead: boolean
  /** Nothing new is read. */
  readonly isPaused: boolean
  readonly problem: AppErrorShape | undefined
  readonly view: MessageView
  /** Kept from the text before until there is another one. */
  readonly found: FoundText | undefined
  /** The message that is shown in full. */
  readonly selected: number | undefined
  /** Grows when the messages are those of another main. */
  readonly edition: number
}

/** Before anything was read. */
const UNREAD: MessageLogState = {
  entries: [],
  lastSeq: -1,
  isRead: false,
  isPaused: false,
  problem: undefined,
  view: ALL_MESSAGES,
  found: undefined,
  selected: undefined,
  edition: 0,
}

type MessageStoreState = { readonly servers: Readonly<Record<string, MessageLogState>> }

/** The messages of the servers that were looked at, bounded; those of a server that is removed are let go of. */
export const messageStore = createStore<MessageStoreState>(() => ({ servers: {} }))

/** What is known of one server's messages. */
export function messageLogOf(installationId: string): MessageLogState {
  return messageStore.getState().servers[installationId] ?? UNREAD
}

/** What is known of one server's messages, live. */
export function useMessageLog(installationId: string): MessageLogState {
  return useStore(messageStore, ({ servers }) => servers[installationId] ?? UNREAD)
}

/** Changes what is known of one server's messages. */
export function changeMessageLog(
  installationId: string,
  change: (known: MessageLogState) => Partial<MessageLogState>,
): void {
  const { servers } = messageStore.getState()
  const known = servers[installationId] ?? UNREAD
  const changed = change(known)
  if (Object.keys(changed).length === 0) return
  messageStore.setState({ servers: { ...servers, [installationId]: { ...known, ...changed } } })
}

/** Changes a part of what is filtered. */
export function setMessageView(installationId: string, change: Partial<MessageView>): void {
  changeMessageLog(installationId, ({ view }) => ({ view: { ...view, ...change } }))
}

/** Shows a message in full, or none. */
export function selectMessage(installationId: string, selected: number | undefined): void {
  changeMessageLog(installationId, () => ({ selected }))
}

/** Adds what is newer and lets go of what main holds no more. */
export function extended(
  known: MessageLogState,
  read: { readonly entries: readonly MessageEntry[]; readonly firstSeq: number },
): Partial<MessageLogState> {
  const fresh = read.entries.filter(({ seq }) => seq > known.lastSeq)
  const isOlderGone = (known.entries[0]?.seq ?? Infinity) < read.firstSeq
  const held = isOlderGone ? known.entries.filter(({ seq }) => seq >= read.firstSeq) : known.entries
  if (fresh.length === 0 && !isOlderGone) return {}
  const entries = [...held, ...fresh].slice(-MOST_MESSAGES)
  return { entries, lastSeq: fresh.at(-1)?.seq ?? known.lastSeq }
}

/** Lets go of the servers that are no more, and of all messages when main may be another one; what is filtered stays. */
appStore.subscribe((now, before) => {
  const { servers } = messageStore.getState()
  const ids = Object.keys(servers)
  if (ids.length === 0) return
  if (now.connection === 'connected' && before.connection !== 'connected')
    for (const id of ids)
      changeMessageLog(id, ({ view, edition }) => ({ ...UNREAD, view, edition: edition + 1 }))
  if (now.app === before.app || now.app === null) return
  const there = new Set(now.app.servers.map(({ installationId }) => installationId))
  if (ids.every((id) => there.has(id))) return
  messageStore.setState({
    servers: Object.fromEntries(Object.entries(servers).filter(([id]) => there.has(id))),
  })
})
