import type { Agent } from '../../../../src-shared/domain/agents/agent'
import type { ToolAnnotations } from '../../../../src-shared/domain/agents/capability'
import type { QuestionAnswer } from '../../../../src-shared/domain/agents/question'
import { AppError } from '../../../../src-shared/domain/app-error'
import { cancelledFailure } from '../../mcp/peer/request-failure'
import type { RequestOptions } from '../../mcp/session'
import type { Questions } from '../../questions/questions'
import type { PlacedTool } from '../../tools/directory/placed-server'
import type { AgentStore } from '../agents/agent-store'
import { maskedArguments } from './masked-arguments'
import { tellWaiting } from './waiting-progress'

/** A call that its user did not allow: they denied it, or did not answer in time. Nothing was sent to the server. */
export class CallDeniedError extends AppError {
  constructor(message: string, hint: string) {
    super('CONSENT_REQUIRED', message, { hint })
  }
}

export type ConfirmationsParts = {
  readonly questions: Pick<Questions, 'ask'>
  readonly agents: Pick<AgentStore, 'find' | 'allow'>
  /** How long a question waits, in ms. */
  readonly waitMs: () => number
  /** Masks what is known as a secret of a server. */
  readonly mask: (text: string, installationId: string) => string
  /** How often an agent is told that its call waits, in ms. */
  readonly tellEveryMs?: number
}

/** A call that may need its person's yes. */
export type ConfirmedCall = {
  readonly agent: Agent
  readonly placed: PlacedTool
  readonly args: unknown
  readonly signal?: AbortSignal | undefined
  /** Hears that the call waits for its person. */
  readonly onProgress?: RequestOptions['onProgress']
}

/** Characters of arguments that a person is shown. */
const SHOWN = 20_000
/** Questions of one agent that wait at the same time: beyond them nobody reads what they allow. */
const MOST_OPEN = 20
const METHOD = 'tools/call'

/** Asks the person before a call where the agent's profile says so, and remembers what may pass. */
export class Confirmations {
  readonly #parts: ConfirmationsParts
  /** What passes until the app ends; see `keyOf`. */
  readonly #allowed = new Set<string>()
  /** Of each agent, what takes its questions back once a tool may pass, with the key of that tool. */
  readonly #open = new Map<string, Map<AbortController, string>>()

  constructor(parts: ConfirmationsParts) {
    this.#parts = parts
  }

  /** Settles when the call may pass. Rejects with a `CallDeniedError`, or with REQUEST_CANCELLED when it was given up. */
  async pass(call: ConfirmedCall): Promise<void> {
    const { agent, placed, signal } = call
    if (!mustAsk(agent.profile.confirm, placed.tool.annotations) || this.#isAllowed(call)) return
    const { agentId } = agent
    const open = this.#open.get(agentId) ?? new Map<AbortController, string>()
    if (open.size >= MOST_OPEN)
      throw new CallDeniedError(
        `${open.size} calls of ${agent.name} wait for its person's yes; this one was not sent.`,
        'Call fewer tools at a time.',
      )
    const key = keyOf(call)
    const settled = new AbortController()
    open.set(settled, key)
    this.#open.set(agentId, open)
    const what = `Waiting in Patchbay for a person to allow ${placed.tool.name}`
    const waiting = tellWaiting(call.onProgress, what, this.#parts.tellEveryMs)
    try {
      const answer = await this.#ask(call, [settled.signal, ...(signal ? [signal] : [])])
      if (signal?.aborted) throw cancelledFailure(METHOD)
      if (answer.kind === 'allow') this.#allow(call, answer.scope)
      else if (!this.#isAllowed(call)) throw deniedError(call, answer.kind)
    } finally {
      waiting[Symbol.dispose]()
      open.delete(settled)
      if (open.size === 0) this.#open.delete(agentId)
    }
  }

  /** Forgets what passed of an agent that is gone, or whose person wants to be asked again. */
  forget(agentId: string): void {
    for (const key of this.#allowed) if (key.startsWith(`${agentId}\n`)) this.#allowed.delete(key)
  }

  #ask(
    { agent, placed, args }: ConfirmedCall,
    signals: AbortSignal[],
  ): ReturnType<Questions['ask']> {
    const { questions, waitMs, mask } = this.#parts
    const { installationId, tool } = placed
    const shown = maskedArguments(args, (text) => mask(text, installationId), 2)
    const { name, title } = tool
    return questions.ask({
      installationId,
      agent: agent.name,
      body: {
        kind: 'call',
        tool: name,
        title,
        isDestructive: isDestructive(tool.annotations),
        arguments: shown.slice(0, SHOWN),
        isCut: shown.length > SHOWN,
      },
      waitMs: waitMs(),
      signal: AbortSignal.any(signals),
      check: checkAnswer,
    })
  }

  #allow(call: ConfirmedCall, scope: 'once' | 'session' | 'always'): void {
    if (scope === 'once') return
    const key = keyOf(call)
    this.#allowed.add(key)
    if (scope === 'always') this.#remember(call)
    // The person has answered for the other calls of the tool as well.
    for (const [settled, other] of this.#open.get(call.agent.agentId) ?? [])
      if (other === key) settled.abort()
  }

  #remember({ agent, placed }: ConfirmedCall): void {
    const { installationId, tool, hash } = placed
    try {
      this.#parts.agents.allow(agent.agentId, { installationId, tool: tool.name, hash })
    } catch (error) {
      // It passes in this run, and is asked about again in the next.
      if (!(error instanceof AppError)) throw error
    }
  }

  #isAllowed(call: ConfirmedCall): boolean {
    const { installationId, tool, hash } = call.placed
    const { allowed = [] } = this.#parts.agents.find(call.agent.agentId) ?? {}
    return (
      this.#allowed.has(keyOf(call)) ||
      allowed.some(
        (one) =>
          one.installationId === installationId && one.tool === tool.name && one.hash === hash,
      )
    )
  }
}

/** Whether a tool may change or delete something, as far as its server says: it is not said to only read, nor to only add (MCP, ToolAnnotations). */
export function isDestructive(annotations: ToolAnnotations | undefined): boolean {
  return annotations?.readOnlyHint !== true && annotations?.destructiveHint !== false
}

function mustAsk(
  confirm: Agent['profile']['confirm'],
  annotations: ToolAnnotations | undefined,
): boolean {
  return confirm === 'always' || (confirm === 'destructive' && isDestructive(annotations))
}

/** A tool of an agent as it was when it was asked about: one that changed is another. */
function keyOf({ agent, placed }: ConfirmedCall): string {
  return [agent.agentId, placed.installationId, placed.tool.name, placed.hash].join('\n')
}

function checkAnswer({ kind }: QuestionAnswer): void {
  if (kind === 'accept' || kind === 'decline')
    throw new AppError('INVALID_VALUES', 'A call is allowed or denied.')
}

function deniedError({ placed }: ConfirmedCall, kind: string): CallDeniedError {
  const { name } = placed.tool
  const hint = 'Do not call it again unless your person asks for it.'
  return kind === 'unanswered'
    ? new CallDeniedError(`${name} was not called: its person did not answer in time.`, hint)
    : new CallDeniedError(`${name} was not called: its person denied it.`, hint)
}
