import type { IncomingHttpHeaders } from 'node:http'

import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/client'

import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { parameterHeaders } from '../../mcp/connections/parameter-headers'
import { LEVEL_META_KEY } from '../../mcp/notifications'
import { STATELESS_VERSION } from '../../mcp/peer/connection'
import { NAMED_BY } from '../calls/gateway-capabilities'
import { CODES, RequestError } from '../calls/request-error'
import type { AgentMessage, NotificationMessage, RequestMessage } from './agent-message'

/** Error code for headers that don't match the body (MCP 2026-07-28, SEP-2243). */
const HEADER_MISMATCH = -32_020

const MARKED = /^=\?base64\?(.*)\?=$/u
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/u

export function metaOf({ _meta }: JsonObject): JsonObject {
  return isJsonObject(_meta) ? _meta : {}
}

/** Returns `_meta` as a server gets it: without members for the gateway alone. */
export function withoutEnvelope(params: JsonObject): JsonObject {
  const {
    [PROTOCOL_VERSION_META_KEY]: _version,
    [CLIENT_INFO_META_KEY]: _app,
    [CLIENT_CAPABILITIES_META_KEY]: _capabilities,
    [LEVEL_META_KEY]: _level,
    ...own
  } = metaOf(params)
  return own
}

/** Whether a message is of a protocol version without sessions, by its `_meta` or its header. */
export function isStateless(
  message: AgentMessage | undefined,
  headers: IncomingHttpHeaders,
): message is RequestMessage | NotificationMessage {
  if (message?.kind !== 'request' && message?.kind !== 'notification') return false
  const { [PROTOCOL_VERSION_META_KEY]: claimed } = metaOf(message.params)
  if (message.method === 'initialize' && claimed !== undefined)
    return typeof claimed === 'string' && claimed >= STATELESS_VERSION
  const version = headerOf(headers, 'mcp-protocol-version') ?? ''
  return claimed !== undefined || version >= STATELESS_VERSION
}

/** Returns why a stateless message is rejected with status 400, whatever its method (MCP 2026-07-28, Streamable HTTP). */
export function envelopeFault(
  { method, params, kind }: RequestMessage | NotificationMessage,
  headers: IncomingHttpHeaders,
): RequestError | undefined {
  const meta = metaOf(params)
  const { [PROTOCOL_VERSION_META_KEY]: claimed, [CLIENT_CAPABILITIES_META_KEY]: can } = meta
  const version = headerOf(headers, 'mcp-protocol-version')
  if (method === 'initialize' && claimed === undefined)
    return mismatch(
      `initialize requires a session version, but the header names version ${version}`,
    )
  if (kind === 'request' && typeof claimed !== 'string')
    return invalidMember(PROTOCOL_VERSION_META_KEY, claimed)
  if (kind === 'request' && !isJsonObject(can))
    return invalidMember(CLIENT_CAPABILITIES_META_KEY, can)
  if (version !== undefined && claimed !== undefined && version !== claimed)
    return mismatch(`the body names version ${textOf(claimed)}, but the header names ${version}`)
  const named = headerOf(headers, 'mcp-method')
  if (named !== undefined && named !== method)
    return mismatch(`the body names method ${method}, but the header names ${named}`)
  const requested = textOf(claimed ?? version)
  if (requested !== STATELESS_VERSION) {
    const supported = [STATELESS_VERSION]
    const { code, message, data } = new UnsupportedProtocolVersionError({ supported, requested })
    return new RequestError(code, message, data)
  }
  return kind === 'request' ? nameFault(method, params, headers) : undefined
}

function nameFault(
  method: string,
  params: JsonObject,
  headers: IncomingHttpHeaders,
): RequestError | undefined {
  const { [NAMED_BY[method] ?? '']: name } = params
  const wanted = ['mcp-protocol-version', 'mcp-method']
  if (typeof name === 'string') wanted.push('mcp-name')
  const missing = wanted.find((one) => headerOf(headers, one) === undefined)
  if (missing !== undefined) return mismatch(`the header ${missing} is missing`)
  const given = headerOf(headers, 'mcp-name') ?? ''
  return typeof name !== 'string' || decoded(given) === name
    ? undefined
    : mismatch(`the body names ${name}, but the header mcp-name is ${given}`)
}

/**
 * Returns why a call's headers don't match its arguments (MCP 2026-07-28, custom headers): each argument whose schema names a header must
 * be repeated there.
 */
export function parameterFault(
  inputSchema: unknown,
  { arguments: args }: JsonObject,
  headers: IncomingHttpHeaders,
): RequestError | undefined {
  for (const [name, expected] of Object.entries(parameterHeaders(inputSchema, args))) {
    const { [name.toLowerCase()]: given } = headers
    if (typeof given === 'string' && isSameValue(decoded(given), decoded(expected))) continue
    const problem =
      typeof given === 'string'
        ? 'does not match the argument of the call.'
        : 'is missing, but the call has an argument for it.'
    return new RequestError(HEADER_MISMATCH, `The header ${name} ${problem}`)
  }
  return undefined
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const { [name]: value } = headers
  return typeof value === 'string' ? value.trim() : undefined
}

/** Decodes a header value of the protocol; undefined for invalid Base64. */
function decoded(value: string): string | undefined {
  const [, marked] = MARKED.exec(value) ?? []
  if (marked === undefined) return value
  return BASE64.test(marked) ? Buffer.from(marked, 'base64').toString() : undefined
}

/** Compares two values; numbers have several spellings. */
function isSameValue(given: string | undefined, expected = ''): boolean {
  if (given === undefined || given === expected) return given !== undefined
  return DECIMAL.test(given) && DECIMAL.test(expected) && Number(given) === Number(expected)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function mismatch(what: string): RequestError {
  return new RequestError(HEADER_MISMATCH, `Header mismatch: ${what}.`)
}

function invalidMember(key: string, value: unknown): RequestError {
  const problem = value === undefined ? 'missing' : 'of the wrong type'
  return new RequestError(CODES.invalidParams, `_meta: ${key} is ${problem}.`, {
    envelope: value === undefined ? { missing: [key] } : { key, problem },
  })
}
