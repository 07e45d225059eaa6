import type { CallOutcome } from '../../../../src-shared/domain/agents/activity'
import { AppError, type AppErrorCode } from '../../../../src-shared/domain/app-error'
import { isJsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import type { ResultText } from '../../mcp/json/result-text'
import type { NewCall } from '../audit/audit-call'
import { type Call, maskedArguments } from './agent-request'
import { CallDeniedError } from './confirmations'

/** Arguments of more bytes nobody reads. */
const MOST_KEPT = 256 * 1024
/** Values that are counted for the size of one. */
const MOST_NODES = 100_000
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

type Ending = Pick<NewCall, 'outcome' | 'message' | 'resultBytes'>

/** Records a call in the call log when it is over; settles as `work` does. */
export async function recorded(
  audit: { record(call: NewCall): void },
  call: Call,
  work: () => Promise<ResultText>,
): Promise<ResultText> {
  const at = Date.now()
  const from = performance.now()
  const record = ({ outcome, message, resultBytes }: Ending): void => {
    const { agent, args } = call
    const { target, installationId, serverName } = call.record
    const requestBytes = roughBytes(args)
    audit.record({
      at,
      agentId: agent.agentId,
      agentName: agent.name,
      installationId,
      serverName,
      method: call.method,
      target,
      durationMs: performance.now() - from,
      requestBytes,
      resultBytes,
      outcome,
      message,
      arguments: agent.profile.keepsArguments ? keptArguments(args, requestBytes) : undefined,
    })
  }
  try {
    const answer = await work()
    record(endingOf(answer))
    return answer
  } catch (thrown) {
    const error = forAgent(thrown, call)
    const message = error instanceof Error ? error.message : String(error)
    record({ outcome: outcomeOf(error), message, resultBytes: 0 })
    throw error
  }
}

/** Only the user can sign in, and in Patchbay alone. */
function forAgent(error: unknown, { record: { serverName } }: Call): unknown {
  if (!(error instanceof AppError) || error.code !== 'SIGN_IN_NEEDED') return error
  const where = serverName === undefined ? '' : ` and sign in to ${serverName}`
  return new AppError('SIGN_IN_NEEDED', `Sign-in required: ${error.message}`, {
    cause: error,
    hint: `Ask the user to open Patchbay${where}. Then call again.`,
  })
}

function endingOf({ own, result }: ResultText): Ending {
  const resultBytes = own?.length ?? roughBytes(result)
  if (result.isError !== true) return { outcome: 'ok', message: undefined, resultBytes }
  const content = Array.isArray(result.content) ? (result.content as unknown[]) : []
  const texts = content.flatMap((one) => (isJsonObject(one) ? [one.text] : []))
  const message = texts.find((text) => typeof text === 'string')
  return { outcome: 'toolError', message, resultBytes }
}

function outcomeOf(error: unknown): CallOutcome {
  if (error instanceof CallDeniedError) return 'denied'
  if (!(error instanceof AppError)) return 'refused'
  return OUTCOMES[error.code] ?? 'unreachable'
}

/** Secrets that are known are masked where calls are stored. */
function keptArguments(args: unknown, bytes: number): string | undefined {
  if (args === undefined) return undefined
  if (bytes > MOST_KEPT) return `(${bytes} bytes, too large to store)`
  try {
    return maskedArguments(args)
  } catch {
    return '(nested too deeply to store)'
  }
}

/** How many bytes a value takes as JSON, roughly; never recurses. */
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
