import { addAbortListener } from 'node:events'

import type { Agent } from '../../../../src-shared/domain/agents/agent'
import {
  argumentLines,
  argumentRows,
  escapeInvisible,
  type WholeArgument,
} from '../../../../src-shared/domain/agents/argument-rows'
import type { ToolAnnotations } from '../../../../src-shared/domain/agents/capability'
import type { UserRequestAnswer } from '../../../../src-shared/domain/agents/user-request'
import { AppError } from '../../../../src-shared/domain/app-error'
import type { RequestOrigin } from '../../mcp/elicitation/elicitation'
import { cancelledFailure } from '../../mcp/peer/request-failure'
import type { RequestOptions } from '../../mcp/session-options'
import type { ResolvedTool } from '../../tools/directory/tool-directory'
import type { Outcome, UserRequestInput, UserRequests } from '../../user-requests/user-requests'
import type { AgentStore, ToolRef } from '../agents/agent-store'
import { CallDeniedError, maskedArguments, type SentArguments } from './agent-request'

export type CallApprovalsParts = {
  readonly userRequests: Pick<UserRequests, 'request'>
  readonly agents: Pick<AgentStore, 'find' | 'allow'>
  readonly callable: (agentId: string) => readonly ResolvedTool[]
  readonly nameOf: (installationId: string) => string
  readonly waitMs: () => number
  readonly mask: (text: string, installationId: string) => string
}

/** A call that may need the user's approval; its agent gets progress while it waits. */
export type ConfirmedCall = Pick<RequestOptions, 'signal' | 'onProgress' | 'requestOrigin'> & {
  readonly agent: Agent
  readonly resolved: ResolvedTool
  readonly sent: SentArguments
}

/** Maximum length of an argument that a window gets, in characters. */
const MAX_WHOLE_LENGTH = 1_000_000
/** Size of a message that apps show without cutting it. */
const MAX_IN_APP = { lines: 30, characters: 3_000 }
/** Maximum number of waiting calls per agent: nobody reads more. */
const MAX_WAITING = 20
/** Interval of the notifications for an agent whose call waits, in ms: apps cancel a call after some 60 s of silence. */
const NOTIFY_EVERY_MS = 5_000
/** So small that the server's later reports are higher (MCP, progress: it must increase). */
const STEP = 1e-6
/** The approval form in the agent's app (MCP, elicitation, requested schema). */
const APPROVAL = {
  type: 'object',
  properties: {
    approval: {
      type: 'string',
      title: 'Approval',
      enum: ['once', 'session'],
      enumNames: ['Allow once', 'Allow for this session'],
      default: 'once',
    },
  },
  required: ['approval'],
}

type Allow = Extract<UserRequestAnswer, { kind: 'allow' }>

/** A request about the newest of equal calls; withdrawn when no caller waits for it. */
type SharedApproval = {
  readonly agentId: string
  readonly tool: string
  readonly outcome: Promise<Outcome>
  readonly over: AbortController
  callers: number
}

/** Asks the user before a call if the agent's profile requires it, and remembers grants. */
export class CallApprovals {
  /** Grants until the app ends; see `keyOf`. */
  readonly #allowed = new Set<string>()
  readonly #shared = new Map<string, SharedApproval>()
  /** The newest of equal waiting calls, by agent, tool and arguments. */
  readonly #newest = new Map<string, AbortController>()

  constructor(private readonly parts: CallApprovalsParts) {}

  /**
   * Settles when the call may pass; each approval passes one call. Rejects with a `CallDeniedError`, or with REQUEST_CANCELLED if the call
   * was canceled.
   */
  async pass(call: ConfirmedCall): Promise<void> {
    const { agent, resolved, signal, sent } = call
    const { confirm } = agent.profile
    const isExempt = confirm === 'destructive' && !isDestructive(resolved.tool.annotations)
    if (confirm === 'never' || isExempt || this.#isAllowed(agent.agentId, resolved)) return
    const key = `${keyOf(agent.agentId, resolved)}\n${sent.text}`
    const replacement = new AbortController()
    // An agent that gave up silently sends its call again.
    this.#newest.get(key)?.abort()
    this.#newest.set(key, replacement)
    const outcome = await this.#outcomeOf(call, key, replacement.signal).finally(() => {
      if (this.#newest.get(key) === replacement) this.#newest.delete(key)
    })
    if (signal?.aborted) throw cancelledFailure('tools/call', signal.reason)
    if (replacement.signal.aborted)
      throw new CallDeniedError(
        `${resolved.tool.name} was not called: the same call was sent again.`,
        'The newer call gets the answer.',
      )
    if (outcome.kind === 'allow' || this.#isAllowed(agent.agentId, resolved)) return
    const why =
      outcome.kind === 'unanswered' ? 'the approval request timed out' : 'the user denied it'
    throw new CallDeniedError(`${resolved.tool.name} was not called: ${why}.`)
  }

  /** Forgets the grants of an agent in this run, or of one of its tools. */
  forget(agentId: string, tool?: ToolRef): void {
    const start = tool ? [agentId, tool.installationId, tool.tool, ''] : [agentId, '']
    for (const key of this.#allowed) if (key.startsWith(start.join('\n'))) this.#allowed.delete(key)
  }

  /** Asks in the agent's app if that is wanted and possible, otherwise in Patchbay. */
  async #outcomeOf(call: ConfirmedCall, key: string, replaced: AbortSignal): Promise<Outcome> {
    const signal = call.signal ? AbortSignal.any([call.signal, replaced]) : replaced
    const { agent, requestOrigin, resolved } = call
    const rows = argumentRows(
      maskedArguments(call.sent, (text) => this.parts.mask(text, resolved.installationId)),
    )
    const elicit = agent.profile.asksInApp ? requestOrigin?.elicit : undefined
    const lines =
      elicit &&
      argumentLines(
        rows.map(({ row }) => row),
        MAX_IN_APP,
      )
    if (!elicit || lines === undefined) return this.#requestApproval(call, key, rows, signal)
    const answer = await this.#elicitInApp(call, elicit, lines, signal)
    return answer ?? this.#requestApproval(call, key, rows, signal)
  }

  /** Asks in the agent's app, for this call or for the tool until Patchbay ends; resolves to undefined if the app rejects. */
  async #elicitInApp(
    call: ConfirmedCall,
    elicit: NonNullable<RequestOrigin['elicit']>,
    lines: string,
    signal: AbortSignal,
  ): Promise<Outcome | undefined> {
    const { agent, resolved } = call
    const [name, server] = [resolved.tool.name, this.parts.nameOf(resolved.installationId)]
    const title = `Allow ${escapeInvisible(name)} of ${escapeInvisible(server)}?`
    const message = `${title}\n\n${lines === '' ? 'No arguments' : lines}`
    const deadline = AbortSignal.any([AbortSignal.timeout(this.parts.waitMs()), signal])
    using _notifying = notifyPendingApproval(call, agent.name)
    const params = { mode: 'form', message, requestedSchema: APPROVAL }
    const result = await elicit(params, deadline).catch(() => undefined)
    if (deadline.aborted) return { kind: 'unanswered' }
    if (result?.action !== 'accept') return result && { kind: 'deny' }
    const scope = result.content?.approval === 'session' ? 'session' : 'once'
    this.#allow(agent.agentId, resolved, { kind: 'allow', scope })
    return { kind: 'allow', scope }
  }

  /** Waits for the answer; resolves to `unanswered` once no answer is needed anymore. */
  async #requestApproval(
    call: ConfirmedCall,
    key: string,
    rows: readonly WholeArgument[],
    signal: AbortSignal,
  ): Promise<Outcome> {
    if (signal.aborted) return { kind: 'unanswered' }
    const shared = this.#shared.get(key) ?? this.#share(call, key, rows)
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    using _abortListener = addAbortListener(signal, () => resolve({ kind: 'unanswered' }))
    using _notifying = notifyPendingApproval(call, 'Patchbay')
    shared.callers += 1
    try {
      return await Promise.race([shared.outcome, promise])
    } finally {
      shared.callers -= 1
      if (shared.callers === 0) this.#withdraw(key, shared)
    }
  }

  #share(
    { agent, resolved, sent }: ConfirmedCall,
    key: string,
    rows: readonly WholeArgument[],
  ): SharedApproval {
    const { agentId } = agent
    const pendingCount = [...this.#shared.values()].filter((one) => one.agentId === agentId).length
    if (pendingCount >= MAX_WAITING)
      throw new CallDeniedError(
        `Not sent: ${pendingCount} calls of ${agent.name} already wait for approval.`,
        'Call fewer tools at a time.',
      )
    const { name, title, annotations } = resolved.tool
    const over = new AbortController()
    const reading = openReading(rows, () => {
      const mask = (text: string): string => this.parts.mask(text, resolved.installationId)
      return JSON.stringify(maskedArguments(sent, mask), null, 2)
    })
    const pendingAnswer = this.parts.userRequests.request({
      installationId: resolved.installationId,
      agent: agent.name,
      body: {
        kind: 'call',
        tool: name,
        title,
        isDestructive: isDestructive(annotations),
        isReadOnly: annotations?.readOnlyHint === true,
        arguments: rows.map(({ row }) => row),
      },
      waitMs: this.parts.waitMs(),
      signal: over.signal,
      ...reading,
    })
    const outcome = pendingAnswer.then((answer) => {
      // Withdraw before any caller continues: the answer doesn't cover later calls.
      this.#withdraw(key, shared)
      if (answer.kind === 'allow') this.#allow(agentId, resolved, answer)
      return answer
    })
    const shared = { agentId, tool: keyOf(agentId, resolved), outcome, over, callers: 0 }
    this.#shared.set(key, shared)
    return shared
  }

  #withdraw(key: string, shared: SharedApproval): void {
    if (this.#shared.get(key) === shared) this.#shared.delete(key)
    shared.over.abort()
  }

  /** Grants an approval. A grant lists tools with their definitions: tools added or changed later need a new one. */
  #allow(agentId: string, resolved: ResolvedTool, { scope, target = 'tool' }: Allow): void {
    if (scope === 'once') return
    const others = target === 'tool' ? [] : this.parts.callable(agentId)
    const granted = [resolved, ...others].filter(
      ({ installationId }) => target === 'agent' || installationId === resolved.installationId,
    )
    const keys = new Set(granted.map((one) => keyOf(agentId, one)))
    for (const key of keys) this.#allowed.add(key)
    if (scope === 'always') this.#remember(agentId, granted)
    // The answer also covers other waiting calls.
    for (const { tool, over } of this.#shared.values()) if (keys.has(tool)) over.abort()
  }

  #remember(agentId: string, granted: readonly ResolvedTool[]): void {
    const tools = granted.map(({ installationId, tool, meaning }) => ({
      ...{ installationId, tool: tool.name, hash: meaning },
    }))
    try {
      this.parts.agents.allow(agentId, tools)
    } catch (error) {
      // The grant holds in this run, and is asked for again in the next.
      if (!(error instanceof AppError)) throw error
    }
  }

  #isAllowed(agentId: string, resolved: ResolvedTool): boolean {
    const { installationId, tool, hash, meaning } = resolved
    if (this.#allowed.has(keyOf(agentId, resolved))) return true
    const { allowed = [] } = this.parts.agents.find(agentId) ?? {}
    return allowed.some(
      (one) =>
        one.installationId === installationId &&
        one.tool === tool.name &&
        // Earlier versions stored the hash of the whole definition.
        (one.hash === meaning || one.hash === hash),
    )
  }
}

/** Tracks which arguments of a waiting call the user opened: only a fully read call can be allowed for longer. */
function openReading(
  rows: readonly WholeArgument[],
  all: () => string,
): Pick<UserRequestInput, 'argument' | 'check'> {
  const unopened = new Set([...rows.keys()].filter((at) => (rows[at]?.row.more ?? 0) > 0))
  return {
    argument: (at) => {
      const text = at === undefined ? all() : rows[at]?.whole()
      if (text === undefined) return undefined
      const isCut = text.length > MAX_WHOLE_LENGTH
      if (at !== undefined && !isCut) unopened.delete(at)
      return { text: isCut ? text.slice(0, MAX_WHOLE_LENGTH).toWellFormed() : text, isCut }
    },
    check: (answer) => {
      if (answer.kind === 'accept' || answer.kind === 'decline')
        throw new AppError('INVALID_VALUES', 'A call can only be allowed or denied.')
      if (answer.kind === 'allow' && answer.scope !== 'once' && unopened.size > 0)
        throw new AppError('INVALID_VALUES', 'This call can only be allowed once.', {
          hint: 'Show every argument in full to allow it for longer.',
        })
    },
  }
}

/** Whether a tool may change or delete something: its server marks it neither read-only nor additive (MCP, ToolAnnotations). */
function isDestructive(annotations: ToolAnnotations | undefined): boolean {
  return annotations?.readOnlyHint !== true && annotations?.destructiveHint !== false
}

/** Identifies a tool of an agent with its definition: a changed tool has another key. */
function keyOf(agentId: string, { installationId, tool, meaning }: ResolvedTool): string {
  return [agentId, installationId, tool.name, meaning].join('\n')
}

/** Notifies an agent now and every few seconds, until disposed, who has to approve its call. */
function notifyPendingApproval(
  { resolved, onProgress }: ConfirmedCall,
  where: string,
): Disposable | undefined {
  if (!onProgress) return undefined
  const message = `Waiting for approval of ${resolved.tool.name} in ${where}`
  let progress = 0
  const notify = (): void => {
    progress += STEP
    onProgress({ progress, message })
  }
  notify()
  const timer = setInterval(notify, NOTIFY_EVERY_MS).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
