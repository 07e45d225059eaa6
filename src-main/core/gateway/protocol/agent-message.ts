import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { messageOf } from '../../failure/describe-failure'
import { exactAt } from '../../mcp/json/exact-json'
import { isTooDeep, MAX_LEVELS } from '../../mcp/json/json-rpc'
import { isNone } from '../../mcp/json/schemas'
import type { AgentRequest } from '../calls/agent-request'
import { CODES, RequestError } from '../calls/request-error'

/** An agent's request; the id is JSON text with the digits that the agent wrote. */
export type RequestMessage = AgentRequest & { readonly kind: 'request'; readonly id: string }
export type NotificationMessage = Omit<AgentRequest, 'value'> & { readonly kind: 'notification' }
/** A response to a request of the gateway. */
type ResponseMessage = {
  readonly kind: 'response'
  readonly id: unknown
  readonly result?: unknown
  readonly error?: unknown
}
type SingleMessage =
  | RequestMessage
  | NotificationMessage
  | ResponseMessage
  /** An invalid body with its error; `id` is JSON text. */
  | { readonly kind: 'invalid'; readonly id: string; readonly error: RequestError }
/** The body of a POST, parsed once. */
export type AgentMessage =
  | SingleMessage
  /** Notifications and responses in one body (MCP 2025-03-26). */
  | { readonly kind: 'batch'; readonly messages: readonly SingleMessage[] }

/** Optional parameters of every request. */
const OPTIONAL = ['_meta', 'cursor']

/**
 * Parses a body (JSON-RPC 2.0). A batch with a single request becomes that request. A batch with more is rejected, because its requests
 * would count as one for every limit.
 */
export function readMessage(text: string): AgentMessage {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return invalid(CODES.parseError, `Parse error: ${messageOf(error)}`)
  }
  if (!Array.isArray(value)) return readSingle(value, text)
  const messages = value.map((one) => readSingle(one, ''))
  const [first] = messages
  if (!first) return invalid(CODES.invalidRequest, 'The batch is empty.')
  if (messages.some(({ kind }) => kind === 'request'))
    return messages.length > 1
      ? invalid(CODES.invalidRequest, 'Batches are not supported. Send each request separately.')
      : readSingle(value[0], text.slice(text.indexOf('[') + 1, text.lastIndexOf(']')))
  const invalidMessage = messages.find((one) => one.kind === 'invalid')
  return invalidMessage ?? { kind: 'batch', messages }
}

/** Returns an id or a progress token as JSON text; undefined for a value that is neither text nor number. */
export function tokenText(
  value: unknown,
  text: string,
  path: readonly string[],
): string | undefined {
  const plain = plainToken(value)
  if (plain !== undefined || typeof value !== 'number') return plain
  // JavaScript can't represent this number; its digits come from the source.
  return JSON.stringify(exactAt(text, path))
}

/** Also undefined for a number whose digits JavaScript can't represent. */
function plainToken(value: unknown): string | undefined {
  const isPlain = typeof value === 'string' || Number.isSafeInteger(value)
  return isPlain ? JSON.stringify(value) : undefined
}

function readSingle(value: unknown, text: string): SingleMessage {
  if (!isJsonObject(value))
    return invalid(CODES.invalidRequest, 'The body is not a JSON-RPC message.')
  const { id, jsonrpc, method } = value
  // Checked before any recursive code reads the value. A level takes at least two characters.
  if (text.length > 2 * MAX_LEVELS && isTooDeep(value, MAX_LEVELS))
    return invalid(CODES.invalidRequest, `Nested deeper than ${MAX_LEVELS} levels.`, plainToken(id))
  const idText = tokenText(id, text, ['id'])
  if (jsonrpc !== '2.0')
    return invalid(CODES.invalidRequest, '"jsonrpc": "2.0" is missing.', idText)
  if (typeof method !== 'string') {
    if ('result' in value) return { kind: 'response', id, result: value.result }
    if ('error' in value) return { kind: 'response', id, error: value.error }
    return invalid(CODES.invalidRequest, 'The method is missing.', idText)
  }
  const params = paramsOf(value.params)
  if (!params) return invalid(CODES.invalidRequest, 'params must be an object.', idText)
  if (!('id' in value)) return { kind: 'notification', method, params, text }
  if (idText === undefined) return invalid(CODES.invalidRequest, 'id must be a string or a number.')
  return { kind: 'request', id: idText, method, params, text, value }
}

/** Returns an object of parameters; some agents send null or an empty list for none (MCP allows objects only). */
function paramsOf(params: unknown): JsonObject | undefined {
  if (params === undefined || isNone(params)) return {}
  if (!isJsonObject(params)) return undefined
  if (!OPTIONAL.some((key) => key in params && isNone(params[key]))) return params
  return Object.fromEntries(
    Object.entries(params).filter(([key, one]) => !OPTIONAL.includes(key) || !isNone(one)),
  )
}

function invalid(code: number, message: string, id = 'null'): SingleMessage {
  return { kind: 'invalid', id, error: new RequestError(code, message) }
}
