import type { CallOutcome, RunningCall } from '../../../../src-shared/domain/agents/activity'
import type { Agent } from '../../../../src-shared/domain/agents/agent'
import { AppError, type AppErrorCode } from '../../../../src-shared/domain/app-error'
import { attempt } from '../../../../src-shared/domain/attempt'
import { errorMessage } from '../../../../src-shared/domain/error-message'
import { SECRET_MASK } from '../../../../src-shared/domain/installation/launch-plan'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { namesSecret } from '../../../../src-shared/domain/secret-name'
import type { RequestOrigin } from '../../mcp/elicitation/elicitation'
import { exactAt, exactJson, isRawJson, mayBeRespelled } from '../../mcp/json/exact-json'
import { wellFormed } from '../../mcp/json/json-rpc'
import type { ResultText } from '../../mcp/json/result-text'
import type { RequestOptions } from '../../mcp/session-options'
import type { Clock } from '../../ports'
import type { ServerUser } from '../../servers/server-instances'
import { normalizedArguments, type RawArguments } from '../arguments/argument-validator'
import type { NewCall } from '../audit/audit-call'
import { NAMED_BY } from './gateway-capabilities'
import { CANCELED_BY_USER, CODES, RequestError } from './request-error'

export type AgentRequest = {
  readonly method: string
  readonly params: JsonObject
  /** The whole message as the agent wrote it. */
  readonly text: string
  /** The whole message, parsed. */
  readonly value: JsonObject
}

/** The sender of a request, how to reach it, and when it gives up. */
export type Caller = {
  readonly agent: Agent
  readonly protocolVersion: string
  /** Whether its app draws servers' views (MCP Apps). */
  readonly drawsViews: boolean
  readonly signal: AbortSignal
  /** Aborts `signal`; the agent reads the reason. */
  readonly cancel: (reason: string) => void
  readonly onProgress?: RequestOptions['onProgress']
  readonly requestOrigin: RequestOrigin
}

/** The arguments of a call in the form that its server gets; built once, before the user is asked. */
export type SentArguments = {
  /** `JSON.stringify` keeps the digits that the agent wrote. */
  readonly value: JsonObject
  readonly text: string
}

/** An agent's request to a server: the context of the pipeline. */
export type Call = {
  readonly agent: Agent
  readonly method: string
  readonly params: JsonObject
  /** The requested name or URI, as the agent knows it. */
  readonly name: string
  /** Of any type; validated later. */
  readonly args?: unknown
  /** The message, if JavaScript would serialize it differently: digits and duplicate keys that the parsed value can't show. */
  readonly text?: string | undefined
  readonly path: readonly string[]
  readonly bytes: number
  /** `_meta` of the request without its progress token. */
  readonly meta: JsonObject | undefined
  readonly options: RequestOptions
  /** Collects details for the call log: the server, its own name of the target, and what was to be sent. */
  readonly record: {
    target: string
    installationId?: string
    serverName?: string
    sent?: SentArguments
  }
}

/** The error for a call that its user denied or didn't answer in time. Nothing was sent to the server. */
export class CallDeniedError extends AppError {
  constructor(message: string, hint = 'Call it again only if the user asks for it.') {
    super('CONSENT_REQUIRED', message, { hint })
  }
}

/** Longer messages are scanned for duplicate keys faster than they are serialized, in characters. */
const SHORT = 16 * 1024

/** Names that mark a secret elsewhere, but in arguments mostly the key of an entry. */
const PLAIN_KEYS = new Set(['key', 'keys'])

/** Returns the call that a request makes. Throws -32602 and -32601. */
export function callOf(request: AgentRequest, caller: Caller): Call {
  const { method, params } = request
  const { agent, signal, onProgress, requestOrigin } = caller
  const { progressToken, ...meta } = isJsonObject(params._meta) ? params._meta : {}
  const name = nameOf(request)
  const isTool = method === 'tools/call'
  return {
    ...{ agent, method, params, name },
    args: isTool || method === 'prompts/get' ? (params.arguments ?? {}) : undefined,
    text: isTool ? writtenText(request) : undefined,
    path: ['params', 'arguments'],
    bytes: Buffer.byteLength(request.text),
    meta: Object.keys(meta).length > 0 ? meta : undefined,
    options: {
      signal,
      requestOrigin,
      onProgress: progressToken === undefined ? undefined : onProgress,
    },
    record: { target: name },
  }
}

/** Returns a call's arguments as its agent wrote them, with all their digits. */
export function writtenArguments({ args, text, path }: Call): RawArguments {
  return normalizedArguments({ plain: args, exact: exactArguments(args, text, path), text, path })
}

function exactArguments(args: unknown, text: string | undefined, path: readonly string[]): unknown {
  // The version in "jsonrpc" isn't a number.
  if (text === undefined || !mayBeRespelled(text.replace('"2.0"', ''))) return args
  const exact = exactAt(text, path)
  return isJsonObject(exact) ? exact : args
}

/** Returns arguments to send; their text is serialized at the first access. */
export function sentArguments(value: JsonObject): SentArguments {
  let text: string | undefined
  return {
    value,
    get text() {
      text ??= wellFormed(JSON.stringify(value))
      return text
    },
  }
}

/**
 * Returns arguments with masked secrets: values of fields with a telling name, and matches of `mask` in names and values. Numbers keep
 * their digits.
 */
export function maskedArguments({ text }: SentArguments, mask: (text: string) => string): unknown {
  const masked = (value: unknown, key: string): unknown => {
    const isLeaf = typeof value === 'string' || typeof value === 'number' || isRawJson(value)
    if (isLeaf && !PLAIN_KEYS.has(key.toLowerCase()) && namesSecret(key)) return SECRET_MASK
    if (Array.isArray(value)) return value.map((one) => masked(one, ''))
    if (isJsonObject(value) && !isRawJson(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [mask(name), masked(one, name)]),
      )
    const leaf = typeof value === 'string' ? value : JSON.stringify(value)
    const shown = mask(leaf)
    return shown === leaf ? value : shown
  }
  return masked(exactJson(text), '')
}

export function methodNotFound(): RequestError {
  return new RequestError(CODES.methodNotFound, 'Method not found')
}

/** Returns the user of a server for an agent's request, with the session it came in. */
export function userOf({ agentId, name }: Agent, requestOrigin?: RequestOrigin): ServerUser {
  const { sessionId, roots } = requestOrigin?.toolRunId === undefined ? (requestOrigin ?? {}) : {}
  return { agentId, agent: name, sessionId, roots }
}

/** Returns a required text parameter; throws -32602. */
export function textOf(params: JsonObject, name: string): string {
  const { [name]: value } = params
  if (typeof value === 'string') return value
  throw new RequestError(CODES.invalidParams, `${name} must be a string.`)
}

function nameOf({ method, params }: AgentRequest): string {
  const key = NAMED_BY[method]
  if (key !== undefined) return textOf(params, key)
  if (method !== 'completion/complete') throw methodNotFound()
  const { ref } = params
  if (!isJsonObject(ref)) throw new RequestError(CODES.invalidParams, 'ref must be an object.')
  const name = ref.type === 'ref/prompt' ? ref.name : ref.uri
  return typeof name === 'string' ? name : ''
}

function writtenText({ text, value }: AgentRequest): string | undefined {
  const isCanonical = text.length < SHORT && JSON.stringify(value) === text
  // Such an escape may be a lone surrogate.
  return isCanonical && !text.includes(String.raw`\ud`) ? undefined : text
}

/** Larger arguments, in bytes, aren't stored: nobody reads them. */
const MAX_KEPT = 256 * 1024
const OUTCOMES: Partial<Record<AppErrorCode, CallOutcome>> = {
  NOT_FOUND: 'rejected',
  TOOL_NOT_EXPOSED: 'rejected',
  INVALID_VALUES: 'rejected',
  REQUEST_CANCELLED: 'cancelled',
  REQUEST_TIMEOUT: 'timedOut',
  REQUEST_REFUSED: 'refused',
  INVALID_ANSWER: 'refused',
  MESSAGE_TOO_LARGE: 'refused',
}

/** Records a call in the call log when it ends; settles as `work` does. */
async function recorded(
  audit: { record(call: NewCall): void },
  call: Call,
  work: () => Promise<ResultText>,
): Promise<ResultText> {
  const at = Date.now()
  const from = performance.now()
  const record = (outcome: CallOutcome, resultBytes: number, message?: string): void => {
    const { agent, method, bytes: requestBytes } = call
    const { target, installationId, serverName } = call.record
    audit.record({
      ...{ at, agentId: agent.agentId, agentName: agent.name, installationId, serverName, method },
      ...{ target, durationMs: performance.now() - from, requestBytes, resultBytes, outcome },
      ...{ message, arguments: agent.profile.keepsArguments ? storedArguments(call) : undefined },
    })
  }
  try {
    const answer = await work()
    const isError = answer.result.isError === true
    const bytes = Buffer.byteLength(answer.text)
    record(isError ? 'toolError' : 'ok', bytes, isError ? firstText(answer.result) : undefined)
    return answer
  } catch (thrown) {
    const error = forAgent(thrown, call)
    const outcome = error instanceof AppError ? (OUTCOMES[error.code] ?? 'unreachable') : 'refused'
    const message = errorMessage(error)
    record(error instanceof CallDeniedError ? 'denied' : outcome, 0, message)
    throw error
  }
}

/** Only the user can sign in, and only in Patchbay. */
function forAgent(error: unknown, { record: { serverName } }: Call): unknown {
  if (!(error instanceof AppError) || error.code !== 'SIGN_IN_NEEDED') return error
  const where = serverName === undefined ? '' : ` and sign in to ${serverName}`
  return new AppError('SIGN_IN_NEEDED', `Sign-in required: ${error.message}`, {
    cause: error,
    hint: `Ask the user to open Patchbay${where}. Then call again.`,
  })
}

function firstText({ content }: JsonObject): string | undefined {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : []
  const texts = blocks.flatMap((one) => (isJsonObject(one) ? [one.text] : []))
  return texts.find((text) => typeof text === 'string')
}

/** Known secrets are masked where calls are stored. */
function storedArguments({ args, bytes, record }: Call): string | undefined {
  if (args === undefined) return undefined
  if (bytes > MAX_KEPT) return `(${bytes} bytes, too large to store)`
  const sent = record.sent ?? sentArguments(args as JsonObject)
  const logged = attempt(() => JSON.stringify(maskedArguments(sent, (text) => text)))
  return logged ?? '(nested too deeply to store)'
}

/** Calls are shown once they run this long, in ms; most end earlier. */
const SHOWN_MS = 1_000

type Running = {
  readonly runId: number
  readonly at: number
  readonly call: Call
  readonly cancel: (reason: string) => void
}

/** The running calls of agents, for the user. */
export class RunningCalls {
  // Not a map: V8 keeps everything from an outgrown one until the next full collection.
  readonly #running: Running[] = []
  #lastId = 0

  constructor(
    private readonly clock: Clock,
    private readonly mask: (text: string, installationId: string | undefined) => string,
    /** The call log, which gets each finished call; neither throws nor waits. */
    private readonly audit: { record(call: NewCall): void },
  ) {}

  /** Long-running calls, oldest first. */
  get list(): RunningCall[] {
    const latest = this.clock.now() - SHOWN_MS
    return this.#running
      .filter(({ at }) => at <= latest)
      .map(({ runId, at, call: { agent, method, record } }) => ({
        ...{ runId, at, method, agentName: agent.name },
        serverName: record.serverName,
        target: this.mask(record.target, record.installationId),
      }))
  }

  /** Counts a call during `work`, and records its outcome. */
  async run(
    call: Call,
    cancel: (reason: string) => void,
    work: () => Promise<ResultText>,
  ): Promise<ResultText> {
    this.#lastId += 1
    const running = { runId: this.#lastId, at: this.clock.now(), call, cancel }
    this.#running.push(running)
    try {
      return await recorded(this.audit, call, work)
    } finally {
      this.#running.splice(this.#running.indexOf(running), 1)
    }
  }

  /** Cancels a call; does nothing if it has ended. */
  cancel(runId: number): void {
    this.#running.find((one) => one.runId === runId)?.cancel(CANCELED_BY_USER)
  }
}
