import { CLIENT_INFO_META_KEY, isLegacyRequest } from '@modelcontextprotocol/server'
import * as z from 'zod'

import type { Agent } from '../../../../src-shared/domain/agents/agent'
import type { AgentListing } from '../listing/agent-listing'
import { NewerRequests } from './newer/newer-requests'
import { OlderSessions } from './older/older-sessions'
import type { Posted } from './older/raw-answers'
import type { AgentApp, ReadRequest } from './requests/agent-ports'
import type { EndpointCore } from './requests/endpoint-core'
import type { WebExchange } from './requests/web-exchange'

const SESSION_HEADER = 'mcp-session-id'
const LONGEST_NAME = 200

const Text = z.string().transform((text) => text.slice(0, LONGEST_NAME))
const App = z.object({ name: Text, version: Text.optional().catch(undefined) })
const Initialize = z.object({
  method: z.literal('initialize'),
  params: z.object({ clientInfo: App.optional().catch(undefined) }),
})
const Id = z.object({ id: z.union([z.string(), z.number()]) })
const Newer = z.object({
  params: z.object({ _meta: z.object({ [CLIENT_INFO_META_KEY]: App }) }),
})

/** Where one agent comes in, in both eras at one address. What it began ends with it. */
export class AgentDoor implements Disposable {
  readonly #agentId: string
  readonly #core: EndpointCore
  readonly #older: OlderSessions
  readonly #newer: NewerRequests
  readonly #open = new Set<WebExchange>()
  /** What its connections were told of. */
  #told: AgentListing
  #app: AgentApp | undefined

  constructor(agentId: string, core: EndpointCore) {
    this.#agentId = agentId
    this.#core = core
    this.#older = new OlderSessions(core)
    this.#newer = new NewerRequests(core)
    this.#told = core.listings.of(agentId)
  }

  /** Serves one request; settles when that is answered, or its stream is over. */
  async serve(agent: Agent, request: ReadRequest): Promise<void> {
    const { exchange, message, text } = request
    this.#open.add(exchange)
    try {
      const isOlder = await isLegacyRequest(exchange.request, message)
      if (isOlder) await this.#serveOlder(agent, request)
      else {
        this.#learnApp(Newer.safeParse(message).data?.params._meta[CLIENT_INFO_META_KEY])
        await this.#newer.serve(exchange, agent, message, text)
      }
    } finally {
      this.#open.delete(exchange)
    }
  }

  /** Answers a request of one of its sessions beside the SDK; undefined where that is to serve it. */
  takeRaw(posted: Posted): Promise<void> | undefined {
    const { [SESSION_HEADER]: sessionId } = posted.request.headers
    return typeof sessionId === 'string' ? this.#older.find(sessionId)?.takeRaw(posted) : undefined
  }

  /** What the agent is shown may be another: tells whoever is connected which lists are. */
  changed(): void {
    const before = this.#told
    const now = this.#core.listings.of(this.#agentId)
    this.#told = now
    if (before !== now) this.#core.review(this.#agentId)
    if (before.definitions !== now.definitions) this.#tell('tools')
    if (before.prompts !== now.prompts) this.#tell('prompts')
    if (before.resources !== now.resources || before.templates !== now.templates)
      this.#tell('resources')
  }

  [Symbol.dispose](): void {
    this.#older[Symbol.dispose]()
    this.#newer[Symbol.dispose]()
    for (const exchange of [...this.#open]) exchange.cut()
  }

  async #serveOlder(agent: Agent, request: ReadRequest): Promise<void> {
    const { exchange, message } = request
    const sessionId = exchange.request.headers.get(SESSION_HEADER)
    const { data: initialize } = Initialize.safeParse(message)
    if (sessionId === null && initialize) this.#learnApp(initialize.params.clientInfo)
    const session =
      sessionId === null && initialize
        ? await this.#older.open(agent)
        : this.#older.find(sessionId ?? '')
    if (session) await session.serve(agent, request)
    else await exchange.answer(sessionId === null ? noSession(message) : overSession(message))
  }

  #tell(kind: 'tools' | 'prompts' | 'resources'): void {
    for (const session of this.#older.all()) session.changed(kind)
    this.#newer.changed(kind)
  }

  #learnApp(
    app: { readonly name: string; readonly version?: string | undefined } | undefined,
  ): void {
    if (!app || (app.name === this.#app?.name && app.version === this.#app.version)) return
    this.#app = app
    this.#core.onApp(this.#agentId, app)
  }
}

/** MCP, Streamable HTTP, session management. */
function overSession(message: unknown): Response {
  const why = 'Session not found: it is over, or it was never begun. Initialize again.'
  return refusal(404, { code: -32_001, message: why }, message)
}

function noSession(message: unknown): Response {
  const why = 'Begin with initialize, then send the header Mcp-Session-Id.'
  return refusal(400, { code: -32_000, message: why }, message)
}

function refusal(status: number, error: object, message: unknown): Response {
  const id = Id.safeParse(message).data?.id ?? null
  return Response.json({ jsonrpc: '2.0', id, error }, { status })
}
