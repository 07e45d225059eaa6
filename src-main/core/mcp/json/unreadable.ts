import { AppError } from '../../../../src-shared/domain/app-error'
import { endsOf, type OversizedMessage } from '../../lines/message-framing'
import { MAX_LEVELS, nonNumberIn, type Unread } from './json-rpc'
import { type Envelope, isCall, readEnvelope } from './read-envelope'

/** A message that was dropped unread. */
export type UnreadableMessage = {
  readonly fault: 'oversizedMessages' | 'malformedMessages'
  /** A sentence about the server. */
  readonly detail: string
  /** The failure of the request that it answers. */
  readonly failure: (method: string) => AppError
  /** The request that it belongs to, where its ends say so. */
  readonly envelope: Envelope | undefined
  /** A request or a notification, as far as its start says. */
  readonly isCall: boolean
}

const HINT =
  'The fault is in the server. Look for a newer version of it, or report it to its authors.'

/** One that was larger than `maxBytes`. */
export function oversizedMessage(message: OversizedMessage, maxBytes: number): UnreadableMessage {
  const sizes = `${megabytes(message.bytes)} MB, the limit is ${megabytes(maxBytes)} MB`
  return unreadable(message, 'oversizedMessages', sizes, () => {
    return new AppError('MESSAGE_TOO_LARGE', `The server’s message is too large: ${sizes}.`, {
      hint: 'Ask for less at a time, or raise the limit in Settings.',
    })
  })
}

/** The text as a message that can't be read; undefined where nothing suggests that it is one. */
export function unreadMessage(bytes: Buffer, unread: Unread): UnreadableMessage | undefined {
  if (unread.why === 'none') return undefined
  const problem =
    unread.why === 'depth'
      ? `is nested deeper than ${MAX_LEVELS} levels`
      : syntaxProblem(bytes, unread.error)
  const message = unreadable(endsOf(bytes), 'malformedMessages', `it ${problem}`, (method) => {
    const answer =
      unread.why === 'depth' ? 'The server’s answer' : `The server’s answer to ${method}`
    return new AppError('INVALID_ANSWER', `${answer} ${problem}.`, { hint: HINT })
  })
  return message.envelope || message.isCall ? message : undefined
}

function syntaxProblem(bytes: Buffer, error: unknown): string {
  const number = nonNumberIn(bytes)
  if (number) return `contains ${number.word} at position ${number.at}, which isn’t valid JSON`
  const [, at] = /at position (\d+)/u.exec(error instanceof Error ? error.message : '') ?? []
  return at === undefined ? 'isn’t valid JSON' : `isn’t valid JSON at position ${at}`
}

function unreadable(
  ends: OversizedMessage,
  fault: UnreadableMessage['fault'],
  reason: string,
  failure: UnreadableMessage['failure'],
): UnreadableMessage {
  const envelope = readEnvelope(ends)
  const owner = envelope === undefined ? 'Its request is not known' : `Id ${envelope.id}`
  const detail = `A message was ignored: ${reason}. ${owner}.`
  return { fault, detail, failure, envelope, isCall: isCall(ends) }
}

function megabytes(bytes: number): string {
  return String(Math.ceil((bytes / 1024 / 1024) * 10) / 10)
}
