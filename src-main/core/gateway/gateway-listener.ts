import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { Agent } from '../../../src-shared/domain/agents/agent'
import { readHostNames } from '../../../src-shared/domain/state/host-names'
import type { Settings } from '../../../src-shared/domain/state/settings'
import { LOOPBACK } from '../listener/bind-loopback'
import {
  type AccessDecision,
  GuardedListener,
  type GuardedOptions,
  type GuardedSite,
  type Refusal,
  type RefusalForm,
} from '../listener/guarded-listener'
import type { Timekeeper } from '../ports'
import { AgentLimits, type Limits, type RequestKind } from './agent-limits'
import { BRIDGE_HEADER } from './calls/gateway-capabilities'
import { type AgentMessage, readMessage } from './protocol/agent-message'
import type { AgentExchange } from './protocol/endpoint-context'

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]']
const HOST = /^(\[[\da-f:]+\]|[^:[\]]+?)\.?(?::(\d{1,5}))?$/u
/** Hosts that may be repeated in an error; anything else may be crafted to be displayed. */
const PLAIN = /^[\w.:[\]-]{1,100}$/u

/**
 * Whether the `Host` of a request names this gateway: this computer with its port, or a name that the user added. Added names match any
 * port, because containers and tunnels map ports.
 */
function isOwnHost(host: string, port: number, added: readonly string[]): boolean {
  const [, name = '', requestedPort] = HOST.exec(host.toLowerCase()) ?? []
  return added.includes(name) || (LOOPBACK_NAMES.includes(name) && requestedPort === String(port))
}

/** Returns why the gateway rejects a host, for the user who set up the agent. */
function strangeHost(host: string | undefined): string {
  const named = host !== undefined && PLAIN.test(host) ? `the host ${host}` : 'this host'
  return `This address does not accept requests for ${named}, only for 127.0.0.1 and localhost with its port. If your agent runs in a container or a virtual machine and needs this name, add it in Patchbay under Settings > Advanced > Host names.`
}

/** Serves requests that passed the guard. */
export type ServedEndpoint = {
  serve(exchange: AgentExchange): Promise<void> | void
}

type ListenerEvent =
  /** A request passed the guard, through the bridge or by the gateway's address. */
  | { readonly kind: 'used'; readonly agentId: string; readonly isBridge: boolean }
  | { readonly kind: 'connections'; readonly agentId: string }
  | { readonly kind: 'fault'; readonly error: unknown }

export type ListenerOptions = {
  /** 0 picks a free port. */
  readonly port: number
  /** Finds the owner of a key in constant time; the key is empty if none was sent. */
  readonly byKey: (key: string) => Agent | undefined
  readonly endpoint: ServedEndpoint
  /** The limits, and the allowed values of `Host` in addition to this computer's names. */
  readonly settings: () => Limits & Pick<Settings, 'maxMessageMb' | 'gatewayHosts'>
  readonly time: Pick<Timekeeper, 'monotonic' | 'after'>
  readonly onEvent: (event: ListenerEvent) => void
}

export type Patience = Partial<GuardedOptions['patience']>

/** Responses have no time limit. */
const PATIENCE: Patience = {
  headersTimeout: 5_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
  // Longer than agents keep theirs alive, so that none uses a closing connection.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  // Detects a silently lost peer, for example after a sleep, during its call.
  keepAlive: true,
  keepAliveInitialDelay: 30_000,
}
/** Maximum connections of an agent in addition to one per call: its streams and queued calls. */
const SPARE_CONNECTIONS = 448
/** Maximum connections on which no key was sent yet. */
export const UNAUTHENTICATED_LIMIT = 256
/** Larger bodies are calls: notifications and responses are shorter. */
const MAX_OTHER_LENGTH = 64 * 1024
/** The only path, optionally with a trailing slash and a query. */
const GATEWAY_PATH = '/mcp'
const GATEWAY_URL = /^\/mcp\/?(?:\?[^#]*)?$/u

const METHODS = ['POST', 'GET', 'DELETE']
/** Headers that decide access: Node uses the first of duplicates, and a proxy may have used another. */
const DECISIVE = ['host', 'origin', 'authorization', 'content-type', 'content-length']
const BEARER = /^bearer +(\S+) *$/iu
/** `Bearer` and a well-formed key. */
const KEY_FORM = /^bearer +pb_[\w-]{43} *$/iu
const JSON_TYPE = /^application\/json *(?:;|$)/iu
/** Bodies up to this share of the limit always find room, so that one agent's large bodies can't block others. */
const SMALL_PART = 1 / 256
const NO_ROOM: Refusal = {
  status: 503,
  message: 'Too many large messages are in progress.',
  headers: { 'retry-after': '1' },
}
/** A JSON-RPC error without a request id. */
const AS_JSON_RPC: RefusalForm = (message) => {
  const error = { code: -32_000, message }
  return { type: 'application/json', text: JSON.stringify({ jsonrpc: '2.0', id: null, error }) }
}

/** The gateway on 127.0.0.1 and ::1 with its guard: key, Host, Origin, size, rate and concurrency. */
export class GatewayListener {
  readonly #limits: AgentLimits
  /** Connections on which each agent sent its key; an app may use one connection for several agents. */
  readonly #sockets = new Map<string, Set<Socket>>()
  /** Bytes of all bodies being received. */
  #arriving = 0
  #listener: GuardedListener<Agent> | undefined

  /** Opens the gateway. Rejects with the system's error if the port is unavailable. */
  static async open(options: ListenerOptions, patience: Patience = {}): Promise<GatewayListener> {
    const gateway = new GatewayListener(options)
    const { port, settings, onEvent } = options
    const site: GuardedSite<Agent> = {
      hosts: {
        isOwn: (host, port) => isOwnHost(host, port, readHostNames(settings().gatewayHosts) ?? []),
        refusal: strangeHost,
      },
      decideAccess: (request) => gateway.#guard(request),
      serve: (agent, request, response) => gateway.#serve(agent, request, response),
      onFault: (error) => onEvent({ kind: 'fault', error }),
      form: AS_JSON_RPC,
    }
    gateway.#listener = await GuardedListener.open(site, {
      ...{ port, alsoOnIPv6: true, maxUnauthenticated: UNAUTHENTICATED_LIMIT },
      patience: { ...PATIENCE, ...patience },
    })
    return gateway
  }

  private constructor(private readonly options: ListenerOptions) {
    this.#limits = new AgentLimits(options.settings, options.time)
  }

  get port(): number {
    return this.#listener?.port ?? 0
  }

  get url(): string {
    return `http://${LOOPBACK}:${String(this.port)}${GATEWAY_PATH}`
  }

  connectionsOf(agentId: string): number {
    return this.#sockets.get(agentId)?.size ?? 0
  }

  /** Closes all connections of an agent whose key is void, whatever is running on them. */
  cut(agentId: string): void {
    for (const socket of this.#sockets.get(agentId) ?? []) socket.destroy()
    this.#limits.forget(agentId)
  }

  async close(): Promise<void> {
    await this.#listener?.close()
  }

  /**
   * Returns the sender of a request, or a refusal, from the header section. Checks without the key come first and reveal nothing about it;
   * Host and Origin are already checked.
   */
  #guard(request: IncomingMessage): AccessDecision<Agent> {
    const misplaced = misplacement(request)
    if (misplaced) return { refusal: misplaced }
    const { authorization } = request.headers
    const agent = this.options.byKey(BEARER.exec(authorization ?? '')?.[1] ?? '')
    if (!agent) return { refusal: wrongKey(authorization) }
    const { agentId } = agent
    const refusal =
      misshape(request, this.#maxBytes) ??
      this.#admit(request.socket, agentId) ??
      this.#limits.request(agentId)
    return refusal ? { refusal } : { who: agent }
  }

  /** Assigns a connection to an agent, or returns a refusal if it has too many. */
  #admit(socket: Socket, agentId: string): Refusal | undefined {
    const sockets = this.#sockets.get(agentId) ?? new Set()
    if (sockets.has(socket)) return undefined
    const maxConnections = this.options.settings().agentCalls + SPARE_CONNECTIONS
    if (sockets.size >= maxConnections) {
      const message = `Connection limit reached: this agent has ${String(maxConnections)} connections.`
      return { status: 429, message }
    }
    this.#listener?.admit(socket)
    this.#sockets.set(agentId, sockets.add(socket))
    const changed = (): void => this.options.onEvent({ kind: 'connections', agentId })
    socket.once('close', () => {
      sockets.delete(socket)
      changed()
    })
    changed()
    return undefined
  }

  /** Reads a request and serves it; resolves to a refusal if its body is one too many. */
  async #serve(
    agent: Agent,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Refusal | undefined> {
    const { agentId } = agent
    const isBridge = request.headers[BRIDGE_HEADER] !== undefined
    this.options.onEvent({ kind: 'used', agentId, isBridge })
    const body = request.method === 'POST' ? await this.#read(request, response) : undefined
    if (body === 'gone' || response.closed) return undefined
    if (body && 'status' in body) return body
    const entered = await this.#enter(agentId, body, response)
    if ('status' in entered) return entered
    const { hold, message } = entered
    const connected = hold()
    response.once('close', () => connected[Symbol.dispose]())
    // The agent left while it was queued.
    if (response.destroyed) connected[Symbol.dispose]()
    else await this.options.endpoint.serve({ agent, request, response, message, hold })
    return undefined
  }

  /** Parses a message and begins its request; a call may have to queue. */
  async #enter(
    agentId: string,
    body: Buffer | undefined,
    response: ServerResponse,
  ): Promise<Refusal | Pick<AgentExchange, 'hold' | 'message'>> {
    // Queued large bodies stay unparsed to save memory.
    const isLong = body !== undefined && body.length > MAX_OTHER_LENGTH
    const earlyHold = isLong ? await this.#limits.enter(agentId, 'calls', response) : undefined
    if (earlyHold && 'status' in earlyHold) return earlyHold
    const message = body && readMessage(body.toString())
    const kind = kindOf(message)
    // Notifications and responses can end running requests, so they must get through.
    const canQueue = !message || message.kind === 'request' || message.kind === 'invalid'
    const hold =
      earlyHold ??
      (canQueue
        ? await this.#limits.enter(agentId, kind, response)
        : this.#limits.start(agentId, kind))
    return 'status' in hold ? hold : { hold, message }
  }

  /**
   * Reads the body, or resolves to why there is none; never rejects. All large bodies being received may have twice the limit of one.
   * Excess data is dropped on arrival.
   */
  #read(request: IncomingMessage, response: ServerResponse): Promise<Buffer | Refusal | 'gone'> {
    if (request.headers.expect !== undefined) response.writeContinue()
    const maxBytes = this.#maxBytes
    const { promise, resolve } = Promise.withResolvers<Buffer | Refusal | 'gone'>()
    const chunks: Buffer[] = []
    let length = 0
    let isDone = false
    const finish = (body: Buffer | Refusal | 'gone'): void => {
      if (isDone) return
      isDone = true
      this.#arriving -= length
      chunks.length = 0
      resolve(body)
    }
    request.on('data', (chunk: Buffer) => {
      if (isDone) return
      length += chunk.length
      this.#arriving += chunk.length
      if (length > maxBytes) finish(tooLarge(maxBytes))
      else if (length > SMALL_PART * maxBytes && this.#arriving > 2 * maxBytes) finish(NO_ROOM)
      else chunks.push(chunk)
    })
    request.once('end', () => {
      const [only] = chunks
      finish(only && chunks.length === 1 ? only : Buffer.concat(chunks))
    })
    request.once('close', () => finish('gone'))
    return promise
  }

  get #maxBytes(): number {
    return this.options.settings().maxMessageMb * 1024 * 1024
  }
}

function kindOf(message: AgentMessage | undefined): RequestKind {
  if (!message) return 'streams'
  const isListen = message.kind === 'request' && message.method === 'subscriptions/listen'
  return isListen ? 'listens' : 'calls'
}

function misplacement(request: IncomingMessage): Refusal | undefined {
  const { headers, method = '', url = '', httpVersion } = request
  // An image or a script that a page loads comes without an origin, but every browser sends this header. A page's own requests never send
  // `none`; agents built on a browser do.
  if ((headers['sec-fetch-site'] ?? 'none') !== 'none')
    return { status: 403, message: 'Web pages have no access.' }
  if (httpVersion !== '1.1')
    return { status: 505, message: `HTTP/${httpVersion} is not supported. Use HTTP/1.1.` }
  const doubled = doubledHeader(request)
  if (doubled !== undefined)
    return { status: 400, message: `The header ${doubled} appears more than once.` }
  if (!GATEWAY_URL.test(url))
    return {
      status: 404,
      message: `Not found. Use ${GATEWAY_PATH} with the agent's key from Patchbay > Apps; OAuth sign-in is not supported.`,
    }
  if (METHODS.includes(method)) return undefined
  const allow = METHODS.join(', ')
  return { status: 405, message: `Method not allowed. Use ${allow}.`, headers: { allow } }
}

function doubledHeader(request: IncomingMessage): string | undefined {
  const { headers, rawHeaders } = request
  // Most requests have each header once; for the distinct ones Node parses all headers again.
  if (rawHeaders.length === 2 * Object.keys(headers).length) return undefined
  return DECISIVE.find((name) => (request.headersDistinct[name]?.length ?? 0) > 1)
}

function wrongKey(authorization: string | undefined): Refusal {
  const hasKey = authorization !== undefined
  const message = hasKey
    ? KEY_FORM.test(authorization)
      ? 'This key is invalid or was replaced. Get a new key in Patchbay > Apps.'
      : 'The header Authorization has the wrong form. Send "Authorization: Bearer KEY": the word Bearer once, then the agent\'s key from Patchbay > Apps (pb_ and 43 characters) without quotes.'
    : 'Authorization required: send the header "Authorization: Bearer KEY" with the agent\'s key from Patchbay > Apps.'
  // Contains no sign-in metadata (RFC 9728): there is none, and an agent that looks for it shows its user a wrong error.
  const challenge = `Bearer realm="Patchbay"${hasKey ? ', error="invalid_token"' : ''}`
  return { status: 401, message, headers: { 'www-authenticate': challenge } }
}

function misshape({ headers, method }: IncomingMessage, maxBytes: number): Refusal | undefined {
  const length = headers['content-length']
  const hasBody = headers['transfer-encoding'] !== undefined || Number(length ?? 0) > 0
  if (method !== 'POST')
    return hasBody ? { status: 400, message: `${method ?? ''} must not have a body.` } : undefined
  if (!JSON_TYPE.test(headers['content-type'] ?? ''))
    return { status: 415, message: 'The content type must be application/json.' }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    return { status: 415, message: 'The body must not be compressed.' }
  return Number(length ?? 0) > maxBytes ? tooLarge(maxBytes) : undefined
}

function tooLarge(maxBytes: number): Refusal {
  const megabytes = String(maxBytes / 1024 / 1024)
  return {
    status: 413,
    message: `The message is larger than the limit of ${megabytes} MB. The user can raise it in Patchbay's settings.`,
  }
}
