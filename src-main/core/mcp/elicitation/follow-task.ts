import { setTimeout as delay } from 'node:timers/promises'

import { AppError } from '../../../../src-shared/domain/app-error'
import { isObject } from '../json/is-object'
import type { JsonObject } from '../json/json-rpc'
import { exactResult, type ResultText, writtenResult } from '../json/result-text'
import { normalizeResult } from '../json/schemas'
import { readError } from '../peer/answer'
import type { Progress } from '../peer/pending-requests'
import {
  cancelledFailure,
  isGivenUp,
  overdueFailure,
  RefusedRequestError,
} from '../peer/request-failure'

/** Bounds of the interval that a server suggests, and the interval where it suggests none, in ms. */
const MIN_POLL_MS = 100
const MAX_POLL_MS = 60_000
const DEFAULT_POLL_MS = 1_000
const CANCELED = -32_000

type TaskCall = {
  readonly method: string
  /** Without sessions, the state of an ended task has its result (2026-07-28); else `tasks/result` does (2025-11-25). */
  readonly isStateless: boolean
  readonly maxTotalMs: number
  readonly signal: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  readonly send: (method: string, params: JsonObject, leftMs: number) => Promise<ResultText>
  /** Answers the requests of the server for more input; resolves to the member `inputResponses`. */
  readonly inputsFor: (inputRequests: JsonObject) => Promise<JsonObject>
}

/**
 * The task that a result names in place of an answer: the result itself (tasks extension of MCP 2026-07-28), or its
 * member `task` (2025-11-25, `CreateTaskResult`), which only a call that asked for a task gets.
 */
export function taskOf(result: JsonObject, isStateless: boolean): JsonObject | undefined {
  const task = isStateless ? result : result.task
  if (!isObject(task) || typeof task.taskId !== 'string') return undefined
  return isStateless && task.resultType !== 'task' ? undefined : task
}

/** Parameters of a call that ask for a task where the tool runs as a task only (MCP 2025-11-25, tasks). */
export function withTask(
  method: string,
  params: Record<string, unknown>,
  tools: readonly { readonly name: string; readonly execution?: unknown }[],
): Record<string, unknown> {
  if (method !== 'tools/call') return params
  const execution = tools.find(({ name }) => name === params.name)?.execution
  const isTaskOnly = isObject(execution) && execution.taskSupport === 'required'
  return isTaskOnly ? { ...params, task: {} } : params
}

/**
 * Polls a task until it ends and resolves to the result of its call. Rejects with the server's own error where it failed,
 * and as a request does where it is given up or takes too long: then the server is asked to cancel it.
 */
export async function followTask(seed: JsonObject, call: TaskCall): Promise<ResultText> {
  const { taskId } = seed
  let leftMs = call.maxTotalMs
  try {
    const answered = new Set<string>()
    let task = seed
    for (let polls = 1; ; polls += 1) {
      const from = performance.now()
      if (task.status === 'working') await pollInterval(task, call)
      if (leftMs <= performance.now() - from) throw overdueFailure(call.method, call.maxTotalMs)
      const answer = await call.send('tasks/get', { taskId }, leftMs)
      leftMs -= performance.now() - from
      task = answer.result
      const end = await endOf(answer, call, leftMs)
      if (end) return end
      const { statusMessage: message } = task
      call.onProgress?.({ progress: polls, ...(typeof message === 'string' && { message }) })
      const inputRequests = unanswered(task, answered)
      if (Object.keys(inputRequests).length === 0) task = { ...task, status: 'working' }
      else
        await call.send(
          'tasks/update',
          { taskId, ...(await call.inputsFor(inputRequests)) },
          leftMs,
        )
    }
  } catch (error) {
    if (isGivenUp(error))
      call.send('tasks/cancel', { taskId }, DEFAULT_POLL_MS).catch(() => undefined) // the call is over
    throw error
  }
}

async function pollInterval(task: JsonObject, call: TaskCall): Promise<void> {
  const intervals = [task.pollIntervalMs, task.pollInterval, DEFAULT_POLL_MS]
  const wantedMs = intervals.find((ms) => typeof ms === 'number') ?? DEFAULT_POLL_MS
  const waitMs = Math.min(Math.max(wantedMs, MIN_POLL_MS), MAX_POLL_MS, call.maxTotalMs)
  await delay(waitMs, undefined, { signal: call.signal }).catch(() => {
    throw cancelledFailure(call.method)
  })
}

/** The result of a call whose task has ended; undefined while the server works on it. Throws where it failed. */
async function endOf(
  answer: ResultText,
  { method, isStateless, send }: TaskCall,
  leftMs: number,
): Promise<ResultText | undefined> {
  const { taskId, status, statusMessage: said, error, result } = answer.result
  if (status === 'cancelled') {
    const message = typeof said === 'string' ? said : 'The task was canceled'
    throw new RefusedRequestError(method, { code: CANCELED, message })
  }
  if (!isStateless) {
    // While the task needs input, `tasks/result` waits, and the requests of the server come meanwhile.
    const isNear = status === 'completed' || status === 'failed' || status === 'input_required'
    if (!isNear) return undefined
    const last = await send('tasks/result', { taskId }, leftMs)
    const value = usable(method, last.result)
    return value === last.result ? last : writtenResult(value)
  }
  if (status === 'failed') throw new RefusedRequestError(method, readError(error).error)
  if (status !== 'completed') return undefined
  const value = usable(method, result)
  if (value !== result) return writtenResult(value)
  return { text: writtenResult(exactResult(answer).result).text, result: value }
}

function usable(method: string, result: unknown): JsonObject {
  const { value, problem } = normalizeResult(method, isObject(result) ? result : {})
  if (isObject(result) && problem === undefined) return value
  throw new AppError('INVALID_ANSWER', `The task for ${method} ended without a usable result.`)
}

/** The requests of a task that were not answered yet; each key names one request only. */
function unanswered({ inputRequests }: JsonObject, answered: Set<string>): JsonObject {
  const all = Object.entries(isObject(inputRequests) ? inputRequests : {})
  const fresh = all.filter(([key]) => !answered.has(key))
  for (const [key] of fresh) answered.add(key)
  return Object.fromEntries(fresh)
}
