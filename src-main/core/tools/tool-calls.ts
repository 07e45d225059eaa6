import type { RequestOptions } from '../mcp/session-options'
import { START_WAIT_MS } from '../servers/server'
import type { ServerDirectory } from '../servers/server-directory'
import { hiddenError, unknownError } from './directory/hidden-tool'
import type { ResolvedTool } from './directory/resolved-server'
import type { Tools } from './tools'

export type CallOptions = Pick<RequestOptions, 'signal' | 'onProgress'> & {
  /** For all of it, in ms, also the start of the server; without it the answer has the server's own deadline. */
  readonly timeoutMs?: number | undefined
}

export type ToolCallsParts = {
  readonly tools: Pick<Tools, 'snapshot' | 'loaded' | 'used'>
  readonly servers: Pick<ServerDirectory, 'read'>
}

/** The user's own calls of tools, by the names that agents know, each brought to its server, which is started where that is its policy (C8). */
export class ToolCalls {
  constructor(private readonly parts: ToolCallsParts) {}

  /**
   * Resolves to the result as the server wrote it. Rejects with a `ToolNotExposedError`, a `ServerUnreachableError`,
   * REQUEST_TIMEOUT, REQUEST_CANCELLED, or as `ServerSession.request` does. No call waits for another.
   */
  async call(
    exposedName: string,
    args: Record<string, unknown>,
    { timeoutMs, signal, onProgress }: CallOptions = {},
  ): Promise<unknown> {
    const { tools, servers } = this.parts
    const from = performance.now()
    const waitMs = timeoutMs ?? START_WAIT_MS
    // What earlier runs listed is read within the first moments of the app.
    await tools.loaded
    const { installationId } = this.#find(exposedName)
    const server = servers.read(installationId)
    const session = await server.ready({ method: 'tools/call', waitMs, signal })
    // Its first listing may have brought another definition than the one that was approved.
    const { tool } = this.#find(exposedName)
    tools.used(installationId, tool.name)
    const left = timeoutMs === undefined ? undefined : timeoutMs - (performance.now() - from)
    const params = { name: tool.name, arguments: args }
    return session.request('tools/call', params, {
      signal,
      timeoutMs: left === undefined ? undefined : Math.max(Math.round(left), 1),
      ...(onProgress && { onProgress }),
    })
  }

  #find(exposedName: string): ResolvedTool {
    const { snapshot } = this.parts.tools
    const found = snapshot.byExposedName.get(exposedName)
    if (found) return found
    const hidden = snapshot.tools.find((one) => one.exposedName === exposedName)
    throw hidden && hidden.exposure !== 'exposed'
      ? hiddenError(hidden.exposedName ?? hidden.tool.name, hidden.exposure)
      : unknownError(exposedName, [...snapshot.byExposedName.keys()])
  }
}
