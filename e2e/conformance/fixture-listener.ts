import { randomUUID } from 'node:crypto'

import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'

import { conformanceServer } from './conformance-server'
import type { Toggles } from './toggles'

/** The fixture server over HTTP, with sessions and stateless, built from the SDK's parts. */
export class FixtureDoor {
  readonly #sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  readonly #stateless: ReturnType<typeof createMcpHandler>

  constructor(private readonly toggles: Toggles) {
    this.#stateless = createMcpHandler(() => conformanceServer(toggles), { legacy: 'reject' })
    toggles.onDidChange((kind) => {
      if (kind === 'tools') this.#stateless.notify.toolsChanged()
      else this.#stateless.notify.promptsChanged()
    })
  }

  async answer(request: Request, body: string): Promise<Response> {
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins())
    if (refused) return refused
    const options = body === '' ? {} : { parsedBody: JSON.parse(body) as unknown }
    if (!(await isLegacyRequest(request, options.parsedBody)))
      return this.#stateless.fetch(request, options)
    const sessionId = request.headers.get('mcp-session-id')
    const session = sessionId === null ? await this.#begin() : this.#sessions.get(sessionId)
    return session?.handleRequest(request, options) ?? new Response('', { status: 404 })
  }

  async #begin(): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, transport)
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id)
      },
    })
    await conformanceServer(this.toggles).connect(transport)
    return transport
  }
}
