import type { CallOutcome } from '../../../../src-shared/domain/agents/activity'
import type { Agent } from '../../../../src-shared/domain/agents/agent'
import { AppError, type AppErrorCode } from '../../../../src-shared/domain/app-error'
import { isJsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import type { ResultText } from '../../mcp/json/result-text'
import type { NewCall } from '../audit/audit-call'
import { CallDeniedError } from './confirmations'
import { maskedArguments } from './masked-arguments'

/** What is known of a call while it is under way. */
export type CallNote = {
  readonly agent: Agent
  readonly method: string
  target: string
  installationId?: string | undefined
  serverName?: string | undefined
  /** The arguments, and as text where they came so. */
  readonly args: unknown
  readonly argsText?: string | undefined
}

/** How long a call took and how large its answer was. */
type Figures = Pick<NewCall, 'at' | 'durationMs' | 'resultBytes'>

/** Characters of what a tool says of its failure, before the activity cuts it as well. */
const LONGEST_MESSAGE = 2_000
/** Arguments of more characters nobody reads. */
const MOST_KEPT = 256 * 1024

/** Takes note of every call when it is over. */
export class CallRecorder {
  constructor(private readonly audit: { record(call: NewCall): void }) {}

  /** Settles as `work` does. */
  async over(note: CallNote, work: () => Promise<ResultText>): Promise<ResultText> {
    const at = Date.now()
    const from = performance.now()
    let answer: ResultText
    try {
      answer = await work()
    } catch (thrown) {
      const error = forAgent(thrown, note)
      const figures = { at, durationMs: performance.now() - from, resultBytes: 0 }
      this.audit.record(failedCall(note, figures, error))
      throw error
    }
    const { own, result } = answer
    const resultBytes = own?.length ?? roughBytes(result)
    const figures = { at, durationMs: performance.now() - from, resultBytes }
    this.audit.record(answeredCall(note, figures, result))
    return answer
  }
}

/** Only the user can sign in, and in Patchbay alone: the agent reads where. */
function forAgent(error: unknown, { serverName }: CallNote): unknown {
  if (!(error instanceof AppError) || error.code !== 'SIGN_IN_NEEDED') return error
  const where = serverName === undefined ? '' : ` and sign in to ${serverName}`
  return new AppError('SIGN_IN_NEEDED', `Sign-in required: ${error.message}`, {
    cause: error,
    hint: `Ask the user to open Patchbay${where}. Then call again.`,
  })
}

/** A call that was answered, for the activity. */
function answeredCall(note: CallNote, figures: Figures, result: unknown): NewCall {
  const isError = isJsonObject(result) && result.isError === true
  return isError
    ? callOf(note, figures, 'toolError', firstTextOf(result))
    : callOf(note, figures, 'ok', undefined)
}

/** A call that failed, for the activity. */
function failedCall(note: CallNote, figures: Figures, error: unknown): NewCall {
  const message = error instanceof Error ? error.message : String(error)
  return callOf(note, figures, outcomeOf(error), message.slice(0, LONGEST_MESSAGE))
}

function callOf(
  note: CallNote,
  { at, durationMs, resultBytes }: Figures,
  outcome: CallOutcome,
  message: string | undefined,
): NewCall {
  const { agent, method, target, installationId, serverName, args, argsText } = note
  return {
    at,
    durationMs,
    resultBytes,
    outcome,
    message,
    agentId: agent.agentId,
    agentName: agent.name,
    installationId,
    serverName,
    method,
    target,
    requestBytes: argsText === undefined ? roughBytes(args) : Buffer.byteLength(argsText),
    arguments: agent.profile.keepsArguments ? keptArguments(args) : undefined,
  }
}

/** What is known as a secret is masked where calls are kept. */
function keptArguments(args: unknown): string | undefined {
  if (args === undefined) return undefined
  const bytes = roughBytes(args)
  if (bytes > MOST_KEPT) return `(${bytes} bytes, too large to store)`
  try {
    return maskedArguments(args, (text) => text)
  } catch (error) {
    // Nested deeper than can be written.
    if (error instanceof RangeError) return '(nested too deeply to store)'
    throw error
  }
}

function firstTextOf({ content }: Readonly<Record<string, unknown>>): string | undefined {
  if (!Array.isArray(content)) return undefined
  for (const one of content as unknown[])
    if (isJsonObject(one) && typeof one.text === 'string') return one.text.slice(0, LONGEST_MESSAGE)
  return undefined
}

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

function outcomeOf(error: unknown): CallOutcome {
  if (error instanceof CallDeniedError) return 'denied'
  if (!(error instanceof AppError)) return 'refused'
  return OUTCOMES[error.code] ?? 'unreachable'
}

/** Of a larger value only so much is counted. */
const MOST_NODES = 100_000

/** About how many bytes a value takes as JSON; never recurses. */
function roughBytes(value: unknown): number {
  let nodes = 0
  let characters = 0
  const waiting: unknown[] = [value]
  while (waiting.length > 0 && nodes <= MOST_NODES) {
    const one = waiting.pop()
    nodes += 1
    if (typeof one === 'string') characters += one.length
    else if (Array.isArray(one)) for (const inner of one) waiting.push(inner)
    else if (typeof one === 'object' && one !== null)
      for (const [key, inner] of Object.entries(one)) {
        characters += key.length
        waiting.push(inner)
      }
  }
  return characters + 3 * nodes
}
