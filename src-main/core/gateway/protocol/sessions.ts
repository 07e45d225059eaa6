import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client'

import type { Agent } from '../../../../src-shared/domain/agents/agent'
import type { JsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { CODES, RequestError } from '../calls/request-error'
import type { AgentExchange, EndpointContext, ListKind } from './endpoint-context'
import type { HttpAnswer } from './http-answer'
import { AgentSession } from './session'

/** How long a session may be without a request and an open stream, in ms. */
export const SESSION_IDLE_MS = 60 * 60_000
/** Sessions of one agent; with one more the one that was idle longest ends. */
const MAX_SESSIONS = 64
const SWEEP_MS = SESSION_IDLE_MS / 12

/** The sessions of one agent (MCP 2024-11-05 to 2025-11-25, Streamable HTTP). */
export class Sessions implements Disposable {
  readonly #context: EndpointContext
  readonly #sessions = new Map<string, AgentSession>()
  #sweeping: Disposable | undefined

  constructor(context: EndpointContext) {
    this.#context = context
  }

  /** Serves one request; settles when that is answered. */
  async serve({ agent, request, message, hold }: AgentExchange, answer: HttpAnswer): Promise<void> {
    const { method, headers } = request
    const { 'mcp-session-id': sessionId, 'mcp-protocol-version': version } = headers
    const refuse = (status: number, code: number, text: string): void => {
      const id = message?.kind === 'request' ? message.id : 'null'
      answer.error(id, new RequestError(code, text), status)
    }
    if (sessionId === undefined && message?.kind === 'request' && message.method === 'initialize') {
      this.#open(agent, message.params).greet(message.id, answer)
      return
    }
    const session = typeof sessionId === 'string' ? this.#sessions.get(sessionId) : undefined
    if (!session) {
      if (sessionId === undefined)
        refuse(400, CODES.failed, 'Send initialize first, then the header Mcp-Session-Id.')
      else refuse(404, CODES.timedOut, 'Session not found or expired. Send initialize again.')
      return
    }
    if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(version).trim()))
      refuse(400, CODES.failed, `Protocol version ${String(version)} is not supported.`)
    else if (method === 'DELETE') {
      session[Symbol.dispose]()
      answer.empty(200)
    } else if (method === 'GET') session.listen(agent, answer)
    else if (message) await session.post(agent, message, answer, hold)
  }

  listChanged(kind: ListKind): void {
    for (const session of this.#sessions.values()) session.listChanged(kind)
  }

  [Symbol.dispose](): void {
    this.#sweeping?.[Symbol.dispose]()
    for (const session of [...this.#sessions.values()]) session.cut()
  }

  #open(agent: Agent, params: JsonObject): AgentSession {
    if (this.#sessions.size >= MAX_SESSIONS)
      [...this.#sessions.values()].toSorted((a, b) => a.usedAt - b.usedAt)[0]?.[Symbol.dispose]()
    const session: AgentSession = new AgentSession(agent, params, this.#context, () =>
      this.#sessions.delete(session.sessionId),
    )
    this.#sessions.set(session.sessionId, session)
    this.#sweepLater()
    return session
  }

  #sweepLater(): void {
    const { time } = this.#context.parts
    this.#sweeping ??= time.after(SWEEP_MS, () => {
      this.#sweeping = undefined
      const latest = time.monotonic() - SESSION_IDLE_MS
      for (const session of [...this.#sessions.values()])
        if (session.usedAt <= latest) session[Symbol.dispose]()
      if (this.#sessions.size > 0) this.#sweepLater()
    })
  }
}
