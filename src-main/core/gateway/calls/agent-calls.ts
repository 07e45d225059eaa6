import { AppError } from '../../../../src-shared/domain/app-error'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { SessionExpiredError } from '../../failure/remote-failure'
import { keepNewest } from '../../lifecycle/keep-newest'
import { type ResultText, writtenResult } from '../../mcp/json/result-text'
import { cancelledFailure } from '../../mcp/peer/request-failure'
import type { ServerSession } from '../../mcp/session'
import { START_WAIT_MS } from '../../servers/server'
import type { ServerDirectory } from '../../servers/server-directory'
import { contextField } from '../../tools/context/context-field'
import { ownArguments } from '../../tools/definitions/model-schema'
import { hiddenError, nearestHint, unknownError } from '../../tools/directory/hidden-tool'
import type { ResolvedTool } from '../../tools/directory/tool-directory'
import type { Tools } from '../../tools/tools'
import type { AgentPresence } from '../agents/agent-presence'
import {
  ArgumentValidator,
  InvalidArgumentsError,
  normalizedArguments,
} from '../arguments/argument-validator'
import {
  type AgentListedPrompt,
  type AgentListedTool,
  type AgentListing,
  fold,
} from '../listing/agent-listing'
import type { AgentListings } from '../listing/agent-listings'
import { normalUri, type ResourceRoute, routesOf } from '../listing/resource-route'
import { CALL_SCHEMA, CALL_TOOL, FIND_SCHEMA, FIND_TOOLS, findTools } from '../listing/search-tools'
import { isForPageOnly } from '../listing/tool-definition'
import { enforceOutputSchema, toolResult } from '../results/agent-result'
import type { WarnServer } from '../warn-once'
import { failureAnswer, isListMethod, listPage, nonToolResult } from './agent-answer'
import {
  type AgentRequest,
  type Call,
  type Caller,
  callOf,
  type RunningCalls,
  sentArguments,
  userOf,
  writtenArguments,
} from './agent-request'
import type { CallApprovals } from './call-approvals'
import { StartingServers } from './starting-servers'

export type AgentCallsParts = {
  readonly listings: Pick<AgentListings, 'of' | 'nameOf'>
  readonly tools: Pick<Tools, 'loaded' | 'used' | 'given' | 'isListed' | 'accepts'>
  readonly servers: Pick<ServerDirectory, 'read' | 'find'>
  readonly approvals: Pick<CallApprovals, 'pass'>
  readonly running: Pick<RunningCalls, 'run'>
  readonly presence: Pick<AgentPresence, 'listed'>
  readonly warn: WarnServer
}

/** Maximum number of remembered links over all agents, and the maximum length of a link in characters. */
const MAX_LINKS = 5_000
const MAX_LINK_LENGTH = 2_048

/** Forwards agents' requests to servers: resolve → validate → approve → call → record. Calls run in parallel. */
export class AgentCalls {
  /** The server that last linked to a resource, by agent and URI: a link is read at the server that returned it. */
  readonly #origins = new Map<string, string>()

  /** Listings of which an agent has received something. */
  readonly #delivered = new WeakSet<AgentListing>()
  readonly #starting: StartingServers
  readonly #checks: ArgumentValidator

  constructor(private readonly parts: AgentCallsParts) {
    this.#starting = new StartingServers(parts)
    this.#checks = new ArgumentValidator(({ installationId }, message) => {
      if (installationId !== undefined) parts.warn(installationId, message)
    })
  }

  /**
   * Resolves to the result in the form of the caller's protocol version. Rejects with the error for the agent (a `RequestError` or the
   * server's own) or with an unexpected error.
   */
  async handle(request: AgentRequest, caller: Caller): Promise<ResultText> {
    const { listings, presence } = this.parts
    const { method, params } = request
    const { protocolVersion: version } = caller
    const { agentId } = caller.agent
    if (method === 'tools/list') presence.listed(agentId)
    if (isListMethod(method)) {
      await this.#whenListed(request, caller)
      const { drawsViews } = caller
      if (method === 'tools/list') this.#recordDelivery(listings.of(agentId))
      return listPage(method, listings.of(agentId), params.cursor, { version, drawsViews })
    }
    try {
      const answer = await this.send(request, caller)
      if (method !== 'tools/call') return nonToolResult(request, answer, version)
      const listed = listings.of(agentId).byName.get(String(params.name))
      const outputSchema = listed?.definition.outputSchema
      const { answer: checked, problem } = enforceOutputSchema(answer, outputSchema)
      if (listed && problem !== undefined) this.#warnOfOutput(listed.resolved, problem)
      const onRetyped = (declared: string, detected: string): void => {
        if (listed) this.#warnOfType(listed.resolved, declared, detected)
      }
      return toolResult(checked, { version, outputSchema, onRetyped })
    } catch (error) {
      if (error instanceof AppError) return failureAnswer(error, request, version)
      throw error
    }
  }

  /**
   * Resolves to the result as the server wrote it. Rejects with a `RequestError`, with an `AppError` before anything is sent, and with the
   * errors of `Server.request`.
   */
  async send(request: AgentRequest, caller: Caller): Promise<ResultText> {
    const call = callOf(request, caller)
    return this.parts.running.run(call, caller.cancel, () => this.#run(call))
  }

  /** Returns the route to a resource. Throws NOT_FOUND, with the names of all candidates if several servers have an equal claim. */
  routeOf(agentId: string, uri: string): ResourceRoute {
    const { listings } = this.parts
    const listing = listings.of(agentId)
    const routes = routesOf(listing, uri, this.#origins.get(linkKey(agentId, uri)))
    const [route, ...others] = routes
    if (!route) throw notFound('Resource', 'List resources and resource templates again.')
    if (others.length === 0) return route
    const names = routes.map(({ installationId }) => listings.nameOf(installationId))
    const addresses = listing.resources
      .filter(({ ownUri }) => ownUri !== undefined && routes.some((one) => one.uri === ownUri))
      .map(({ resource }) => resource.uri)
    const hint =
      addresses.length > 0
        ? `Read one of these instead: ${addresses.join(' or ')}.`
        : 'Expose only one of these servers to this agent.'
    const message = `Several servers offer this resource: ${names.join(' and ')}.`
    throw new AppError('NOT_FOUND', message, { hint })
  }

  #warnOfOutput({ installationId, tool, hash }: ResolvedTool, problem: string): void {
    const message = `Results of ${contextField(tool.name)} don’t match its output schema: ${contextField(problem)} Agents get only their text.`
    this.parts.warn(installationId, message, hash)
  }

  #warnOfType({ installationId, tool }: ResolvedTool, declared: string, detected: string): void {
    const message = `${contextField(tool.name)} sends ${detected} as ${contextField(declared) || 'no type'}. Agents get the type that the bytes show.`
    this.parts.warn(installationId, message, 'types')
  }

  /** Waits until the agent's lists are complete: lists of earlier runs are loaded, and servers that start for the first time are listed. */
  async #whenListed(
    { method }: AgentRequest,
    { agent, signal, requestOrigin }: Caller,
  ): Promise<void> {
    const { listings, tools } = this.parts
    await tools.loaded
    const listing = listings.of(agent.agentId)
    await this.#starting.whenListed({ listing, method, signal, session: requestOrigin.session })
  }

  async #run(call: Call): Promise<ResultText> {
    const { agent, method, name, record, options } = call
    const { listings, tools } = this.parts
    // Lists of earlier runs load within the first moments of the app.
    await tools.loaded
    for (let isRetry = false; ; isRetry = true) {
      const listing = listings.of(agent.agentId)
      try {
        return await this.#route(call)
      } catch (error) {
        // If a server was found, the call fails for another reason.
        const isUnknown = error instanceof AppError && error.code === 'NOT_FOUND'
        if (!isUnknown || record.installationId !== undefined) throw error
        if (isRetry) throw this.#starting.unknown(listing, name) ?? error
        const waitOptions = {
          listing,
          method,
          signal: options.signal,
          session: options.requestOrigin?.session,
        }
        const called = method === 'tools/call' && name === CALL_TOOL ? innerName(call) : name
        if (!(await this.#starting.waitForName(called, waitOptions))) throw error
      }
    }
  }

  async #route(call: Call): Promise<ResultText> {
    const { agent, method, name, args, params } = call
    const listing = this.parts.listings.of(agent.agentId)
    switch (method) {
      case 'tools/call': {
        if (!agent.profile.searchMode) return this.#callTool(call)
        if (name === FIND_TOOLS) return this.#search(call)
        return this.#callTool(name === CALL_TOOL ? this.#innerCall(call) : call)
      }
      case 'resources/read': {
        const { installationId, uri } = this.routeOf(agent.agentId, name)
        return this.#forward(call, installationId, { uri })
      }
      case 'prompts/get': {
        const { installationId, ownName } = findPrompt(listing, name)
        const { plain } = normalizedArguments({ plain: args, exact: args })
        if (!isJsonObject(plain))
          throw new InvalidArgumentsError(name, ['The arguments must be an object.'])
        return this.#forward(call, installationId, { name: ownName, arguments: plain })
      }
      default: {
        const { ref, argument, context } = params
        const argumentParams = { argument, ...(context !== undefined && { context }) }
        if (isJsonObject(ref) && ref.type === 'ref/prompt') {
          const { installationId, ownName } = findPrompt(listing, name)
          return this.#forward(call, installationId, {
            ref: { ...ref, name: ownName },
            ...argumentParams,
          })
        }
        const listed = listing.templates.find(({ template }) => template.uriTemplate === name)
        const { installationId } = listed ?? this.routeOf(agent.agentId, name)
        return this.#forward(call, installationId, { ref, ...argumentParams })
      }
    }
  }

  #forward(call: Call, installationId: string, params: JsonObject): Promise<ResultText> {
    this.#recordTarget(call, installationId)
    return this.#request(call, params)
  }

  async #callTool(call: Call): Promise<ResultText> {
    const { approvals, servers, tools } = this.parts
    const { agent, name: exposedName, options, record } = call
    record.target = exposedName
    const raw = writtenArguments(call)
    let found = this.#find(call)
    for (;;) {
      const { resolved, definition, ownNames } = found
      const { installationId, tool, hash, meaning } = resolved
      this.#recordTarget(call, installationId, tool.name)
      const [plain, exact] = [raw.plain, raw.exact].map((one) => ownArguments(ownNames, one))
      const { exact: meant } = this.#checks.check(
        { exposedName, schema: definition.inputSchema, hash, installationId },
        { ...raw, plain, exact },
      )
      const sent = (record.sent = sentArguments(meant))
      await approvals.pass({ agent, resolved, sent, ...options })
      const user = userOf(agent, options.requestOrigin)
      const session = servers.read(installationId).liveSessionFor(user) ?? (await this.#ready(call))
      // Nobody would receive the result.
      if (options.signal?.aborted) throw cancelledFailure(call.method, options.signal.reason)
      // The first listing of its server, or the user during the approval, may have changed the tool.
      const current = this.#find(call)
      if (
        current.resolved.meaning === meaning &&
        current.resolved.installationId === installationId
      ) {
        const isInstance = session !== servers.read(installationId).liveSession
        if (isInstance && !tools.accepts(resolved, session.capabilities))
          // Lists of a process that belongs to one app or session are never reviewed, so its tool may differ from the reviewed one.
          throw new AppError(
            'TOOL_NOT_EXPOSED',
            `${exposedName} was not called: its definition differs in the process that this app uses.`,
            {
              hint: 'Ask the user to open Patchbay and set the server to follow tool changes, or to use one process for all apps.',
            },
          )
        const params = { name: tool.name, arguments: sent.value }
        const answer = this.#request(call, params, { session, meaning })
        // The server is processing the call by now.
        tools.used(installationId, tool.name)
        const response = await answer
        this.#rememberLinks(agent.agentId, installationId, response.result)
        return response
      }
      found = current
    }
  }

  /** Finds a tool. Throws NOT_FOUND or TOOL_NOT_EXPOSED with the reason, or with the tools that may be meant. */
  #find({ agent, name }: Call): AgentListedTool {
    const { byName, callable, hidden, sharedNames } = this.parts.listings.of(agent.agentId)
    const found =
      byName.get(name) ??
      // The prefixed name stays valid next to a plain name.
      callable.find(({ resolved }) => resolved.exposedName === name)
    if (found) return found
    const shared = sharedNames.get(fold(name)) ?? []
    if (shared.length > 0)
      throw new AppError('NOT_FOUND', `${name} is ambiguous: several tools have this name.`, {
        hint: `Use one of these names: ${shared.join(' or ')}.`,
      })
    const reason = hidden.get(name)
    throw reason ? hiddenError(name, reason) : unknownError(name, [...byName.keys()])
  }

  #recordDelivery(listing: AgentListing): void {
    if (this.#delivered.has(listing)) return
    this.#delivered.add(listing)
    this.parts.tools.given(new Set(listing.callable.map(({ resolved }) => resolved.installationId)))
  }

  async #search(call: Call): Promise<ResultText> {
    const { agent, method, options } = call
    const { listings } = this.parts
    const waitOptions = { method, signal: options.signal, session: options.requestOrigin?.session }
    await this.#starting.whenListed({ ...waitOptions, listing: listings.of(agent.agentId) })
    const searchTool = { exposedName: FIND_TOOLS, schema: FIND_SCHEMA, hash: FIND_TOOLS }
    const { query, limit } = this.#checks.check(searchTool, writtenArguments(call)).plain
    const listing = listings.of(agent.agentId)
    this.#recordDelivery(listing)
    return writtenResult(await findTools(listing, query as string, limit as number | undefined))
  }

  /** Returns the call in the arguments of `call_tool`. */
  #innerCall(call: Call): Call {
    const raw = writtenArguments(call)
    const callTool = { exposedName: CALL_TOOL, schema: CALL_SCHEMA, hash: CALL_TOOL }
    // The inner arguments are validated against their tool's schema.
    const { arguments: inner, ...others } = isJsonObject(raw.plain) ? raw.plain : {}
    const plain = isJsonObject(raw.plain) ? others : raw.plain
    const checked = this.#checks.check(callTool, { ...raw, plain, exact: plain })
    const { name } = checked.plain as { name: string }
    const { text, path = [] } = raw
    const found = { ...call, name, args: inner, text, path: [...path, 'arguments'] }
    // A server's page calls such a tool directly.
    if (isForPageOnly(this.#find(found).definition)) throw unknownError(name, [])
    return found
  }

  #recordTarget({ record }: Call, installationId: string, target = record.target): void {
    const serverName = this.parts.listings.nameOf(installationId)
    Object.assign(record, { target, installationId, serverName })
  }

  /** Sends a request, and sends it again over the next session if the server had forgotten this one and so executed nothing. */
  async #request(
    call: Call,
    params: JsonObject,
    tool?: { readonly session: ServerSession; readonly meaning: string },
  ): Promise<ResultText> {
    const { method, meta, options } = call
    const sent = meta ? { ...params, _meta: meta } : params
    const send = (session: ServerSession): Promise<ResultText> =>
      session.requestText(method, sent, options)
    try {
      return await send(tool?.session ?? (await this.#ready(call)))
    } catch (error) {
      if (!(error instanceof SessionExpiredError)) throw error
    }
    const session = await this.#ready(call)
    if (!tool || this.#find(call).resolved.meaning === tool.meaning) return send(session)
    throw new AppError('CHANGED_MEANWHILE', `${call.name} changed while its server reconnected.`, {
      hint: 'List tools again, then call it.',
    })
  }

  /** Returns the server's session for the call; starts the server or waits for it. */
  #ready({
    agent,
    method,
    options: { requestOrigin, signal },
    record,
  }: Call): Promise<ServerSession> {
    const server = this.parts.servers.read(record.installationId ?? '')
    return server.readyFor(userOf(agent, requestOrigin), { method, waitMs: START_WAIT_MS, signal })
  }

  #rememberLinks(agentId: string, installationId: string, { content }: JsonObject): void {
    for (const block of Array.isArray(content) ? (content as unknown[]) : []) {
      if (!isJsonObject(block) || block.type !== 'resource_link') continue
      const { uri } = block
      if (typeof uri === 'string' && uri.length <= MAX_LINK_LENGTH)
        keepNewest(this.#origins, linkKey(agentId, uri), installationId, MAX_LINKS)
    }
  }
}

function innerName({ args }: Call): string {
  return isJsonObject(args) && typeof args.name === 'string' ? args.name : ''
}

function linkKey(agentId: string, uri: string): string {
  return `${agentId} ${normalUri(uri)}`
}

function findPrompt({ prompts }: AgentListing, name: string): AgentListedPrompt {
  const found = prompts.find(({ exposedName }) => exposedName === name)
  if (found) return found
  const names = prompts.map(({ exposedName }) => exposedName)
  throw notFound('Prompt', nearestHint(name, names) ?? 'List prompts again.')
}

function notFound(what: string, hint: string): AppError {
  return new AppError('NOT_FOUND', `${what} not found on the servers available to this agent.`, {
    hint,
  })
}
