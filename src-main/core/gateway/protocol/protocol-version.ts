import type { IncomingHttpHeaders } from 'node:http'

import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/client'

import {
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'
import { LOG_LEVELS, type LogLevel } from '../../mcp/notifications'
import { CODES, RequestError } from '../calls/request-error'
import type { AgentMessage, NotificationMessage, RequestMessage } from './agent-message'

/** The first protocol version without sessions, and the only one so far. */
export const STATELESS_VERSION = '2026-07-28'
/** Headers and body of a request do not fit (MCP 2026-07-28, SEP-2243). */
export const HEADER_MISMATCH = -32_020

/** Which parameter the header `Mcp-Name` repeats. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}
const MARKED = /^=\?base64\?(.*)\?=$/u
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u

/** Log messages are asked for in each request (MCP 2026-07-28, logging). */
const LEVEL_KEY = 'io.modelcontextprotocol/logLevel'
const ENVELOPE = new Set<string>([
  ...[PROTOCOL_VERSION_META_KEY, CLIENT_INFO_META_KEY, CLIENT_CAPABILITIES_META_KEY, LEVEL_KEY],
])

/** Why a request is refused, with the status of HTTP. */
export type Fault = { readonly status: number; readonly error: RequestError }

/** Whether a message is of a protocol version without sessions: it names one in `_meta`, or in its header. */
export function isStateless(
  message: AgentMessage | undefined,
  headers: IncomingHttpHeaders,
): message is RequestMessage | NotificationMessage {
  if (message?.kind !== 'request' && message?.kind !== 'notification') return false
  const claimed = metaOf(message.params)[PROTOCOL_VERSION_META_KEY]
  if (message.method === 'initialize' && claimed !== undefined)
    return typeof claimed === 'string' && claimed >= STATELESS_VERSION
  return (
    claimed !== undefined || (headerOf(headers, 'mcp-protocol-version') ?? '') >= STATELESS_VERSION
  )
}

/** Why a stateless message is refused before its method is looked at (MCP 2026-07-28, Streamable HTTP). */
export function statelessFault(
  message: RequestMessage | NotificationMessage,
  headers: IncomingHttpHeaders,
): Fault | undefined {
  const { method, params, kind } = message
  const meta = metaOf(params)
  const claimed = meta[PROTOCOL_VERSION_META_KEY]
  const version = headerOf(headers, 'mcp-protocol-version')
  if (method === 'initialize' && claimed === undefined)
    return mismatch(
      `initialize requires a session version, but the header names version ${version}`,
    )
  const envelope = kind === 'request' ? envelopeFault(meta) : undefined
  if (envelope) return envelope
  if (version !== undefined && claimed !== undefined && version !== claimed)
    return mismatch(`the body names version ${shown(claimed)}, but the header names ${version}`)
  const named = headerOf(headers, 'mcp-method')
  if (named !== undefined && named !== method)
    return mismatch(`the body names method ${method}, but the header names ${named}`)
  const requested = shown(claimed ?? version)
  if (requested !== STATELESS_VERSION) return unsupported(requested)
  return kind === 'request' ? missingHeader(message, headers) : undefined
}

/** `_meta` of a message; empty where there is none. */
export function metaOf({ _meta }: JsonObject): JsonObject {
  return isJsonObject(_meta) ? _meta : {}
}

/** What an agent says of itself and of its app in each request. */
export function envelopeOf(params: JsonObject): {
  readonly clientInfo: unknown
  readonly canElicit: boolean
  /** The least level of log messages that it asks for. */
  readonly level: LogLevel | undefined
} {
  const meta = metaOf(params)
  const can = meta[CLIENT_CAPABILITIES_META_KEY]
  return {
    clientInfo: meta[CLIENT_INFO_META_KEY],
    canElicit: isJsonObject(can) && isJsonObject(can.elicitation),
    level: LOG_LEVELS.find((level) => level === meta[LEVEL_KEY]),
  }
}

/** `_meta` as a server gets it: without what concerns the gateway alone. */
export function withoutEnvelope(params: JsonObject): JsonObject {
  const own = Object.entries(metaOf(params)).filter(([key]) => !ENVELOPE.has(key))
  return Object.fromEntries(own)
}

/** The value of a header as the protocol encodes it; undefined for what is marked as Base64 and is none. */
export function decodedHeader(value: string): string | undefined {
  const [, marked] = MARKED.exec(value) ?? []
  if (marked === undefined) return value
  return BASE64.test(marked) ? Buffer.from(marked, 'base64').toString() : undefined
}

function envelopeFault(meta: JsonObject): Fault | undefined {
  const { [PROTOCOL_VERSION_META_KEY]: version, [CLIENT_CAPABILITIES_META_KEY]: capabilities } =
    meta
  if (typeof version !== 'string') return invalidEnvelope(PROTOCOL_VERSION_META_KEY, version)
  if (!isJsonObject(capabilities))
    return invalidEnvelope(CLIENT_CAPABILITIES_META_KEY, capabilities)
  return undefined
}

function invalidEnvelope(key: string, value: unknown): Fault {
  const problem = value === undefined ? 'missing' : 'of the wrong type'
  const error = new RequestError(CODES.invalidParams, `_meta: ${key} is ${problem}.`, {
    envelope: value === undefined ? { missing: [key] } : { key, problem },
  })
  return { status: 400, error }
}

function missingHeader(
  { method, params }: RequestMessage,
  headers: IncomingHttpHeaders,
): Fault | undefined {
  for (const name of ['mcp-protocol-version', 'mcp-method'])
    if (headerOf(headers, name) === undefined) return mismatch(`the header ${name} is missing`)
  const { [NAMED_BY[method] ?? '']: value } = params
  if (typeof value !== 'string') return undefined
  const given = headerOf(headers, 'mcp-name')
  if (given === undefined) return mismatch('the header mcp-name is missing')
  return decodedHeader(given) === value
    ? undefined
    : mismatch(`the body names ${value}, but the header mcp-name is ${given}`)
}

/** A header without the spaces around it. */
function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const { [name]: value } = headers
  return typeof value === 'string' ? value.trim() : undefined
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function mismatch(what: string): Fault {
  const message = `Header mismatch: ${what}.`
  return { status: 400, error: new RequestError(HEADER_MISMATCH, message) }
}

function unsupported(requested: string): Fault {
  const { code, message, data } = new UnsupportedProtocolVersionError({
    supported: [STATELESS_VERSION],
    requested,
  })
  return { status: 400, error: new RequestError(code, message, data) }
}
