import type { MessageEntry } from '../../../../src-shared/domain/agents/message-log'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { counted, formatCount, formatSeconds } from '../../../ui/text/format'
import { visibleText } from '../../../ui/text/untrusted-text'

/** Labels of the message kinds. */
export const KIND_LABEL: Readonly<Record<MessageEntry['kind'], string>> = {
  request: 'Request',
  notification: 'Notification',
  result: 'Result',
  error: 'Error',
}

/** Labels of the directions. */
export const DIRECTION_LABEL: Readonly<Record<MessageEntry['direction'], string>> = {
  sent: 'to the server',
  received: 'from the server',
}

/** Returns the number of messages: `12 messages`, or `3 of 12 messages` if some are hidden. */
export function countText(shown: number, total: number): string {
  return shown === total
    ? counted(total, 'message')
    : `${formatCount(shown)} of ${counted(total, 'message')}`
}

/** Returns the method of a message, or of the request that it answers. */
export function methodLabel({ method }: Pick<MessageEntry, 'method'>): string {
  return method === undefined ? 'Response to unknown request' : visibleText(method)
}

/** Returns the method of a message with its target. */
export function targetLabel(entry: Pick<MessageEntry, 'method' | 'target'>): string {
  const { target } = entry
  return target === undefined ? methodLabel(entry) : `${methodLabel(entry)} ${visibleText(target)}`
}

/** Returns kind and direction for screen readers: `request to the server`. */
export function kindLabel({ kind, direction }: Pick<MessageEntry, 'kind' | 'direction'>): string {
  return `${KIND_LABEL[kind].toLowerCase()} ${DIRECTION_LABEL[direction]}`
}

/** Returns the label of a session: `Session 2, 14:03:22`, with the date if it differs from that of `now`. */
export function sessionLabel(session: number, at: number, now: number): string {
  return `Session ${formatCount(session)}, ${formatSeconds(at, now)}`
}

/** Returns the text of the empty list. */
export function noMessagesText({ name, status }: Pick<ServerView, 'name' | 'status'>): string {
  const isAway = status.kind === 'stopped' || status.kind === 'paused' || status.kind === 'error'
  return isAway
    ? `Start ${name} to see its JSON-RPC messages here.`
    : `JSON-RPC messages between Patchbay and ${name} appear here.`
}

/** Returns a note if an export omits messages of the list; see `messages.export`. */
export function exportNote(props: {
  readonly count: number
  readonly isWhole: boolean
}): string | undefined {
  const { count, isWhole: isComplete } = props
  if (isComplete) return undefined
  return `${counted(count, 'message')} exported. Older or larger messages are no longer stored.`
}
