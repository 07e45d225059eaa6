import { stripVTControlCharacters } from 'node:util'

import { AppError } from '../../../../src-shared/domain/app-error'
import { endsOf, type OversizedMessage } from '../../lines/message-framing'
import { MAX_LEVELS, nonNumberIn, type Unread } from '../json/json-rpc'
import { invalidAnswer } from './request-failure'

/** The id that the ends of a message name: of an answer, or of a request of the server. */
export type Envelope = {
  readonly id: string | number
  readonly kind: 'answer' | 'request'
}

const ID = String.raw`(-?\d{1,15}|"(?:[^"\\]|\\.){0,200}")`
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"`
const METHOD = String.raw`"method"\s*:\s*"[^"\\]{1,200}"`
const HEAD = new RegExp(
  String.raw`^\s*\{\s*(?:${VERSION}\s*,\s*)?(?:(${METHOD})\s*,\s*)?(?:${VERSION}\s*,\s*)?"id"\s*:\s*${ID}\s*,\s*(?:${VERSION}\s*,\s*)?("method"|"result"|"error"|"params")`,
)
/** Behind the value that made it large there may be the id, the version and nothing else. */
const TAIL = new RegExp(
  String.raw`,\s*(?:${VERSION}\s*,\s*)?"id"\s*:\s*${ID}\s*(?:,\s*${VERSION}\s*)?\}\s*$`,
)
const HEAD_OF_REQUEST = new RegExp(String.raw`^\s*\{\s*(?:${VERSION}\s*,\s*)?"(?:method|params)"`)

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

/** One that was larger than `maxBytes`. */
export function oversizedMessage(message: OversizedMessage, maxBytes: number): UnreadableMessage {
  const sizes = `${megabytes(message.bytes)} MB, but the limit is ${megabytes(maxBytes)} MB`
  return unreadable(message, 'oversizedMessages', sizes, () => {
    return new AppError('MESSAGE_TOO_LARGE', `The server’s message is too large: ${sizes}.`, {
      hint: 'Request less data at a time, or raise the limit in Settings.',
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
      unread.why === 'depth' ? 'The server’s response' : `The server’s response to ${method}`
    return invalidAnswer(`${answer} ${problem}.`)
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
  const owner = envelope === undefined ? 'The request is unknown' : `ID ${envelope.id}`
  const detail = `Invalid message ignored: ${reason}. ${owner}.`
  return { fault, detail, failure, envelope, isCall: isCall(ends) }
}

function megabytes(bytes: number): string {
  return String(Math.ceil((bytes / 1024 / 1024) * 10) / 10)
}

/**
 * The id of a message that was too large to be read (JSON-RPC 2.0, sections 4 and 5). Servers write it first or last;
 * undefined where it stands elsewhere, and in a batch.
 */
export function readEnvelope({ head, tail }: OversizedMessage): Envelope | undefined {
  const start = startOf(head)
  const first = HEAD.exec(start)
  if (first) {
    const [, method, id = '', next] = first
    const isRequest = method !== undefined || next === '"method"' || next === '"params"'
    return { id: JSON.parse(id) as string | number, kind: isRequest ? 'request' : 'answer' }
  }
  // Not in a batch: its last bracket closes the batch, and then nothing matches.
  const last = TAIL.exec(stripVTControlCharacters(tail.toString('utf8')))
  if (!last) return undefined
  const kind = HEAD_OF_REQUEST.test(start) ? 'request' : 'answer'
  return { id: JSON.parse(last[1] ?? '') as string | number, kind }
}

/** Whether a message that was too large is a request or a notification, as far as its start says. */
function isCall({ head }: OversizedMessage): boolean {
  return HEAD_OF_REQUEST.test(startOf(head))
}

function startOf(head: Buffer): string {
  return stripVTControlCharacters(head.toString('utf8').replace(/^\uFEFF/u, ''))
}
