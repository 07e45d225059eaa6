import type { Agent } from '../../../../src-shared/domain/agents/agent'
import type { ToolAnnotations } from '../../../../src-shared/domain/agents/capability'
import type { QuestionAnswer } from '../../../../src-shared/domain/agents/question'
import { AppError } from '../../../../src-shared/domain/app-error'
import { toDisposable } from '../../lifecycle/disposables'
import type { CallAsker } from '../../mcp/elicitation/elicitation'
import { cancelledFailure } from '../../mcp/peer/request-failure'
import type { RequestOptions } from '../../mcp/session'
import type { Questions } from '../../questions/questions'
import type { PlacedTool } from '../../tools/directory/placed-server'
import type { AgentStore, ToolRef } from '../agents/agent-store'
import { maskedArguments } from './masked-arguments'

/** A call that its user did not allow: they denied it, or did not answer in time. Nothing was sent to the server. */
export class CallDeniedError extends AppError {
  constructor(message: string, hint: string) {
    super('CONSENT_REQUIRED', message, { hint })
  }
}

export type ConfirmationsParts = {
  readonly questions: Pick<Questions, 'ask'>
  readonly agents: Pick<AgentStore, 'find' | 'allow'>
  /** The tools that an agent can call now. */
  readonly callable: (agentId: string) => readonly PlacedTool[]
  /** The name of a server. */
  readonly nameOf: (installationId: string) => string
  /** How long a question waits, in ms. */
  readonly waitMs: () => number
  /** Masks what is known as a secret of a server. */
  readonly mask: (text: string, installationId: string) => string
  /** How often an agent is told that its call waits, in ms. */
  readonly tellEveryMs?: number
}

/** A call that may need the user's approval. */
export type ConfirmedCall = {
  readonly agent: Agent
  readonly placed: PlacedTool
  readonly args: unknown
  readonly signal?: AbortSignal | undefined
  /** Gets progress while the call waits. */
  readonly onProgress?: RequestOptions['onProgress']
  /** Has the agent's app ask its user; missing where the app cannot. */
  readonly elicit?: Elicit | undefined
}

type Elicit = NonNullable<CallAsker['elicit']>

/** Characters of arguments that the user is shown. */
const SHOWN = 20_000
/** Questions of one agent that wait at the same time: beyond them nobody reads what they allow. */
const MOST_OPEN = 20
const METHOD = 'tools/call'

/** What the app of an agent asks its user (MCP, elicitation, requested schema). */
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

type Allow = Extract<QuestionAnswer, { kind: 'allow' }>

/** A question that equal calls share; it is taken back when no caller waits for it. */
type SharedQuestion = {
  readonly outcome: ReturnType<Questions['ask']>
  readonly over: AbortController
  callers: number
}

/** Asks the user before a call where the agent's profile says so, and remembers what may pass. */
export class Confirmations {
  readonly #parts: ConfirmationsParts
  /** What passes until the app ends; see `keyOf`. */
  readonly #allowed = new Set<string>()
  /** Of each agent, what ends the wait of a call once its tool may pass, with the key of that tool. */
  readonly #open = new Map<string, Map<AbortController, string>>()
  /** By the key of the tool and the arguments. */
  readonly #shared = new Map<string, SharedQuestion>()

  constructor(parts: ConfirmationsParts) {
    this.#parts = parts
  }

  /** Settles when the call may pass. Rejects with a `CallDeniedError`, or with REQUEST_CANCELLED when it was given up. */
  async pass(call: ConfirmedCall): Promise<void> {
    const { agent, placed, signal } = call
    const { agentId } = agent
    if (!mustAsk(agent.profile.confirm, placed.tool.annotations)) return
    if (this.#isAllowed(agentId, placed)) return
    if (agent.profile.asksInApp && call.elicit && (await this.#askInApp(call, call.elicit))) return
    const open = this.#open.get(agentId) ?? new Map<AbortController, string>()
    if (open.size >= MOST_OPEN)
      throw new CallDeniedError(
        `Not sent: ${open.size} calls of ${agent.name} already wait for approval.`,
        'Call fewer tools at a time.',
      )
    const settled = new AbortController()
    open.set(settled, keyOf(agentId, placed))
    this.#open.set(agentId, open)
    const what = `Waiting for approval of ${placed.tool.name} in Patchbay`
    const waiting = tellWaiting(call.onProgress, what, this.#parts.tellEveryMs)
    try {
      const outcome = await this.#ask(call, [settled.signal, ...(signal ? [signal] : [])])
      if (signal?.aborted) throw cancelledFailure(METHOD)
      if (outcome.kind !== 'allow' && !this.#isAllowed(agentId, placed))
        throw deniedError(call, outcome.kind)
    } finally {
      waiting[Symbol.dispose]()
      open.delete(settled)
      if (open.size === 0) this.#open.delete(agentId)
    }
  }

  /** Has the agent's app ask its user, for this call or for the tool until Patchbay ends; false where the app refuses to. */
  async #askInApp(call: ConfirmedCall, elicit: Elicit): Promise<boolean> {
    const { agent, placed, signal } = call
    const { mask, nameOf, waitMs } = this.#parts
    const { installationId, tool } = placed
    const shown = maskedArguments(call.args, (text) => mask(text, installationId), 2)
    const params = {
      mode: 'form',
      message: `Allow ${tool.name} of ${nameOf(installationId)}?\n\n${shown.slice(0, SHOWN)}`,
      requestedSchema: APPROVAL,
    }
    const left = AbortSignal.any([AbortSignal.timeout(waitMs()), ...(signal ? [signal] : [])])
    const what = `Waiting for approval of ${tool.name} in ${agent.name}`
    using _ = tellWaiting(call.onProgress, what, this.#parts.tellEveryMs)
    const result = await elicit(params, left).catch(() => undefined)
    if (signal?.aborted) throw cancelledFailure(METHOD)
    if (left.aborted) throw deniedError(call, 'unanswered')
    if (result === undefined) return false
    if (result.action !== 'accept') throw deniedError(call, result.action)
    if (result.content?.approval === 'session')
      this.#allow(agent.agentId, placed, { kind: 'allow', scope: 'session' })
    return true
  }

  /** Forgets what passed of an agent in this run, or of one of its tools. */
  forget(agentId: string, tool?: ToolRef): void {
    const start = tool ? [agentId, tool.installationId, tool.tool, ''] : [agentId, '']
    for (const key of this.#allowed) if (key.startsWith(start.join('\n'))) this.#allowed.delete(key)
  }

  /** Waits for the answer, or for one of the signals. */
  async #ask(call: ConfirmedCall, signals: readonly AbortSignal[]): ReturnType<Questions['ask']> {
    const key = `${keyOf(call.agent.agentId, call.placed)}\n${JSON.stringify(call.args)}`
    const shared = this.#shared.get(key) ?? this.#put(key, call)
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const leave = (): void => resolve(undefined)
    const left = AbortSignal.any([...signals])
    left.addEventListener('abort', leave, { once: true })
    if (left.aborted) leave()
    shared.callers += 1
    try {
      return (await Promise.race([shared.outcome, promise])) ?? { kind: 'unanswered' }
    } finally {
      left.removeEventListener('abort', leave)
      shared.callers -= 1
      if (shared.callers === 0) shared.over.abort()
    }
  }

  #put(key: string, { agent, placed, args }: ConfirmedCall): SharedQuestion {
    const { questions, waitMs, mask } = this.#parts
    const { installationId, tool } = placed
    const shown = maskedArguments(args, (text) => mask(text, installationId), 2)
    const { name, title, annotations } = tool
    const over = new AbortController()
    const asked = questions.ask({
      installationId,
      agent: agent.name,
      body: {
        kind: 'call',
        tool: name,
        title,
        isDestructive: isDestructive(annotations),
        isReadOnly: annotations?.readOnlyHint === true,
        arguments: shown.slice(0, SHOWN),
        isCut: shown.length > SHOWN,
      },
      waitMs: waitMs(),
      signal: over.signal,
      check: checkAnswer,
    })
    const outcome = asked.then((answer) => {
      this.#shared.delete(key)
      if (answer.kind === 'allow') this.#allow(agent.agentId, placed, answer)
      return answer
    })
    const shared = { outcome, over, callers: 0 }
    this.#shared.set(key, shared)
    return shared
  }

  /** A grant names each tool with its definition: one that is added or changed later is asked about. */
  #allow(agentId: string, placed: PlacedTool, { scope, target = 'tool' }: Allow): void {
    if (scope === 'once') return
    const isMeant = (one: PlacedTool): boolean =>
      target === 'agent' || one.installationId === placed.installationId
    const others = target === 'tool' ? [] : this.#parts.callable(agentId).filter(isMeant)
    const granted = new Map([placed, ...others].map((one) => [keyOf(agentId, one), one]))
    for (const key of granted.keys()) this.#allowed.add(key)
    if (scope === 'always') this.#remember(agentId, [...granted.values()])
    // The user has answered for other waiting calls as well.
    for (const [settled, key] of this.#open.get(agentId) ?? [])
      if (granted.has(key)) settled.abort()
  }

  #remember(agentId: string, granted: readonly PlacedTool[]): void {
    try {
      this.#parts.agents.allow(
        agentId,
        granted.map(({ installationId, tool, hash }) => ({
          installationId,
          tool: tool.name,
          hash,
        })),
      )
    } catch (error) {
      // They pass in this run, and are asked about again in the next.
      if (!(error instanceof AppError)) throw error
    }
  }

  #isAllowed(agentId: string, placed: PlacedTool): boolean {
    const { installationId, tool, hash } = placed
    const { allowed = [] } = this.#parts.agents.find(agentId) ?? {}
    return (
      this.#allowed.has(keyOf(agentId, placed)) ||
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

/** A tool of an agent with its definition: one that changed is another. */
function keyOf(agentId: string, { installationId, tool, hash }: PlacedTool): string {
  return [agentId, installationId, tool.name, hash].join('\n')
}

function checkAnswer({ kind }: QuestionAnswer): void {
  if (kind === 'accept' || kind === 'decline')
    throw new AppError('INVALID_VALUES', 'A call can only be allowed or denied.')
}

function deniedError({ placed }: ConfirmedCall, kind: string): CallDeniedError {
  const { name } = placed.tool
  const hint = 'Call it again only if the user asks for it.'
  return kind === 'unanswered'
    ? new CallDeniedError(`${name} was not called: the approval request timed out.`, hint)
    : new CallDeniedError(`${name} was not called: the user denied it.`, hint)
}

/** How often who waits is told so, in ms: apps give a call up after some 60 s without a word. */
const TELL_EVERY_MS = 5_000
/** So little that what the server reports later is more (MCP, progress: it must increase). */
const STEP = 1e-6

/** Tells an agent at once and then every few seconds, until the result is disposed, what its call waits for. */
function tellWaiting(
  onProgress: RequestOptions['onProgress'],
  message: string,
  everyMs = TELL_EVERY_MS,
): Disposable {
  if (!onProgress) return toDisposable(() => undefined)
  let progress = 0
  const tell = (): void => {
    progress += STEP
    onProgress({ progress, message })
  }
  tell()
  const telling = setInterval(tell, everyMs)
  telling.unref()
  return toDisposable(() => clearInterval(telling))
}
