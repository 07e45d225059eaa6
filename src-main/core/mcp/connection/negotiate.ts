import {
  type Client,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type DiscoverResult,
  type Implementation,
  LATEST_PROTOCOL_VERSION,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/client'

import { AppError } from '../../../../src-shared/domain/app-error'
import { messageOf } from '../../failure/describe-failure'
import { isObject } from '../json/is-object'
import type { JsonObject } from '../json/schemas'
import type { OwnAnswer, OwnRequests } from '../messages/own-requests'
import { isDiscovery } from '../messages/pending-requests'
import type { Era } from './era'

/**
 * The share of the handshake's limit that the answer to `server/discover` may take over HTTP. Most servers of the older
 * era reject it immediately; a few leave it unanswered, and many of either era take long to begin.
 */
const PROBE_SHARE = 2 / 3
/** The same for a server that has answered before as one of the newer era. */
const KNOWN_SHARE = 0.95

const MODERN_VERSION = '2026-07-28'
const METHOD_NOT_FOUND = -32_601
const UNSUPPORTED_VERSION = -32_022
const FITTING_WORDS =
  /protocol ?version|unsupported version|version (?:is )?not supported|not found|unknown method/iu

type HandshakeLimits = {
  /** Of the handshake, in ms. */
  readonly limitMs: number
  /** After which a request of the handshake fails, in ms. */
  readonly timeoutMs: number
  /** What the server spoke before; undefined where that is not known. */
  readonly era: Era | undefined
}

type NegotiateOptions = HandshakeLimits & {
  /** What Patchbay says of itself. */
  readonly clientInfo: Implementation
  readonly capabilities: ClientCapabilities
}

/** A transport over pipes, whose handshake is done before a client is attached. */
export type PipeTransport = Transport & {
  readonly own: Pick<OwnRequests, 'askPlainly'>
  /** The client that is attached next gets this answer to its `initialize`, which then is not sent again. */
  adoptInitialize(result: JsonObject): void
  /** Hands on what came before a client was attached. */
  deliverEarly(): void
}

/**
 * Connects a client over HTTP: `server/discover` first (MCP 2026-07-28), and `initialize` where anything else or nothing
 * is answered. A server that is known to be of the older era gets `initialize` alone. Rejects with the SDK's error.
 */
export async function negotiateHttp(
  client: Client,
  transport: Transport,
  { limitMs, timeoutMs, era }: HandshakeLimits,
): Promise<void> {
  const probeMs = Math.ceil(limitMs * (era === 'modern' ? KNOWN_SHARE : PROBE_SHARE))
  client.setVersionNegotiation({ mode: 'auto', probe: { timeoutMs: probeMs } })
  const prior = era === 'legacy' ? ({ kind: 'legacy' } as const) : undefined
  await client.connect(transport, { timeout: timeoutMs, ...(prior && { prior }) })
}

/**
 * Connects a client over the pipes of a child (B13): `initialize` first, as many servers break on a request that comes
 * before it; `server/discover` on the same connection only after `initialize` was rejected as an unknown method or for
 * its version. A server that is known to be of the newer era gets `server/discover` first. Rejects with an `AppError`
 * or the SDK's error.
 */
export async function negotiateStdio(
  client: Client,
  transport: PipeTransport,
  options: NegotiateOptions,
): Promise<void> {
  await transport.start()
  const ask = (method: string, params: JsonObject): Promise<JsonObject> =>
    exchange(transport, method, params, options.timeoutMs)
  const discover = async (): Promise<void> => {
    const result = await ask('server/discover', { _meta: envelope(options) })
    if (!isDiscovery(result)) throw notDiscovered()
    // Checked above; what else the SDK expects of it was repaired as it came in.
    const known = result as unknown as DiscoverResult
    await client.connect(transport, { prior: { kind: 'modern', discover: known } })
  }
  const initialize = async (): Promise<void> => {
    const { capabilities, clientInfo } = options
    const offer = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities, clientInfo }
    transport.adoptInitialize(checkedVersion(await ask('initialize', offer)))
    await client.connect(transport, { timeout: options.timeoutMs, prior: { kind: 'legacy' } })
  }
  const [first, second] = options.era === 'modern' ? [discover, initialize] : [initialize, discover]
  try {
    await first()
  } catch (error) {
    if (!isVersionRejection(error)) throw error
    await second().catch((next: unknown) => {
      // Two rejections: the first one is about what was asked first.
      throw next instanceof ProtocolError && !(next.data instanceof AppError) ? error : next
    })
  }
  transport.deliverEarly()
}

/** One request of the handshake, before a client is attached. Resolves to its result; rejects as a client's request does. */
function exchange(
  { own }: PipeTransport,
  method: string,
  params: JsonObject,
  timeoutMs: number,
): Promise<JsonObject> {
  const { promise, resolve, reject } = Promise.withResolvers<JsonObject>()
  const timer = setTimeout(
    () => reject(new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out')),
    timeoutMs,
  )
  own.askPlainly(method, params, {
    onAnswer: ({ result, error }) => {
      if (error) reject(rejectionOf(error))
      else resolve(result ?? {})
    },
    onProgress: () => undefined,
    onFailure: (error) => reject(error),
  })
  return promise.finally(() => clearTimeout(timer))
}

function rejectionOf({ code, message, data }: NonNullable<OwnAnswer['error']>): Error {
  // Made by the transport for an answer that can't be used; a server can't make one.
  return data instanceof AppError ? data : ProtocolError.fromError(code, message, data)
}

/** `initialize` was answered with a version of the newer era, or with one that is not known. */
class VersionError extends AppError {}

function checkedVersion(result: JsonObject): JsonObject {
  const version = String(result.protocolVersion)
  if (SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return result
  const known = [...SUPPORTED_PROTOCOL_VERSIONS, MODERN_VERSION].toSorted()
  throw new VersionError(
    'INVALID_ANSWER',
    `The server speaks protocol version ${messageOf(version)}. Patchbay speaks ${known.join(', ')}.`,
    { hint: 'Look for a newer version of the server, or report it to its authors.' },
  )
}

function notDiscovered(): AppError {
  return new AppError(
    'INVALID_ANSWER',
    'The server’s answer to server/discover can’t be used: supportedVersions is missing.',
    {
      hint: 'The fault is in the server. Look for a newer version of it, or report it to its authors.',
    },
  )
}

/** Whether a server rejected the first request of a handshake for its method or version, so that the other era is worth a try. */
function isVersionRejection(error: unknown): boolean {
  if (error instanceof VersionError) return true
  if (!(error instanceof ProtocolError) || error.data instanceof AppError) return false
  if (error.code === METHOD_NOT_FOUND || error.code === UNSUPPORTED_VERSION) return true
  const { data } = error
  return (isObject(data) && Array.isArray(data.supported)) || FITTING_WORDS.test(error.message)
}

/** What each request of the newer era says of its client (MCP 2026-07-28). */
function envelope({ clientInfo, capabilities }: NegotiateOptions): JsonObject {
  return {
    [PROTOCOL_VERSION_META_KEY]: MODERN_VERSION,
    [CLIENT_INFO_META_KEY]: clientInfo,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
  }
}
