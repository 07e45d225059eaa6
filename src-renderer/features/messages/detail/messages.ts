import type { MessageEntry } from '../../../../src-shared/domain/agents/message-log'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { counted, formatCount, formatSeconds, visibleText } from '../../../ui/text/format'

/** What a message is. */
export const KIND_WORD: Readonly<Record<MessageEntry['kind'], string>> = {
  request: 'Request',
  notification: 'Notification',
  result: 'Result',
  error: 'Error',
}

/** Which way a message went. */
export const DIRECTION_WORD: Readonly<Record<MessageEntry['direction'], string>> = {
  sent: 'to the server',
  received: 'from the server',
}

/** How many messages are shown: `12 messages`, or `3 of 12 messages` where some are hidden. */
export function countWords(shown: number, total: number): string {
  return shown === total
    ? counted(total, 'message')
    : `${formatCount(shown)} of ${counted(total, 'message')}`
}

/** The method of a message, or of the request that it answers. */
export function methodWords({ method }: Pick<MessageEntry, 'method'>): string {
  return method === undefined ? 'Response to unknown request' : visibleText(method)
}

/** What a message is about: its method with what is called or read. */
export function aboutWords(entry: Pick<MessageEntry, 'method' | 'target'>): string {
  const { target } = entry
  return target === undefined ? methodWords(entry) : `${methodWords(entry)} ${visibleText(target)}`
}

/** What a message is, for who does not see the arrow: `request to the server`. */
export function kindWords({ kind, direction }: Pick<MessageEntry, 'kind' | 'direction'>): string {
  return `${KIND_WORD[kind].toLowerCase()} ${DIRECTION_WORD[direction]}`
}

/** Where a session begins: `Session 2, 14:03:22`, with the day where it is not that of `now`. */
export function sessionWords(session: number, at: number, now: number): string {
  return `Session ${formatCount(session)}, ${formatSeconds(at, now)}`
}

/** Why there are no messages, and when there will be. */
export function noMessagesWords({ name, status }: Pick<ServerView, 'name' | 'status'>): string {
  const isAway = status.kind === 'stopped' || status.kind === 'paused' || status.kind === 'error'
  return isAway
    ? `Start ${name} to see its JSON-RPC messages here.`
    : `JSON-RPC messages between Patchbay and ${name} appear here.`
}

/** What there is to say of an export that is not just what the list shows; see `messages.export`. */
export function exportNote(props: {
  readonly count: number
  readonly isWhole: boolean
}): string | undefined {
  const { count, isWhole } = props
  if (isWhole) return undefined
  return `${counted(count, 'message')} exported. Older or larger messages are no longer stored.`
}
