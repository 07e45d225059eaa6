import type { Agent } from '../../../../src-shared/domain/agents/agent'
import { AppError } from '../../../../src-shared/domain/app-error'
import { isJsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { SessionExpiredError } from '../../failure/remote-failure'
import type { ResultText } from '../../mcp/json/result-text'
import { START_WAIT_MS } from '../../servers/server'
import { nearestNames } from '../../tools/names/nearest-names'
import { InvalidArgumentsError } from '../arguments/argument-validator'
import type { NewCall } from '../audit/audit-call'
import type { AgentListedPrompt, AgentListing } from '../listing/agent-listing'
import { type ResourceRoute, routesOf } from '../listing/resource-route'
import { type AgentCall, type AgentToolCall, optionsFor, paramsFor } from './agent-request'
import { type CallNote, CallRecorder } from './call-record'
import { ResourceOrigins } from './resource-origins'
import { ToolCaller, type ToolCallerParts } from './tool-caller'

export type AgentCallsParts = ToolCallerParts & {
  /** Where every call is kept; neither throws nor waits. */
  readonly audit: { record(call: NewCall): void }
}

/** A request and where it goes. */
type Forwarded = {
  readonly method: string
  readonly target: string
  readonly args?: unknown
  /** What the server gets of it, by its id; throws NOT_FOUND. Made when the lists of earlier runs are there. */
  readonly route: () => {
    readonly installationId: string
    readonly params: Readonly<Record<string, unknown>>
  }
}

const MOST_NEAR = 3

/**
 * What agents do with what they are shown, and the note that is taken of it. Each resolves to the result as the server
 * wrote it, or rejects with an `AppError`: one of `Server.request`, or as it says. No call
 * waits for another.
 */
export class AgentCalls {
  readonly #parts: AgentCallsParts
  readonly #recorder: CallRecorder
  readonly #tools: ToolCaller
  readonly #origins = new ResourceOrigins()

  constructor(parts: AgentCallsParts) {
    this.#parts = parts
    this.#recorder = new CallRecorder(parts.audit)
    this.#tools = new ToolCaller(parts, this.#recorder, this.#origins)
  }

  /** Calls a tool. Rejects with a `ToolNotExposedError`, a `InvalidArgumentsError` or a `CallDeniedError` before anything is sent. */
  call(call: AgentToolCall): Promise<ResultText> {
    return this.#tools.call(call)
  }

  /** Reads a resource. Rejects with NOT_FOUND where no server has it. */
  read(call: AgentCall & { readonly uri: string }): Promise<ResultText> {
    const { agent, uri } = call
    const route: Forwarded['route'] = () => {
      const { installationId, uri: ownUri } = this.routeOf(agent, uri)
      return { installationId, params: { uri: ownUri } }
    }
    return this.#forward(call, { method: 'resources/read', target: uri, route })
  }

  /** Gets a prompt by the name that the agent knows. Rejects with NOT_FOUND, or a `InvalidArgumentsError`. */
  getPrompt(
    call: AgentCall & { readonly name: string; readonly args: unknown },
  ): Promise<ResultText> {
    const { agent, name, args } = call
    const route: Forwarded['route'] = () => {
      const { installationId, ownName } = this.#promptOf(agent, name)
      if (args !== undefined && !isJsonObject(args))
        throw new InvalidArgumentsError(name, ['The arguments must be an object.'])
      return { installationId, params: { name: ownName, ...(args && { arguments: args }) } }
    }
    return this.#forward(call, { method: 'prompts/get', target: name, args, route })
  }

  /** Completes an argument of a prompt, or of a template of resources. Rejects with NOT_FOUND. */
  complete(
    call: AgentCall & {
      readonly ref: Readonly<Record<string, unknown>>
      readonly argument: unknown
      readonly context?: unknown
    },
  ): Promise<ResultText> {
    const { agent, ref, argument, context } = call
    const named = ref.type === 'ref/prompt' ? ref.name : ref.uri
    const target = typeof named === 'string' ? named : ''
    const beside = { argument, ...(context !== undefined && { context }) }
    const route: Forwarded['route'] = () => {
      if (ref.type !== 'ref/prompt')
        return { installationId: this.#serverOfTemplate(agent, target), params: { ref, ...beside } }
      const { installationId, ownName } = this.#promptOf(agent, target)
      return { installationId, params: { ref: { ...ref, name: ownName }, ...beside } }
    }
    return this.#forward(call, { method: 'completion/complete', target, route })
  }

  /** Where a resource is read; throws NOT_FOUND, with the names of all where several servers have the same claim. */
  routeOf({ agentId }: Pick<Agent, 'agentId'>, uri: string): ResourceRoute {
    const listing = this.#listingOf({ agentId })
    const [route, ...others] = routesOf(listing, uri, this.#origins.of(agentId, uri))
    if (route && others.length === 0) return route
    if (route) throw this.#ambiguous(listing, [route, ...others])
    if (listing.uiOwners.has(uri))
      throw new AppError('NOT_FOUND', 'Several servers offer this resource, so none was read.', {
        hint: 'Expose only one of these servers to this agent.',
      })
    throw new AppError('NOT_FOUND', 'Resource not found on the servers available to this agent.', {
      hint: 'List resources and resource templates again.',
    })
  }

  #ambiguous({ resources }: AgentListing, routes: readonly ResourceRoute[]): AppError {
    const names = routes.map(({ installationId }) => this.#parts.nameOf(installationId))
    const addresses = resources
      .filter(({ ownUri }) => ownUri !== undefined && routes.some(({ uri }) => uri === ownUri))
      .map(({ resource }) => resource.uri)
    return new AppError(
      'NOT_FOUND',
      `Several servers offer this resource: ${names.join(' and ')}.`,
      {
        hint:
          addresses.length > 0
            ? `Read one of these instead: ${addresses.join(' or ')}.`
            : 'Expose only one of these servers to this agent.',
      },
    )
  }

  #serverOfTemplate(agent: Agent, uriTemplate: string): string {
    const { templates } = this.#listingOf(agent)
    const listed = templates.find(({ template }) => template.uriTemplate === uriTemplate)
    return listed?.installationId ?? this.routeOf(agent, uriTemplate).installationId
  }

  #promptOf(agent: Agent, name: string): AgentListedPrompt {
    const { prompts } = this.#listingOf(agent)
    const found = prompts.find(({ exposedName }) => exposedName === name)
    if (found) return found
    const names = prompts.map(({ exposedName }) => exposedName)
    const near = nearestNames(name, names, MOST_NEAR)
    throw new AppError('NOT_FOUND', 'Prompt not found on the servers available to this agent.', {
      hint: near.length > 0 ? `The closest names are ${near.join(', ')}.` : 'List prompts again.',
    })
  }

  #forward(call: AgentCall, { method, target, args, route }: Forwarded): Promise<ResultText> {
    const { agent } = call
    const { tools, servers, nameOf } = this.#parts
    const note: CallNote = { agent, method, target, args }
    return this.#recorder.over(note, async () => {
      await tools.loaded
      const { installationId, params } = route()
      note.installationId = installationId
      note.serverName = nameOf(installationId)
      const wanted = { method, waitMs: START_WAIT_MS, signal: call.signal }
      const server = servers.read(installationId)
      const send = async (): Promise<ResultText> => {
        const session = await server.ready(wanted)
        return session.requestText(method, paramsFor(call, params), optionsFor(call))
      }
      return send().catch((error: unknown) => {
        // The server had forgotten the session, so nothing was executed.
        if (error instanceof SessionExpiredError) return send()
        throw error
      })
    })
  }

  #listingOf({ agentId }: Pick<Agent, 'agentId'>): AgentListing {
    return this.#parts.listings.of(agentId)
  }
}
