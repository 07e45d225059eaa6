import type { IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

import { isJsonObject, type JsonObject } from '../../src-shared/domain/server-json/tolerant-reader'
import { headerText, parameterHeaders } from '../core/mcp/connections/parameter-headers'
import type { BridgeParts } from './older-requests'
import { brokenOff, Outage, RetryWait } from './outage'
import { isStream, ownAnswer, readBody, readStream } from './read-answer'
import type { HostRequest } from './request'

/** What of its parameters a request names in a header (MCP 2026-07-28, standard headers). */
const NAMES: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}
/** Headers and body of a request do not fit (MCP 2026-07-28). */
const HEADER_MISMATCH = -32_020
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'
const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId'
const CHANGES: Readonly<Record<string, string>> = {
  toolsListChanged: 'notifications/tools/list_changed',
  promptsListChanged: 'notifications/prompts/list_changed',
  resourcesListChanged: 'notifications/resources/list_changed',
}
/** Pages of tools that are looked through for the one that is called. */
const MOST_PAGES = 100

/** What the host asks in the newer era (MCP 2026-07-28): each request by itself, with what HTTP wants to be told of it. */
export class NewerRequests {
  readonly #parts: BridgeParts
  /** Schemas of the tools whose arguments are wanted as headers. */
  readonly #schemas = new Map<string, unknown>()

  constructor(parts: BridgeParts) {
    this.#parts = parts
  }

  /** Brings a request to the gateway, and what comes of it to the host. Rejects with an Outage, or once its signal is aborted. */
  async answer(request: HostRequest): Promise<void> {
    if (request.method === 'subscriptions/listen') {
      await this.#listen(request)
      return
    }
    const response = await this.#sendWhenThere(request)
    if (isStream(response)) {
      await this.#relay(request, response)
      return
    }
    const answer = ownAnswer(await readBody(response), response.statusCode ?? 0, request.id)
    if (response.statusCode === 200 || !isMismatch(answer) || !(await this.#learn(request)))
      this.#parts.host.say(answer)
    else await this.#relay(request, await this.#send(request))
  }

  /** What tells of Patchbay alone does not wait until that is started. */
  async #sendWhenThere(request: HostRequest): Promise<IncomingMessage> {
    try {
      return await this.#send(request)
    } catch (error) {
      const isAway = error instanceof Outage && error.kind === 'away'
      const waits = isAway && request.method !== 'server/discover'
      if (waits && (await this.#parts.line.started())) return this.#send(request)
      throw error
    }
  }

  #send(request: HostRequest): Promise<IncomingMessage> {
    const { text: body, method, signal } = request
    const isCall = method !== 'subscriptions/listen'
    return this.#parts.line.send({ body, headers: this.#headersOf(request), signal, isCall })
  }

  #headersOf({ version, method, params }: HostRequest): Record<string, string> {
    const field = Object.hasOwn(NAMES, method) ? NAMES[method] : undefined
    const name = field === undefined ? undefined : params[field]
    const schema = method === 'tools/call' ? this.#schemas.get(String(params.name)) : undefined
    return {
      'mcp-protocol-version': version ?? '',
      'mcp-method': headerText(method),
      ...(typeof name === 'string' && { 'mcp-name': headerText(name) }),
      ...parameterHeaders(schema, params.arguments),
    }
  }

  async #relay(request: HostRequest, response: IncomingMessage): Promise<void> {
    const { host } = this.#parts
    if (!isStream(response)) {
      host.say(ownAnswer(await readBody(response), response.statusCode ?? 0, request.id))
      return
    }
    const isAnswered = await readStream(response, host, (text) => host.say(text), request.id)
    if (!isAnswered) throw brokenOff()
  }

  /** Looks the schema of a called tool up, whose arguments are wanted as headers; whether it was not known. */
  async #learn({ method, params, version, signal }: HostRequest): Promise<boolean> {
    if (method !== 'tools/call') return false
    const name = String(params.name)
    // The progress of the call is none of the list's.
    const meta = { ...(isJsonObject(params._meta) && params._meta), progressToken: undefined }
    let cursor: unknown
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const asked = { _meta: meta, ...(cursor !== undefined && { cursor }) }
      const result = await this.#listTools(asked, { version, signal })
      const tools = Array.isArray(result.tools) ? result.tools.filter(isJsonObject) : []
      const tool = tools.find((one) => one.name === name)
      if (tool) {
        this.#schemas.set(name, tool.inputSchema)
        return true
      }
      cursor = result.nextCursor
      if (cursor === undefined) return false
    }
    return false
  }

  async #listTools(
    params: JsonObject,
    { version, signal }: Pick<HostRequest, 'version' | 'signal'>,
  ): Promise<JsonObject> {
    const message = { jsonrpc: '2.0', id: 'patchbay-bridge', method: 'tools/list', params }
    const text = Buffer.from(JSON.stringify(message))
    const isCancelled = (): boolean => signal.aborted
    const response = await this.#send({ ...message, version, signal, text, isCancelled })
    const bodies: Buffer[] = []
    if (isStream(response))
      await readStream(response, this.#parts.host, (body) => bodies.push(body))
    else bodies.push(await readBody(response))
    const { result } = JSON.parse(bodies.at(-1)?.toString() ?? '{}') as JsonObject
    return isJsonObject(result) ? result : {}
  }

  /** Hears for the host of changes until it wants that no more, also while Patchbay is away. */
  async #listen(request: HostRequest): Promise<void> {
    const wait = new RetryWait()
    const { signal, id } = request
    const progress = { isAcknowledged: false, isBehind: false }
    const isOver = (): boolean => signal.aborted
    while (!isOver()) {
      let kind: Outage['kind'] = 'away'
      try {
        if (await this.#hear(request, progress, () => wait.reset())) return
      } catch (error) {
        if (isOver()) return
        if (!(error instanceof Outage)) throw error
        if (error.kind === 'refused' && !progress.isAcknowledged) throw error
        kind = error.kind
      }
      if (!progress.isAcknowledged)
        this.#tell(ACKNOWLEDGED, id, { notifications: wantedBy(request) })
      progress.isAcknowledged = true
      progress.isBehind = true
      this.#parts.line.wasCut()
      await delay(wait.after(kind), undefined, { signal, ref: false }).catch(() => undefined) // not wanted any more
    }
  }

  /** Whether the gateway ended it by an answer. */
  async #hear(
    request: HostRequest,
    progress: { isAcknowledged: boolean; isBehind: boolean },
    onThere: () => void,
  ): Promise<boolean> {
    const { host } = this.#parts
    const response = await this.#send(request)
    if (!isStream(response)) {
      const answer = ownAnswer(await readBody(response), response.statusCode ?? 0, request.id)
      host.say(answer)
      return true
    }
    onThere()
    const isFinal = Object.keys(wantedBy(request)).length === 0
    const isAnswered = await readStream(
      response,
      host,
      (text, { method }) => {
        // That the gateway goes away is not told: it is waited for.
        if (method === undefined && !isFinal) return
        if (method !== ACKNOWLEDGED || !progress.isAcknowledged) host.say(text)
        if (method !== ACKNOWLEDGED) return
        progress.isAcknowledged = true
        if (progress.isBehind) this.#tellChanges(request)
        progress.isBehind = false
      },
      request.id,
    )
    return isAnswered && isFinal
  }

  #tellChanges(request: HostRequest): void {
    const wanted = wantedBy(request)
    for (const [kind, method] of Object.entries(CHANGES))
      if (wanted[kind] === true) this.#tell(method, request.id, {})
  }

  #tell(method: string, id: HostRequest['id'], params: JsonObject): void {
    this.#parts.host.tell({ method, params: { ...params, _meta: { [SUBSCRIPTION_KEY]: id } } })
  }
}

function wantedBy({ params }: HostRequest): JsonObject {
  return isJsonObject(params.notifications) ? params.notifications : {}
}

function isMismatch(answer: Buffer): boolean {
  const { error } = JSON.parse(answer.toString()) as JsonObject
  return isJsonObject(error) && error.code === HEADER_MISMATCH
}
