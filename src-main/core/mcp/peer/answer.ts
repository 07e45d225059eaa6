import { isObject } from '../json/is-object'
import { type JsonObject, withoutResultType } from '../json/json-rpc'
import { type ResultText, writtenResult } from '../json/result-text'
import { kindOf, normalizeResult } from '../json/schemas'

/** The code of an error whose server gave none that is a number. */
const NO_CODE = -32_000
const MAX_MESSAGE = 1_000

/** A JSON-RPC error as its server wrote it. */
export type Refusal = { readonly code: number; readonly message: string; readonly data?: unknown }

/** An answer as its server meant it; one of `answer`, `error` and `problem` is there. */
export type ReadAnswer = {
  readonly answer?: ResultText
  readonly error?: Refusal
  /** Why it can't be used, as the end of a sentence. */
  readonly problem?: string
  /** A departure from the protocol that counts as a fault, as the end of a sentence. */
  readonly quirk?: string | undefined
  /** Phrases about what was repaired. */
  readonly repairs: readonly string[]
}

/** The request that an answer is for. */
export type AnswerContext = {
  readonly method: string
  /** The protocol is stateless (2026-07-28), so that a result has its type. */
  readonly isStateless: boolean
}

/** Reads an answer (JSON-RPC 2.0, section 5). `bytes` are those of its result, where it stands apart in its text. */
export function readAnswer(
  message: JsonObject,
  bytes: Buffer | undefined,
  context: AnswerContext,
): ReadAnswer {
  const { id, error } = message
  const hasError = error !== undefined && error !== null
  const hasResult = message.result !== undefined && (message.result !== null || !hasError)
  const repairs = message.jsonrpc === '2.0' ? NONE : [`jsonrpc is ${presence(message.jsonrpc)}`]
  if (hasError && hasResult) return { problem: 'has both a result and an error', repairs }
  if (hasError) {
    const isEmptied = message.result === null ? 'has an empty result next to its error' : undefined
    const read = readError(error)
    const quirk = read.isOdd ? 'has an error without a numeric code or a message' : isEmptied
    return { error: read.error, quirk: quirk ?? idQuirk(id), repairs }
  }
  if (!hasResult) return { problem: 'has neither a result nor an error', repairs }
  if (!isObject(message.result)) return { problem: 'has a result that is not an object', repairs }
  const quirk = error === null ? 'has an empty error next to its result' : idQuirk(id)
  return { ...readResult(message.result, bytes, context, repairs), quirk }
}

const NONE: readonly string[] = []

function readResult(
  raw: JsonObject,
  bytes: Buffer | undefined,
  { method, isStateless }: AnswerContext,
  before: readonly string[],
): ReadAnswer {
  const normalized = normalizeResult(method, raw)
  const { problem } = normalized
  let { value, repairs } = normalized
  if (before.length > 0) repairs = [...before, ...repairs]
  if (value._meta !== undefined && !isObject(value._meta)) {
    const { _meta: meta, ...others } = value
    repairs = [...repairs, `_meta is ${kindOf(meta)}`]
    value = others
  }
  if (problem !== undefined) return { problem: `is invalid: ${problem}`, repairs }
  const isNormalized = value !== raw
  if (!isStateless) return { answer: resultOf(value, bytes, isNormalized), repairs }
  if (value.resultType === undefined) repairs = [...repairs, 'resultType is missing']
  if (value.resultType !== 'complete')
    return { answer: resultOf(value, bytes, isNormalized), repairs }
  // The other protocol versions don't know the member, and it says nothing more here.
  const { resultType: _type, ...complete } = value
  return { answer: resultOf(complete, bytes && withoutResultType(bytes), isNormalized), repairs }
}

function resultOf(result: JsonObject, own: Buffer | undefined, isNormalized: boolean): ResultText {
  if (own)
    return isNormalized ? { text: own, result, own, isNormalized } : { text: own, result, own }
  return writtenResult(result)
}

/** Reads an error of any shape; its message is the first text that it has. */
export function readError(raw: unknown): { readonly error: Refusal; readonly isOdd: boolean } {
  const { code, message, data, error } = isObject(raw) ? raw : { message: raw }
  const isCode = typeof code === 'number' && Number.isSafeInteger(code)
  const isOdd = !isCode || typeof message !== 'string'
  const text = [message, data, error, (data as { message?: unknown } | null | undefined)?.message]
  const words = text.find((one): one is string => typeof one === 'string' && one !== '')
  return {
    isOdd,
    error: {
      code: isCode ? code : NO_CODE,
      message: typeof message === 'string' ? message : (words ?? textOf(raw)),
      ...(data !== undefined && { data }),
    },
  }
}

function textOf(raw: unknown): string {
  return JSON.stringify(raw).slice(0, MAX_MESSAGE)
}

function idQuirk(id: unknown): string | undefined {
  return typeof id === 'string' ? 'has its ID as a string' : undefined
}

function presence(version: unknown): string {
  return version === undefined ? 'missing' : 'not "2.0"'
}
