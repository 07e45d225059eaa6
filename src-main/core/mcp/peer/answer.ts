import { isObject } from '../json/is-object'
import { type JsonObject, withoutResultType } from '../json/json-rpc'
import { type ResultText, writtenResult } from '../json/result-text'
import { normalizeResult } from '../json/schemas'

/** The code of an error whose server gave none that is a number. */
const NO_CODE = -32_000
const MAX_MESSAGE = 1_000

export type Refusal = { readonly code: number; readonly message: string; readonly data?: unknown }

/** An answer as its server meant it; one of `answer`, `error` and `problem` is there. */
type ReadAnswer = {
  readonly answer?: ResultText
  readonly error?: Refusal
  /** Why it can't be used, as the end of a sentence. */
  readonly problem?: string
  /** A departure from the protocol that counts as a fault, as the end of a sentence. */
  readonly quirk?: string | undefined
  readonly repairs: readonly string[]
}

/** Reads an answer (JSON-RPC 2.0, section 5). `bytes` are those of its result, where it stands apart in its text. */
export function readAnswer(
  message: JsonObject,
  bytes: Buffer | undefined,
  method: string,
  isStateless: boolean,
): ReadAnswer {
  const { id, error, result, jsonrpc } = message
  const hasError = error !== undefined && error !== null
  const hasResult = result !== undefined && (result !== null || !hasError)
  const repairs: string[] = []
  if (jsonrpc === undefined) repairs.push('jsonrpc is missing')
  else if (jsonrpc !== '2.0') repairs.push('jsonrpc is not "2.0"')
  if (hasError && hasResult) return { problem: 'has both a result and an error', repairs }
  const idQuirk = typeof id === 'string' ? 'has its ID as a string' : undefined
  if (hasError) {
    const read = readError(error)
    const emptied = result === null ? 'has an empty result next to its error' : idQuirk
    const quirk = read.isOdd ? 'has an error without a numeric code or a message' : emptied
    return { error: read.error, quirk, repairs }
  }
  if (!hasResult) return { problem: 'has neither a result nor an error', repairs }
  if (!isObject(result)) return { problem: 'has a result that is not an object', repairs }
  const quirk = error === null ? 'has an empty error next to its result' : idQuirk
  return { ...readResult(result, bytes, { method, isStateless, repairs }), quirk, repairs }
}

function readResult(
  raw: JsonObject,
  bytes: Buffer | undefined,
  context: { readonly method: string; readonly isStateless: boolean; readonly repairs: string[] },
): { readonly answer: ResultText } | { readonly problem: string } {
  const { value, problem, repairs } = normalizeResult(context.method, raw)
  context.repairs.push(...repairs)
  if (problem !== undefined) return { problem: `is invalid: ${problem}` }
  const isNormalized = value !== raw
  if (context.isStateless && value.resultType === undefined)
    context.repairs.push('resultType is missing')
  if (!context.isStateless || value.resultType !== 'complete')
    return { answer: resultOf(value, bytes, isNormalized) }
  // The other protocol versions don't know the member, and it says nothing more here.
  const { resultType: _type, ...complete } = value
  return { answer: resultOf(complete, bytes && withoutResultType(bytes), isNormalized) }
}

function resultOf(result: JsonObject, own: Buffer | undefined, isNormalized: boolean): ResultText {
  return own ? { text: own, result, own, isNormalized } : writtenResult(result)
}

/** Reads an error of any shape; its message is the first text that it has. */
export function readError(raw: unknown): { readonly error: Refusal; readonly isOdd: boolean } {
  const { code, message, data, error } = isObject(raw) ? raw : { message: raw }
  const isCode = typeof code === 'number' && Number.isSafeInteger(code)
  const texts = [data, error, isObject(data) ? data.message : undefined]
  const words = texts.find((one): one is string => typeof one === 'string' && one !== '')
  const text = typeof message === 'string' ? message : words
  return {
    isOdd: !isCode || typeof message !== 'string',
    error: {
      code: isCode ? code : NO_CODE,
      message: text ?? JSON.stringify(raw).slice(0, MAX_MESSAGE),
      ...(data !== undefined && { data }),
    },
  }
}
