import { join } from 'node:path'

import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  LATEST_PROTOCOL_VERSION,
  METHOD_NOT_FOUND,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  type ServerCapabilities,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/client'
import * as z from 'zod'

import { PASSED_EXTENSIONS } from '../../../src-shared/domain/agents/extensions'
import { AppError } from '../../../src-shared/domain/app-error'
import { attempt } from '../../../src-shared/domain/attempt'
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json-object'
import { messageOf } from '../failure/describe-failure'
import { HttpStatusError, NotMcpError, SignInNeededError } from '../failure/remote-failure'
import { keepNewest } from '../lifecycle/keep-newest'
import { within } from '../lifecycle/time-limit'
import { readOwnJsonOr, writeOwnJson } from '../storage/own-file'
import type { RemoteTransport } from './connections/http-connection'
import { isCut } from './connections/remote-fetch'
import type { ResultText } from './json/result-text'
import { ConnectionClosedError, STATELESS_VERSION } from './peer/connection'
import type { Peer } from './peer/peer'
import { invalidAnswer, RejectedRequestError } from './peer/request-failure'

/** Kinds of the protocol: sessions with `initialize` (2024-11-05 to 2025-11-25), and stateless since 2026-07-28. */
export const ProtocolMode = z.enum(['sessions', 'stateless'])
export type ProtocolMode = z.infer<typeof ProtocolMode>

/** Share of the handshake's time limit for the response to `server/discover` over HTTP. */
const PROBE_SHARE = 2 / 3
const KNOWN_SHARE = 0.95

/** The phase's own limit fires first, because it names the phase; this only ends a remaining handshake. */
const LATER_MS = 1_000
/** Time after which a silent server is examined, in ms. */
const SILENCE_MS = 4_000

const UNSUPPORTED_VERSION = -32_022
const ABOUT_VERSION =
  /protocol ?version|unsupported version|version (?:is )?not supported|not found|unknown method/iu

export type NegotiatedProtocol = {
  readonly protocolMode: ProtocolMode
  readonly protocolVersion: string
  readonly capabilities: ServerCapabilities
  readonly serverInfo: Implementation | undefined
  readonly instructions: string | undefined
}

type Client = { readonly version: string; readonly answersRequests: boolean }

type NegotiateOptions = Client & {
  /** The usual limit, of which the probe gets a share, and the time limit of requests, in ms. */
  readonly limitMs: number
  readonly patienceMs: number
  /** The previously used kind, if known; `isModeChosen`: the user selected it, so no other is tried. */
  readonly protocolMode: ProtocolMode | undefined
  readonly isModeChosen?: boolean | undefined
  /** Absent if `initialize` comes first. */
  readonly probe?: ProtocolProbe | undefined
  readonly diagnoseSilence?: (() => Promise<AppError | undefined> | undefined) | undefined
}

export type ProbedMode = {
  readonly protocolMode: ProtocolMode | undefined
  readonly isGuess?: true
}

/** Why a server recorded as one with sessions may be stateless; `late`: the probe was answered after it was abandoned. */
type ProbeProblem = 'failed' | 'silent' | 'late'

/** The outcome of the probe for the stateless protocol over HTTP (`server/discover`, MCP 2026-07-28). */
export class ProtocolProbe {
  probeProblem: ProbeProblem | undefined
  /** The server exited on the probe, most likely because it doesn't know the method. */
  isFatal = false

  found(protocolMode: ProtocolMode | undefined): ProbedMode {
    if (this.probeProblem === 'late') return { protocolMode: 'stateless' }
    return { protocolMode, ...(this.probeProblem && { isGuess: true }) }
  }

  /** Probes within `probeMs` whether the server is stateless; undefined means no. Rejects if no other request could succeed. */
  async run(peer: Peer, params: JsonObject, probeMs: number): Promise<JsonObject | undefined> {
    const send = (): Promise<ResultText> =>
      peer.request('server/discover', params, { isHandshake: true })
    // A server may reject the version once although it lists the same one as supported.
    const answer = send().catch((error: unknown) => {
      if (namesOurVersion(error)) return send()
      throw error
    })
    const discovery = answer.then(
      ({ result }) => (isDiscovery(result) ? result : undefined),
      (error: unknown) => {
        // A JSON-RPC error or a status below 500 comes from a server that doesn't know the method.
        const isNo =
          error instanceof RejectedRequestError ||
          (error instanceof HttpStatusError && error.status < 500)
        this.probeProblem = isNo ? undefined : 'failed'
        if (isEnd(error)) throw error
        return undefined
      },
    )
    const first = await within(probeMs, discovery, () => 'late' as const)
    if (first !== 'late') return first
    this.probeProblem = 'silent'
    discovery.then(
      (result) => (this.probeProblem = result ? 'late' : this.probeProblem),
      () => undefined, // The handshake that follows reports this better.
    )
    return undefined
  }
}

function namesOurVersion(error: unknown): boolean {
  if (!(error instanceof RejectedRequestError)) return false
  const { code, data } = error.refusal
  return (
    code === UNSUPPORTED_VERSION && namesVersion(isJsonObject(data) ? data.supported : undefined)
  )
}

function namesVersion(versions: unknown): boolean {
  return Array.isArray(versions) && versions.includes(STATELESS_VERSION)
}

function isEnd(error: unknown): boolean {
  if (error instanceof HttpStatusError) return error.status === 401 || error.status === 403
  if (error instanceof SignInNeededError || error instanceof ConnectionClosedError) return true
  return !(error instanceof AppError) && !(error instanceof NotMcpError) && !isCut(error)
}

/**
 * Negotiates the protocol with a server (B13). Over pipes `initialize` comes first, because many servers break on an earlier request.
 * `server/discover` follows on the same connection only if `initialize` was rejected for its method or version. With a `probe`, as over
 * HTTP, `server/discover` comes first. The previously used kind also decides.
 */
export async function negotiate(
  peer: Peer,
  options: NegotiateOptions,
): Promise<NegotiatedProtocol> {
  const silent = Promise.withResolvers<never>()
  const diagnose = async (): Promise<void> => {
    const reason = await options.diagnoseSilence?.()
    if (reason) silent.reject(reason)
  }
  const timer = setTimeout(() => void diagnose(), SILENCE_MS)
  return Promise.race([greet(peer, options), silent.promise]).finally(() => clearTimeout(timer))
}

async function greet(peer: Peer, options: NegotiateOptions): Promise<NegotiatedProtocol> {
  await peer.open()
  const { protocolMode, isModeChosen, probe } = options
  if (probe && !isModeChosen && protocolMode !== 'sessions') return probed(peer, options, probe)
  const [first, second] =
    protocolMode === 'stateless' ? [discover, initialize] : [initialize, discover]
  try {
    return await first(peer, options)
  } catch (error) {
    if (probe || isModeChosen || !isVersionRejection(error)) throw error
    return second(peer, options).catch((next: unknown) => {
      // With two rejections, the first one is about the original request.
      throw next instanceof RejectedRequestError ? error : next
    })
  }
}

async function probed(
  peer: Peer,
  options: NegotiateOptions,
  probe: ProtocolProbe,
): Promise<NegotiatedProtocol> {
  const share = options.protocolMode === 'stateless' ? KNOWN_SHARE : PROBE_SHARE
  const probeMs = Math.ceil(options.limitMs * share)
  const found = await probe.run(peer, { _meta: envelope(options) }, probeMs)
  return found && namesVersion(found.supportedVersions)
    ? startStateless(peer, found, options)
    : initialize(peer, options)
}

async function initialize(peer: Peer, options: NegotiateOptions): Promise<NegotiatedProtocol> {
  const params = { protocolVersion: LATEST_PROTOCOL_VERSION, ...clientOf(options) }
  const timeoutMs = options.patienceMs + LATER_MS
  const { result } = await peer.request('initialize', params, { timeoutMs, isHandshake: true })
  const protocolVersion = checkedVersion(result)
  peer.speak(protocolVersion)
  await peer.notify('notifications/initialized')
  return greeting('sessions', protocolVersion, result, result.serverInfo)
}

async function discover(peer: Peer, options: NegotiateOptions): Promise<NegotiatedProtocol> {
  const params = { _meta: envelope(options) }
  const timeoutMs = options.patienceMs + LATER_MS
  const { result } = await peer.request('server/discover', params, { timeoutMs, isHandshake: true })
  if (isDiscovery(result)) return startStateless(peer, result, options)
  throw invalidAnswer(
    'The server’s response to server/discover is invalid: supportedVersions is missing.',
  )
}

function startStateless(peer: Peer, result: JsonObject, client: Client): NegotiatedProtocol {
  peer.speak(STATELESS_VERSION, envelope(client))
  const info = isJsonObject(result._meta) ? result._meta[SERVER_INFO_META_KEY] : undefined
  return greeting('stateless', STATELESS_VERSION, result, info)
}

/** The members were validated and repaired on arrival, see `normalizeResult`. */
function greeting(
  protocolMode: ProtocolMode,
  protocolVersion: string,
  { capabilities, instructions }: JsonObject,
  info: unknown,
): NegotiatedProtocol {
  return {
    ...{ protocolMode, protocolVersion, capabilities: capabilities as ServerCapabilities },
    serverInfo: isJsonObject(info) ? (info as Implementation) : undefined,
    instructions: typeof instructions === 'string' ? instructions : undefined,
  }
}

class VersionError extends AppError {}

function checkedVersion(result: JsonObject): string {
  const version = String(result.protocolVersion)
  if (SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return version
  const supported = [...SUPPORTED_PROTOCOL_VERSIONS, STATELESS_VERSION].toSorted()
  throw new VersionError(
    'INVALID_ANSWER',
    `The server uses protocol version ${messageOf(version)}. Patchbay supports ${supported.join(', ')}.`,
    { hint: 'Update the server, or report the problem to its authors.' },
  )
}

function isDiscovery(result: JsonObject): boolean {
  return Array.isArray(result.supportedVersions)
}

/** Whether a server rejected the first request of a handshake for its method or version, so that the other kind is worth a try. */
function isVersionRejection(error: unknown): boolean {
  if (error instanceof VersionError) return true
  if (!(error instanceof RejectedRequestError)) return false
  const { code, data, message } = error.refusal
  if (code === METHOD_NOT_FOUND || code === UNSUPPORTED_VERSION) return true
  return (isJsonObject(data) && Array.isArray(data.supported)) || ABOUT_VERSION.test(message)
}

/** Returns the client and its capabilities for each stateless request (MCP 2026-07-28). */
function envelope(client: Client): JsonObject {
  const { clientInfo, capabilities } = clientOf(client)
  return {
    [PROTOCOL_VERSION_META_KEY]: STATELESS_VERSION,
    [CLIENT_INFO_META_KEY]: clientInfo,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
  }
}

/** Declares requests for the user and for folders, but none for a model (sampling). */
function clientOf({ version, answersRequests }: Client): {
  readonly clientInfo: Implementation
  readonly capabilities: ClientCapabilities
} {
  const requests = { elicitation: { form: {}, url: {} }, roots: { listChanged: true } }
  return {
    clientInfo: { name: 'patchbay', title: 'Patchbay', version },
    capabilities: { ...(answersRequests && requests), extensions: PASSED_EXTENSIONS },
  }
}

const FILE = 'protocols.json'
const MAX_BYTES = 1_000_000
const MAX_KEPT = 2_000
const DAY_MS = 86_400_000

const ProbeResult = z.object({
  protocolMode: ProtocolMode.optional(),
  transport: z.enum(['streamable-http', 'sse']).optional(),
  /** The server exited on the probe, which may have had another reason. */
  isGuess: z.boolean().optional(),
  /** Epoch ms. */
  at: z.number(),
})
type ProbeResult = z.infer<typeof ProbeResult>

const ProbeResults = z.record(z.string(), ProbeResult)

type ProbeFindings = {
  readonly protocolMode?: ProtocolMode | undefined
  readonly transport?: RemoteTransport
  readonly isGuess?: true
}

/** The remembered protocol version and transport of one server. */
export type CachedProtocol = {
  readonly protocolMode: ProtocolMode | undefined
  readonly transport: RemoteTransport | undefined
  /** Merges this into what is known; if the file can't be written, for this run only. */
  remember(found: ProbeFindings): void
}

/**
 * Remembers the protocol version and HTTP transport of each server version in a file of the profile folder. A server whose version may
 * change is probed again after a day. An unreadable file counts as empty: the only cost is a probe.
 */
export class ProtocolVersionCache {
  readonly #path: string
  readonly #now: () => number
  #results: Map<string, ProbeResult> | undefined

  constructor(folder: string, now: () => number = Date.now) {
    this.#path = join(folder, FILE)
    this.#now = now
  }

  /** `key`: a server version if `isVersion`, otherwise a server of unknown version. */
  of(key: string, isVersion: boolean): CachedProtocol {
    const cached = this.#read().get(key)
    const isLasting = isVersion && cached?.isGuess !== true
    const isFresh = cached && (isLasting || this.#now() - cached.at < DAY_MS)
    return {
      protocolMode: isFresh ? cached.protocolMode : undefined,
      transport: isFresh ? cached.transport : undefined,
      remember: (found) => this.#remember(key, found),
    }
  }

  #remember(key: string, found: ProbeFindings): void {
    const results = this.#read()
    const before = results.get(key)
    // A guess that worked stays a guess.
    if (before && before.protocolMode === found.protocolMode && this.#now() - before.at < DAY_MS) {
      if (found.transport === undefined || found.transport === before.transport) return
    }
    const next: ProbeResult = { ...before, isGuess: undefined, ...found, at: this.#now() }
    keepNewest(results, key, next, MAX_KEPT)
    // On a full disk the result is known for this run only, and probed again in the next.
    attempt(() => writeOwnJson(this.#path, Object.fromEntries(results), MAX_BYTES))
  }

  #read(): Map<string, ProbeResult> {
    this.#results ??= new Map(
      Object.entries(readOwnJsonOr(this.#path, ProbeResults, MAX_BYTES) ?? {}),
    )
    return this.#results
  }
}
