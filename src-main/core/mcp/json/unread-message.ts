import { AppError } from '../../../../src-shared/domain/app-error'
import { endsOf, type OversizedMessage } from '../../lines/message-framing'
import type { Fault } from '../messages/pending-requests'
import { type Envelope, isCall, readEnvelope } from './read-envelope'
import { isTooDeep, MOST_LEVELS } from './read-message'

/** A message that was let go unread, with what is said of it: to who waits for it, and as a sentence about the server. */
export type UnreadMessage = {
  readonly fault: Fault
  readonly detail: string
  readonly failure: AppError
  /** Whom it belongs to, as far as its ends tell. */
  readonly envelope: Envelope | undefined
  /** A request or a notification, as far as its begin tells. */
  readonly isCall: boolean
}

/** One that was larger than `maxBytes`. */
export function oversizedMessage(message: OversizedMessage, maxBytes: number): UnreadMessage {
  const told = `${megabytes(message.bytes)} MB, the limit is ${megabytes(maxBytes)} MB`
  const failure = new AppError('MESSAGE_TOO_LARGE', `The server’s message is too large: ${told}.`, {
    hint: 'Ask for less at a time, or raise the limit in Settings.',
  })
  return unread(message, { fault: 'oversizedMessages', told, failure })
}

/** The line as one that is nested too deep to be read; undefined where that is not why it is no message. */
export function tooDeepMessage(line: Buffer): UnreadMessage | undefined {
  if (!isTooDeep(line)) return undefined
  const told = `it is nested deeper than ${MOST_LEVELS} levels`
  const failure = new AppError(
    'INVALID_ANSWER',
    `The server’s answer is nested deeper than ${MOST_LEVELS} levels.`,
    { hint: 'This is a fault of the server. Ask for less at a time, or tell its makers.' },
  )
  return unread(endsOf(line), { fault: 'malformedMessages', told, failure })
}

function unread(
  ends: OversizedMessage,
  { fault, told, failure }: { fault: Fault; told: string; failure: AppError },
): UnreadMessage {
  const envelope = readEnvelope(ends)
  const owner = envelope === undefined ? 'It cannot be told whose it is' : `Id ${envelope.id}`
  const detail = `A message was let go: ${told}. ${owner}.`
  return { fault, detail, failure, envelope, isCall: isCall(ends) }
}

function megabytes(bytes: number): string {
  return String(Math.ceil((bytes / 1024 / 1024) * 10) / 10)
}
