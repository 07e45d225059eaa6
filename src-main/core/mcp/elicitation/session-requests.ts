import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'

import { INVALID_PARAMS, METHOD_NOT_FOUND } from '@modelcontextprotocol/client'
import * as z from 'zod'

import { AppError } from '../../../../src-shared/domain/app-error'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { exactResult, type ResultText, writtenResult } from '../json/result-text'
import { normalizeParams, normalizeResult } from '../json/schemas'
import { readError } from '../peer/answer'
import type { Peer } from '../peer/peer'
import type { IncomingRequest } from '../peer/peer-options'
import type { Progress, RequestLimits } from '../peer/pending-requests'
import {
  cancelledFailure,
  isGivenUp,
  overdueFailure,
  RejectedRequestError,
  ResponseError,
} from '../peer/request-failure'
import { type OpenCall, OpenCalls, type RequestOrigin } from './elicitation'
import type { RequestContext, RequestHandler, ServerRequests } from './server-requests'

const ELICIT = 'elicitation/create'
const MAX_ROUNDS = 10
const MAX_INPUTS = 20
/** Delay before a request is sent again without any input, in ms. */
const PACE_MS = 250
/** MCP 2025-11-25, URL elicitation required. */
const PAGES_NEEDED = -32_042
const MAX_PAGES = 5
/** Time in which a call is retried after its agent opened the pages, and the interval, in ms: a server need not report completion. */
const PAGES_MS = 25_000
const PAGES_PACE_MS = 3_000
/** Bounds and default of a task's polling interval, in ms. */
const MIN_POLL_MS = 100
const MAX_POLL_MS = 60_000
const DEFAULT_POLL_MS = 1_000
const CANCELED = -32_000

const InputRequest = z.object({
  method: z.string(),
  params: z.unknown().optional(),
})
const Pages = z.object({
  elicitations: z.array(z.record(z.string(), z.unknown())).min(1).max(MAX_PAGES),
})

type CallRequest = RequestLimits & {
  readonly method: string
  readonly params: JsonObject
  readonly signal?: AbortSignal | undefined
  readonly requestOrigin?: RequestOrigin | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Returns the headers of a round, or of a request about its task. */
  readonly headersOf?: (method: string, params: JsonObject) => Record<string, string> | undefined
}

type Call = { readonly request: CallRequest; readonly open: OpenCall }

type PagesNeeded = { readonly pages: readonly JsonObject[]; readonly refusal: unknown }

/** Requests of a server over one session: separate requests, or results that ask for input in the stateless protocol. */
export class SessionRequests implements Disposable {
  readonly #abortController = new AbortController()
  readonly #listening: Disposable | undefined
  readonly #calls = new OpenCalls()
  #open = 0

  constructor(
    private readonly peer: Pick<Peer, 'isStateless' | 'notify' | 'request'>,
    private readonly server:
      | Pick<ServerRequests, 'read' | 'openPage' | 'handPages' | 'untilPages' | 'onDidChangeRoots'>
      | undefined,
  ) {
    // The stateless protocol has no such message: a server requests its roots whenever it needs them.
    this.#listening = server?.onDidChangeRoots(() => {
      if (!peer.isStateless) void peer.notify('notifications/roots/list_changed')
    })
  }

  get open(): number {
    return this.#open
  }

  /**
   * Sends a request, and repeats it each time its server asks for input first (MCP 2026-07-28, multi round-trip requests). The rounds share
   * its time limits; the time between them doesn't count.
   */
  async send(request: CallRequest): Promise<ResultText> {
    const open = this.#calls.start(request.requestOrigin)
    let isAnswered = true
    try {
      return await this.#sendRounds({ request, open })
    } catch (error) {
      isAnswered = !isGivenUp(error)
      throw error
    } finally {
      this.#calls.end(open, isAnswered)
    }
  }

  [Symbol.dispose](): void {
    this.#abortController.abort()
    this.#listening?.[Symbol.dispose]()
  }

  /** Answers a request of a server with sessions; a stateless server sends none. */
  async answer({ method, params, signal }: IncomingRequest): Promise<JsonObject> {
    if (this.peer.isStateless) throw new ResponseError(METHOD_NOT_FOUND, 'Method not found')
    const handle = this.#read(method, params)
    if (method !== ELICIT) return handle({ requestOrigin: undefined, signal })
    // A call whose response came together with the request has ended by then.
    await nextTurn()
    const { target } = this.#calls
    using _pausing = this.#calls.pause()
    return await this.#whileOpen(() =>
      handle({ requestOrigin: target?.requestOrigin, signal: this.#until(signal, target?.over) }),
    )
  }

  async #sendRounds(call: Call): Promise<ResultText> {
    const { method, maxTotalMs, signal } = call.request
    let { params } = call.request
    let usedMs = 0
    let opened: { readonly at: number; readonly isDone: boolean } | undefined
    for (let round = 1; ; round += 1) {
      const from = performance.now()
      const sent = this.#request(call, method, params, maxTotalMs - usedMs)
      const answer: ResultText | PagesNeeded = await sent.catch(pagesNeeded)
      usedMs += performance.now() - from
      const failure = lastFailure(call.request, round, usedMs)
      if ('pages' in answer) {
        if (failure) throw answer.refusal
        opened = await this.#openPages(answer, call, opened)
      } else {
        const task = taskOf(answer.result, this.peer.isStateless)
        if (task) return this.#followTask(task, call, maxTotalMs - usedMs)
        if (answer.result.resultType !== 'input_required') return answer
        if (failure) throw failure
        params = { ...call.request.params, ...(await this.#inputsFor(answer.result, call)) }
      }
      if (signal?.aborted) throw cancelledFailure(method, signal.reason)
    }
  }

  #request(
    { request, open }: Call,
    method: string,
    params: JsonObject,
    maxTotalMs: number,
  ): Promise<ResultText> {
    const { timeoutMs, signal, onProgress, headersOf } = request
    return this.peer.request(method, params, {
      timeoutMs: Math.min(timeoutMs, maxTotalMs),
      maxTotalMs,
      // A task is canceled for a caller that has already given up.
      signal: method === 'tasks/cancel' ? undefined : signal,
      onProgress,
      headers: headersOf?.(method, params),
      onDeadline: (deadline) => (open.deadline = deadline),
    })
  }

  /** Polls a task until it ends, and resolves to its call's result; cancels the task if the call is canceled. */
  async #followTask(seed: JsonObject, call: Call, maxTotalMs: number): Promise<ResultText> {
    const { taskId } = seed
    const { method, onProgress } = call.request
    const answered = new Set<string>()
    let leftMs = maxTotalMs
    try {
      let task = seed
      for (let polls = 1; ; polls += 1) {
        const from = performance.now()
        if (task.status === 'working') await pollInterval(task, call.request)
        if (leftMs <= performance.now() - from) throw overdueFailure(method, maxTotalMs)
        const answer = await this.#request(call, 'tasks/get', { taskId }, leftMs)
        leftMs -= performance.now() - from
        task = answer.result
        const end = await this.#endOfTask(answer, call, leftMs)
        if (end) return end
        const { statusMessage: message } = task
        onProgress?.({ progress: polls, ...(typeof message === 'string' && { message }) })
        const all = Object.entries(isJsonObject(task.inputRequests) ? task.inputRequests : {})
        const unanswered = all.filter(([key]) => !answered.has(key))
        for (const [key] of unanswered) answered.add(key)
        if (unanswered.length === 0) task = { ...task, status: 'working' }
        else {
          const inputs = await this.#inputsFor(
            { inputRequests: Object.fromEntries(unanswered) },
            call,
          )
          await this.#request(call, 'tasks/update', { taskId, ...inputs }, leftMs)
        }
      }
    } catch (error) {
      if (isGivenUp(error))
        this.#request(call, 'tasks/cancel', { taskId }, DEFAULT_POLL_MS).catch(() => undefined) // The call has ended.
      throw error
    }
  }

  /** Resolves to the result of an ended task; undefined while it runs. Throws if it failed. */
  async #endOfTask(
    answer: ResultText,
    call: Call,
    leftMs: number,
  ): Promise<ResultText | undefined> {
    const { taskId, status, statusMessage, error, result } = answer.result
    const { method } = call.request
    if (status === 'cancelled') {
      const message = typeof statusMessage === 'string' ? statusMessage : 'The task was canceled'
      throw new RejectedRequestError(method, { code: CANCELED, message })
    }
    // Without sessions the state of an ended task contains its result (2026-07-28); otherwise `tasks/result` returns it (2025-11-25).
    if (!this.peer.isStateless) {
      // While the task needs input, `tasks/result` waits, and the server's requests come meanwhile.
      const isNear = status === 'completed' || status === 'failed' || status === 'input_required'
      if (!isNear) return undefined
      const last = await this.#request(call, 'tasks/result', { taskId }, leftMs)
      const value = usableResult(method, last.result)
      return value === last.result ? last : writtenResult(value)
    }
    if (status === 'failed') throw new RejectedRequestError(method, readError(error).error)
    if (status !== 'completed') return undefined
    const value = usableResult(method, result)
    if (value !== result) return writtenResult(value)
    return { text: writtenResult(exactResult(answer).result).text, result: value }
  }

  /**
   * Resolves to the responses that a result asks for. All requests are validated before any elicitation, because one invalid request makes
   * the rest useless.
   */
  async #inputsFor({ inputRequests, requestState }: JsonObject, call: Call): Promise<JsonObject> {
    const entries = Object.entries(isJsonObject(inputRequests) ? inputRequests : {})
    const answers = await this.#whileOpen(async () => {
      const answerings = entries.map(([key, entry]) => [key, this.#readInput(entry)] as const)
      if (entries.length > MAX_INPUTS)
        throw new ResponseError(INVALID_PARAMS, `${entries.length} requests at a time`)
      if (entries.length === 0) await delay(PACE_MS)
      const all = answerings.map(
        async ([key, answer]) => [key, await answer(this.#contextOf(call, key))] as const,
      )
      return Promise.all(all)
    }).catch((error: unknown) => {
      const { method } = call.request
      // Ends a call whose server doesn't get its input: the stateless protocol has no other way to report that.
      throw error instanceof ResponseError
        ? new AppError(
            'REQUEST_REFUSED',
            `To answer ${method}, the server needs something Patchbay can’t provide. ${error.message}`,
            { hint: 'The call was not completed. Ask the server’s authors for another way.' },
          )
        : error
    })
    return {
      ...(answers.length > 0 && { inputResponses: Object.fromEntries(answers) }),
      ...(requestState !== undefined && { requestState }),
    }
  }

  /**
   * Opens the pages that a request needs; if the agent already opened them, waits a moment for the user. Throws the rejection if that can't
   * help.
   */
  async #openPages(
    { pages, refusal }: PagesNeeded,
    call: Call,
    before: { readonly at: number; readonly isDone: boolean } | undefined,
  ): Promise<{ readonly at: number; readonly isDone: boolean }> {
    const { server } = this
    const { requestOrigin } = call.request
    const context = this.#contextOf(call)
    if (!server || before?.isDone) throw refusal
    if (requestOrigin?.opensPages) {
      server.handPages(pages, context)
      throw refusal
    }
    if (before) {
      if (performance.now() - before.at > PAGES_MS) throw refusal
      await this.#whileOpen(() => server.untilPages(pages, PAGES_PACE_MS, context.signal))
      return before
    }
    const openPage = (page: JsonObject): ReturnType<ServerRequests['openPage']> =>
      server.openPage(page, context).catch((error: unknown) => {
        if (error instanceof ResponseError) return 'no' as const
        throw error
      })
    const opened = await this.#whileOpen(() => Promise.all(pages.map(openPage)))
    if (opened.includes('no')) throw refusal
    return { at: performance.now(), isDone: !opened.includes('opened') }
  }

  #readInput(entry: unknown): RequestHandler {
    const { data } = InputRequest.safeParse(entry)
    if (!data) throw new ResponseError(INVALID_PARAMS, 'This is not a valid request.')
    return this.#read(data.method, normalizeParams(data.method, data.params).params)
  }

  #read(method: string, params: JsonObject | undefined): RequestHandler {
    if (this.server) return this.server.read(method, params)
    throw new ResponseError(METHOD_NOT_FOUND, 'Method not found')
  }

  async #whileOpen<T>(work: () => Promise<T>): Promise<T> {
    this.#open += 1
    try {
      return await work()
    } finally {
      this.#open -= 1
    }
  }

  #contextOf({ request: { requestOrigin, signal }, open }: Call, name?: string): RequestContext {
    return { requestOrigin, signal: this.#until(open.over, signal), name }
  }

  #until(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
    return AbortSignal.any([
      this.#abortController.signal,
      ...signals.filter((one) => one !== undefined),
    ])
  }
}

function lastFailure(
  { method, maxTotalMs }: CallRequest,
  round: number,
  usedMs: number,
): AppError | undefined {
  if (usedMs >= maxTotalMs) return overdueFailure(method, maxTotalMs)
  if (round < MAX_ROUNDS) return undefined
  const message = `The server keeps asking for more input to answer ${method}.`
  return new AppError('INVALID_ANSWER', message, {
    hint: `Patchbay stopped after ${MAX_ROUNDS} requests. Report the fault to the server’s authors.`,
  })
}

/** Returns the pages of a rejection that the user has to open first; throws any other error. */
function pagesNeeded(refusal: unknown): PagesNeeded {
  const rejected = refusal instanceof RejectedRequestError ? refusal.refusal : undefined
  const { data } = Pages.safeParse(rejected?.code === PAGES_NEEDED ? rejected.data : undefined)
  if (!data) throw refusal
  return { pages: data.elicitations, refusal }
}

/** Returns the task of a result: the result itself (tasks extension of MCP 2026-07-28), or its member `task` (2025-11-25). */
function taskOf(result: JsonObject, isStateless: boolean): JsonObject | undefined {
  const task = isStateless ? result : result.task
  if (!isJsonObject(task) || typeof task.taskId !== 'string') return undefined
  return isStateless && task.resultType !== 'task' ? undefined : task
}

async function pollInterval(
  task: JsonObject,
  { method, maxTotalMs, signal }: CallRequest,
): Promise<void> {
  const intervals = [task.pollIntervalMs, task.pollInterval]
  const wantedMs = intervals.find((ms) => typeof ms === 'number') ?? DEFAULT_POLL_MS
  const waitMs = Math.min(Math.max(wantedMs, MIN_POLL_MS), MAX_POLL_MS, maxTotalMs)
  await delay(waitMs, undefined, { signal }).catch(() => {
    throw cancelledFailure(method, signal?.reason)
  })
}

function usableResult(method: string, result: unknown): JsonObject {
  const { value, problem } = normalizeResult(method, isJsonObject(result) ? result : {})
  if (isJsonObject(result) && problem === undefined) return value
  throw new AppError('INVALID_ANSWER', `The task for ${method} ended without a usable result.`)
}
