import { stripVTControlCharacters } from 'node:util'

import { AppError } from '../../../../src-shared/domain/app-error'
import { jsonIn } from '../../../../src-shared/domain/attempt'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { endsOf, type OversizedMessage } from '../../lines/message-framing'
import { MAX_LEVELS, nonNumberIn, type Unread, withoutResultType } from '../json/json-rpc'
import { type ResultText, writtenResult } from '../json/result-text'
import { normalizeResult } from '../json/schemas'
import { invalidAnswer, type Refusal } from './request-failure'

/** Requests whose result is empty; any value is accepted. */
const WITHOUT_RESULT: readonly string[] = [
  ...['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'],
  ...['tasks/cancel', 'tasks/update'],
]
/** Code of an error whose server gave none or no number. */
const NO_CODE = -32_000
const MAX_MESSAGE = 1_000

/** A normalized response; one of `answer`, `error` and `problem` is set. */
type ReadAnswer = {
  readonly answer?: ResultText
  readonly error?: Refusal
  /** Why it is unusable, as the end of a sentence. */
  readonly problem?: string | undefined
  /** A protocol violation that counts as a fault, as the end of a sentence. */
  readonly quirk?: string | undefined
  readonly repairs: readonly string[]
}

/** Reads a response (JSON-RPC 2.0, section 5). `bytes` are those of its result, if they are separate in its text. */
export function readAnswer(
  { id, error, result, jsonrpc }: JsonObject,
  bytes: Buffer | undefined,
  method: string,
  isStateless: boolean,
  exact?: JsonObject,
): ReadAnswer {
  const hasError = error !== undefined && error !== null
  const hasResult = result !== undefined && (result !== null || !hasError)
  const repairs = envelopeRepairs({ id, result, jsonrpc })
  const quirk = typeof id === 'string' ? 'has its ID as a string' : undefined
  if (hasError && hasResult) return { problem: 'has both a result and an error', repairs }
  if (hasError) {
    const read = readError(error, exact?.error)
    const emptied = result === null ? 'has an empty result next to its error' : quirk
    const quirkText = read.isMalformed
      ? 'has an error without a numeric code or a message'
      : emptied
    return { error: read.error, quirk: quirkText, repairs }
  }
  if (!hasResult) return { problem: 'has neither a result nor an error', repairs }
  const emptied = error === null ? 'has an empty error next to its result' : quirk
  return { ...readResult(result, bytes, { method, isStateless, repairs }), quirk: emptied, repairs }
}

function envelopeRepairs({ id, result, jsonrpc }: JsonObject): string[] {
  const version = jsonrpc === undefined ? 'missing' : 'not "2.0"'
  const isUnnamed = (id === undefined || id === null) && result !== undefined && result !== null
  return [
    ...(jsonrpc === '2.0' ? [] : [`jsonrpc is ${version}`]),
    ...(isUnnamed ? ['id is missing'] : []),
  ]
}

function readResult(
  raw: unknown,
  bytes: Buffer | undefined,
  context: { readonly method: string; readonly isStateless: boolean; readonly repairs: string[] },
): Pick<ReadAnswer, 'answer' | 'problem'> {
  if (!isJsonObject(raw)) {
    if (!WITHOUT_RESULT.includes(context.method))
      return { problem: 'has a result that is not an object' }
    context.repairs.push('the result is not an object')
    return { answer: writtenResult({}) }
  }
  const { value, problem, repairs } = normalizeResult(context.method, raw)
  context.repairs.push(...repairs)
  if (problem !== undefined) return { problem: `is invalid: ${problem}` }
  const isNormalized = value !== raw
  if (context.isStateless && value.resultType === undefined)
    context.repairs.push('resultType is missing')
  if (!context.isStateless || value.resultType !== 'complete')
    return { answer: resultOf(value, bytes, isNormalized) }
  // Other protocol versions lack the member, and it has no meaning here.
  const { resultType: _type, ...complete } = value
  return { answer: resultOf(complete, bytes && withoutResultType(bytes), isNormalized) }
}

function resultOf(result: JsonObject, own: Buffer | undefined, isNormalized: boolean): ResultText {
  return own ? { text: own, result, own, isNormalized } : writtenResult(result)
}

/** Reads an error of any shape; its message is the first text in it. `exact`: the same error with all digits. */
export function readError(
  raw: unknown,
  exact?: unknown,
): { readonly error: Refusal; readonly isMalformed: boolean } {
  const { code, message, data, error } = isJsonObject(raw) ? raw : { message: raw }
  const isCode = typeof code === 'number' && Number.isSafeInteger(code)
  const texts = [data, error, isJsonObject(data) ? data.message : undefined]
  const other = texts.find((one): one is string => typeof one === 'string' && one !== '')
  const text = typeof message === 'string' ? message : other
  return {
    isMalformed: !isCode || typeof message !== 'string',
    error: {
      code: isCode ? code : NO_CODE,
      message: text ?? JSON.stringify(raw).slice(0, MAX_MESSAGE),
      ...(data !== undefined && { data }),
      ...(isJsonObject(exact) && { exactData: exact.data }),
    },
  }
}

const SCALAR = String.raw`(?:-?\d{1,15}|"(?:[^"\\]|\\.){0,200}")`
/** The short members before the value that makes a message large, and that value's key. */
const HEAD = new RegExp(
  String.raw`^\s*\{\s*((?:"(?:jsonrpc|id|method)"\s*:\s*${SCALAR}\s*,\s*)*)"(method|params|result|error)"`,
)
/** The short members after that value. Never matches in a batch, which ends with its own bracket. */
const TAIL = new RegExp(String.raw`((?:,\s*"(?:jsonrpc|id)"\s*:\s*${SCALAR}\s*)+)\}\s*$`)

/** The start of a literal of another language: single quotes, or a key without quotes. */
const PRINTED = /^\s*\{\s*(?:'|[A-Za-z_]\w*\s*:)/u
/** A member of a message (JSON-RPC 2.0, sections 4 and 5) next to its ID. */
const OF_MESSAGE = /\b(?:jsonrpc|result|error)\b/u
/** Searched characters at each end of such a literal. */
const PRINTED_END = 500

/** Members from the ends of a message: its id, and whether it is a request or a notification. */
type Envelope = {
  readonly id?: string | number
  readonly isCall: boolean
  /** Written as a literal of Python or JavaScript, as a program prints a value. */
  readonly isPrinted?: boolean
}

/** A message that can't be read completely. */
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

/** Returns the text as an unreadable message; undefined if it doesn't look like one. */
export function unreadMessage(bytes: Buffer, unread: Unread): UnreadableMessage | undefined {
  const envelope = unread.why === 'none' ? undefined : readEnvelope(endsOf(bytes))
  if (unread.why === 'none' || !envelope) return undefined
  const isDeep = unread.why === 'depth'
  const problem = isDeep
    ? `is nested deeper than ${MAX_LEVELS} levels`
    : syntaxProblem(bytes, unread)
  const form = envelope.isPrinted
    ? 'isn’t JSON: it is written as a program prints a value'
    : problem
  const failure = (method: string): AppError =>
    invalidAnswer(`The server’s response ${isDeep ? '' : `to ${method} `}${form}.`)
  const detail = detailOf(envelope, `it ${form}`)
  return { ...envelope, fault: 'malformedMessages', detail, failure }
}

function syntaxProblem(bytes: Buffer, { why, error }: Extract<Unread, { error: unknown }>): string {
  if (why === 'end') return 'breaks off before its end'
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
 * Reads the ends of a message (JSON-RPC 2.0, sections 4 and 5): servers write the id first or last. Undefined if neither an id nor a call
 * is found.
 */
export function readEnvelope({ head, tail }: OversizedMessage): Envelope | undefined {
  const start = stripVTControlCharacters(head.toString('utf8').replace(/^\uFEFF/u, ''))
  const end = stripVTControlCharacters(tail.toString('utf8'))
  if (PRINTED.test(start) && OF_MESSAGE.test(start.slice(0, PRINTED_END))) {
    const envelope = envelopeIn(
      quoted(start.slice(0, PRINTED_END)),
      quoted(end.slice(-PRINTED_END)),
    )
    return envelope && { ...envelope, isPrinted: true }
  }
  return envelopeIn(start, end)
}

function envelopeIn(start: string, end: string): Envelope | undefined {
  const [, first = '', key] = HEAD.exec(start) ?? []
  const [, last = ''] = TAIL.exec(end) ?? []
  const { id, method } = { ...membersOf(last.slice(1)), ...membersOf(first.replace(/,\s*$/u, '')) }
  const isCall = method !== undefined || key === 'method' || key === 'params'
  if (typeof id === 'number' || typeof id === 'string') return { id, isCall }
  return isCall ? { isCall } : undefined
}

/** Converts a literal's keys and short texts to double quotes, as far as its ID requires. */
function quoted(text: string): string {
  return text
    .replaceAll(/'([^'"\\]*)'/gu, '"$1"')
    .replaceAll(/([{,]\s*)([A-Za-z_]\w*)(\s*:)/gu, '$1"$2"$3')
}

/** Returns no members if there is a number or an escape that JSON lacks. */
function membersOf(text: string): JsonObject {
  return (jsonIn(`{${text}}`) ?? {}) as JsonObject
}
