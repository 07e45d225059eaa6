import { stripVTControlCharacters } from 'node:util'

import { AppError } from '../../../../src-shared/domain/app-error'
import { endsOf, type OversizedMessage } from '../../lines/message-framing'
import { type JsonObject, MAX_LEVELS, nonNumberIn, type Unread } from '../json/json-rpc'
import { invalidAnswer } from './request-failure'

const SCALAR = String.raw`(?:-?\d{1,15}|"(?:[^"\\]|\\.){0,200}")`
/** The short members before the value that makes a message large, and the key of that. */
const HEAD = new RegExp(
  String.raw`^\s*\{\s*((?:"(?:jsonrpc|id|method)"\s*:\s*${SCALAR}\s*,\s*)*)"(method|params|result|error)"`,
)
/** The short members behind it. In a batch nothing matches: its last bracket closes the batch. */
const TAIL = new RegExp(String.raw`((?:,\s*"(?:jsonrpc|id)"\s*:\s*${SCALAR}\s*)+)\}\s*$`)

/** What the ends of a message say of it: its id, and whether it is a request or a notification. */
type Envelope = { readonly id?: string | number; readonly isCall: boolean }

export type UnreadableMessage = Envelope & {
  readonly fault: 'oversizedMessages' | 'malformedMessages'
  readonly detail: string
  readonly failure: (method: string) => AppError
}

export function oversizedMessage(message: OversizedMessage, maxBytes: number): UnreadableMessage {
  const sizes = `${megabytes(message.bytes)} MB, but the limit is ${megabytes(maxBytes)} MB`
  const failure = (): AppError =>
    new AppError('MESSAGE_TOO_LARGE', `The server’s message is too large: ${sizes}.`, {
      hint: 'Request less data at a time, or raise the limit in Settings.',
    })
  const envelope = readEnvelope(message) ?? { isCall: false }
  const fault = 'oversizedMessages'
  return { ...envelope, fault, detail: detailOf(envelope, sizes), failure }
}

/** The text as a message that can't be read; undefined where nothing suggests that it is one. */
export function unreadMessage(bytes: Buffer, unread: Unread): UnreadableMessage | undefined {
  const envelope = unread.why === 'none' ? undefined : readEnvelope(endsOf(bytes))
  if (unread.why === 'none' || !envelope) return undefined
  const isDeep = unread.why === 'depth'
  const problem = isDeep
    ? `is nested deeper than ${MAX_LEVELS} levels`
    : syntaxProblem(bytes, unread.error)
  const failure = (method: string): AppError =>
    invalidAnswer(`The server’s response ${isDeep ? '' : `to ${method} `}${problem}.`)
  const detail = detailOf(envelope, `it ${problem}`)
  return { ...envelope, fault: 'malformedMessages', detail, failure }
}

function syntaxProblem(bytes: Buffer, error: unknown): string {
  const number = nonNumberIn(bytes)
  if (number) return `contains ${number.word} at position ${number.at}, which isn’t valid JSON`
  const [, at] = /at position (\d+)/u.exec(error instanceof Error ? error.message : '') ?? []
  return at === undefined ? 'isn’t valid JSON' : `isn’t valid JSON at position ${at}`
}

function detailOf({ id }: Envelope, reason: string): string {
  const owner = id === undefined ? 'The request is unknown' : `ID ${id}`
  return `Invalid message ignored: ${reason}. ${owner}.`
}

function megabytes(bytes: number): string {
  return String(Math.ceil((bytes / 1024 / 1024) * 10) / 10)
}

/**
 * Reads the ends of a message that is not read as a whole (JSON-RPC 2.0, sections 4 and 5): servers write the id first
 * or last. Undefined where neither an id nor a call is found.
 */
export function readEnvelope({ head, tail }: OversizedMessage): Envelope | undefined {
  const start = stripVTControlCharacters(head.toString('utf8').replace(/^\uFEFF/u, ''))
  const [, first = '', key] = HEAD.exec(start) ?? []
  const [, last = ''] = TAIL.exec(stripVTControlCharacters(tail.toString('utf8'))) ?? []
  const { id, method } = { ...membersOf(last.slice(1)), ...membersOf(first.replace(/,\s*$/u, '')) }
  const isCall = method !== undefined || key === 'method' || key === 'params'
  if (typeof id === 'number' || typeof id === 'string') return { id, isCall }
  return isCall ? { isCall } : undefined
}

function membersOf(text: string): JsonObject {
  try {
    return JSON.parse(`{${text}}`) as JsonObject
  } catch {
    return {} // a number or an escape that JSON does not have
  }
}
