import { AppError } from '../../../../src-shared/domain/app-error'
import { isJsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { SessionExpiredError } from '../../failure/remote-failure'
import { exactJson, mayBeRespelled } from '../../mcp/json/exact-json'
import { type ResultText, writtenResult } from '../../mcp/json/result-text'
import type { ServerSession } from '../../mcp/session'
import { START_WAIT_MS } from '../../servers/server'
import type { ServerDirectory } from '../../servers/server-directory'
import { ownArguments } from '../../tools/definitions/model-schema'
import { unknownError } from '../../tools/directory/hidden-tool'
import type { ToolUses } from '../../tools/tool-uses'
import type { Tools } from '../../tools/tools'
import type { Arguments, ArgumentValidator } from '../arguments/argument-validator'
import { memberText } from '../arguments/arguments-text'
import type { AgentListedTool } from '../listing/agent-listing'
import type { AgentListings } from '../listing/agent-listings'
import { CALL_SCHEMA, CALL_TOOL, FIND_SCHEMA, FIND_TOOLS } from '../listing/search-tools'
import { isForPageOnly } from '../listing/tool-definition'
import { type AgentToolCall, optionsFor, paramsFor } from './agent-request'
import type { CallNote, CallRecorder } from './call-record'
import type { Confirmations } from './confirmations'
import { findTool } from './find-tool'
import type { ResourceOrigins } from './resource-origins'
import { ToolFinder } from './tool-finder'

export type ToolCallerParts = {
  readonly listings: Pick<AgentListings, 'of'>
  readonly tools: Pick<Tools, 'snapshot' | 'loaded' | 'usesChanged'>
  readonly servers: Pick<ServerDirectory, 'read'>
  readonly uses: Pick<ToolUses, 'record'>
  readonly checks: Pick<ArgumentValidator, 'check'>
  readonly confirmations: Pick<Confirmations, 'pass'>
  /** Of a server, as its person calls it. */
  readonly nameOf: (installationId: string) => string
}

const METHOD = 'tools/call'

/** Brings calls of agents to the tools that they are shown: find it, check it, ask the person where the profile says so, start or wait for the server, send it. */
export class ToolCaller {
  readonly #parts: ToolCallerParts
  readonly #recorder: CallRecorder
  readonly #finder = new ToolFinder()

  readonly #origins: ResourceOrigins

  constructor(parts: ToolCallerParts, recorder: CallRecorder, origins: ResourceOrigins) {
    this.#parts = parts
    this.#recorder = recorder
    this.#origins = origins
  }

  /** See `AgentCalls.call`. */
  call(call: AgentToolCall): Promise<ResultText> {
    const { agent, name, args, argsText } = call
    const note: CallNote = { agent, method: METHOD, target: name, args, argsText }
    return this.#recorder.over(note, () =>
      agent.profile.searchMode ? this.#searched(call, note) : this.#send(call, note),
    )
  }

  /** A call of an agent that searches for tools. */
  async #searched(call: AgentToolCall, note: CallNote): Promise<ResultText> {
    await this.#parts.tools.loaded
    if (call.name === FIND_TOOLS) return writtenResult(await this.#search(call))
    return this.#send(call.name === CALL_TOOL ? this.#inner(call) : call, note)
  }

  async #send(call: AgentToolCall, note: CallNote): Promise<ResultText> {
    const { tools, uses, servers, nameOf } = this.#parts
    // What earlier runs listed is read within the first moments of the app.
    await tools.loaded
    note.target = call.name
    let found = this.#find(call)
    for (;;) {
      const { placed } = found
      const { installationId, tool } = placed
      note.target = tool.name
      note.installationId = installationId
      note.serverName = nameOf(installationId)
      const args = await this.#permitted(call, found)
      const wanted = { method: METHOD, waitMs: START_WAIT_MS, signal: call.signal }
      const server = servers.read(installationId)
      const session = server.serving ?? (await server.ready(wanted))
      // The first listing of the server may have made it another tool, or its person while they were asked.
      const now = this.#find(call)
      if (now.placed.hash === placed.hash && now.placed.installationId === installationId) {
        const exact = ownArguments(found.ownNames, exactArguments(args, call))
        const params = paramsFor(call, { name: tool.name, arguments: exact })
        const send = (over: ServerSession): Promise<ResultText> =>
          over.requestText(METHOD, params, optionsFor(call))
        const answer = send(session)
        // Its server is at work by now.
        uses.record(installationId, tool.name)
        tools.usesChanged()
        const answered = await answer.catch((error: unknown) => {
          if (!(error instanceof SessionExpiredError)) throw error
          return this.#sendAgain(call, placed, send)
        })
        this.#origins.record(call.agent.agentId, installationId, answered.result)
        return answered
      }
      found = now
    }
  }

  /** Sends a call that was never executed over the next session, unless its tool has changed by then. */
  async #sendAgain(
    call: AgentToolCall,
    { hash, installationId }: AgentListedTool['placed'],
    send: (session: ServerSession) => Promise<ResultText>,
  ): Promise<ResultText> {
    const wanted = { method: METHOD, waitMs: START_WAIT_MS, signal: call.signal }
    const session = await this.#parts.servers.read(installationId).ready(wanted)
    if (this.#find(call).placed.hash === hash) return send(session)
    throw new AppError('CHANGED_MEANWHILE', `${call.name} changed while its server reconnected.`, {
      hint: 'List tools again, then call it.',
    })
  }

  /** The arguments, once they fit and may be sent. */
  async #permitted(
    call: AgentToolCall,
    { placed, definition, ownNames }: AgentListedTool,
  ): Promise<Arguments> {
    const { checks, confirmations } = this.#parts
    const { hash, installationId } = placed
    const { inputSchema: schema } = definition
    const checked = { exposedName: call.name, schema, hash, installationId }
    const given = { args: ownArguments(ownNames, call.args), argsText: call.argsText }
    const args = checks.check(checked, given)
    const { agent, signal, onProgress, asker } = call
    await confirmations.pass({ agent, placed, args, signal, onProgress, elicit: asker?.elicit })
    return args
  }

  #find({ agent, name }: AgentToolCall): AgentListedTool {
    const { listings, tools } = this.#parts
    const listing = listings.of(agent.agentId)
    return findTool(listing, name, { profile: agent.profile, all: tools.snapshot.tools })
  }

  async #search(call: AgentToolCall): Promise<Record<string, unknown>> {
    const own = { exposedName: FIND_TOOLS, schema: FIND_SCHEMA, hash: FIND_TOOLS }
    const { query, limit } = this.#parts.checks.check(own, call)
    const listing = this.#parts.listings.of(call.agent.agentId)
    // They fit the schema.
    return this.#finder.find(listing, {
      query: query as string,
      limit: limit as number | undefined,
    })
  }

  /** The call that stands in the arguments of `call_tool`. */
  #inner(call: AgentToolCall): AgentToolCall {
    const own = { exposedName: CALL_TOOL, schema: CALL_SCHEMA, hash: CALL_TOOL }
    const given = isJsonObject(call.args) ? call.args : {}
    const { arguments: args, ...others } = given
    const { name } = this.#parts.checks.check(own, {
      // Those of the tool are checked against its own schema.
      args: isJsonObject(call.args) ? others : call.args,
      argsText: call.argsText,
    })
    const { argsText } = call
    const inner = argsText === undefined ? undefined : memberText(argsText, 'arguments')
    const found = { ...call, name: name as string, args, argsText: inner }
    // The page of a server calls such a tool directly.
    if (isForPageOnly(this.#find(found).definition)) throw unknownError(found.name, [])
    return found
  }
}

/** The arguments with the digits that the agent wrote. */
function exactArguments(args: Arguments, { argsText }: AgentToolCall): unknown {
  const isExact = argsText === undefined || !mayBeRespelled(argsText)
  return isExact ? args : exactJson(argsText)
}
