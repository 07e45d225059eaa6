import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'

import { INVALID_PARAMS, METHOD_NOT_FOUND } from '@modelcontextprotocol/client'
import * as z from 'zod'

import { AppError } from '../../../../src-shared/domain/app-error'
import { isObject } from '../json/is-object'
import type { JsonObject } from '../json/json-rpc'
import type { ResultText } from '../json/result-text'
import type { IncomingRequest, Peer } from '../peer/peer'
import type { Progress } from '../peer/pending-requests'
import type { RequestLimits } from '../peer/request-deadline'
import {
  cancelledFailure,
  isGivenUp,
  overdueFailure,
  RefusedRequestError,
  ResponseError,
} from '../peer/request-failure'
import type { CallAsker } from './elicitation'
import { followTask, taskOf } from './follow-task'
import { type OpenCall, OpenCalls } from './open-calls'
import type { Answering, RequestContext, ServerRequests } from './server-requests'

const ELICIT = 'elicitation/create'
const MAX_ROUNDS = 10
const MAX_INPUTS = 20
/** The wait before a request is sent again for which nothing was requested, in ms. */
const PACE_MS = 250
/** MCP 2025-11-25, URL elicitation required. */
const PAGES_NEEDED = -32_042
const MAX_PAGES = 5

const InputRequest = z.object({
  method: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
})
const Pages = z.object({
  elicitations: z.array(z.record(z.string(), z.unknown())).min(1).max(MAX_PAGES),
})

type CallRequest = RequestLimits & {
  readonly method: string
  readonly params: JsonObject
  readonly signal: AbortSignal | undefined
  readonly asker: CallAsker | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

type PagesNeeded = { readonly pages: readonly JsonObject[]; readonly refusal: unknown }

/** Sends one round of a request, or a request about the task that the server makes of it. */
type SendRound = (
  method: string,
  params: JsonObject,
  limits: RequestLimits,
  call: OpenCall,
) => Promise<ResultText>

/**
 * What a server requests over one session: by requests of its own with sessions, by results that want more in the
 * stateless protocol. Without `ServerRequests` all of them are rejected.
 */
export class SessionRequests implements Disposable {
  readonly #over = new AbortController()
  readonly #listening: Disposable | undefined
  readonly #calls = new OpenCalls()
  #open = 0

  constructor(
    private readonly peer: Pick<Peer, 'isStateless' | 'notify'>,
    private readonly server:
      | Pick<ServerRequests, 'read' | 'openPage' | 'onDidChangeRoots'>
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
   * Sends a request, and again each time that its server wants more first: answers, which go with the next round alone
   * (MCP 2026-07-28, multi round-trip requests), or pages that are opened, once. The rounds share its limits; the time
   * between them does not count. Rejects with REQUEST_REFUSED where the server does not get what it wants.
   */
  async send(request: CallRequest, sendRound: SendRound): Promise<ResultText> {
    const call = this.#calls.begin(request.asker)
    let isAnswered = true
    try {
      return await this.#sendRounds(request, sendRound, call)
    } catch (error) {
      isAnswered = !isGivenUp(error)
      throw error
    } finally {
      this.#calls.end(call, isAnswered)
    }
  }

  [Symbol.dispose](): void {
    this.#over.abort()
    this.#listening?.[Symbol.dispose]()
  }

  /** Answers a request of a server with sessions; a stateless server sends none. */
  async answer({ method, params, signal }: IncomingRequest): Promise<JsonObject> {
    if (this.peer.isStateless) throw new ResponseError(METHOD_NOT_FOUND, 'Method not found')
    const answering = this.#read(method, params)
    if (method !== ELICIT) return answering({ asker: undefined, signal })
    // A call whose answer came with it is over by then.
    await nextTurn()
    const { meant } = this.#calls
    using _pausing = this.#calls.pause()
    return await this.#whileOpen(() =>
      answering({ asker: meant?.asker, signal: this.#until(signal, meant?.over) }),
    )
  }

  async #sendRounds(
    request: CallRequest,
    sendRound: SendRound,
    call: OpenCall,
  ): Promise<ResultText> {
    const { method, maxTotalMs, signal } = request
    let { params } = request
    let usedMs = 0
    let hasOpened = false
    for (let round = 1; ; round += 1) {
      const left = maxTotalMs - usedMs
      const limits = { timeoutMs: Math.min(request.timeoutMs, left), maxTotalMs: left }
      const from = performance.now()
      const sent: Promise<ResultText | PagesNeeded> = sendRound(method, params, limits, call)
      const answer = await sent.catch(pagesNeeded)
      const { isStateless } = this.peer
      const task = 'pages' in answer ? undefined : taskOf(answer.result, isStateless)
      if (!('pages' in answer) && !task && answer.result.resultType !== 'input_required')
        return answer
      usedMs += performance.now() - from
      const failure = lastFailure(request, round, usedMs)
      const context = (name?: string): RequestContext => {
        return { asker: request.asker, signal: this.#until(call.over, signal), name }
      }
      if (task)
        return followTask(task, {
          ...{ method, isStateless, signal, onProgress: request.onProgress },
          maxTotalMs: maxTotalMs - usedMs,
          send: (about, next, leftMs) =>
            sendRound(about, next, { timeoutMs: request.timeoutMs, maxTotalMs: leftMs }, call),
          inputsFor: (inputRequests) => this.#inputsFor(method, { inputRequests }, context),
        })
      if ('pages' in answer) {
        const mayOpen: boolean = !hasOpened && !failure
        hasOpened = mayOpen && (await this.#openPages(answer.pages, context))
        if (!hasOpened) throw answer.refusal
      } else {
        if (failure) throw failure
        params = { ...request.params, ...(await this.#inputsFor(method, answer.result, context)) }
      }
      if (signal?.aborted) throw cancelledFailure(method)
    }
  }

  /** The answers to what a result wants. All of it is read before anybody is elicited: one rejection makes the rest useless. */
  async #inputsFor(
    method: string,
    { inputRequests, requestState }: JsonObject,
    context: (name: string) => RequestContext,
  ): Promise<JsonObject> {
    const entries = Object.entries(isObject(inputRequests) ? inputRequests : {})
    const answers = await this.#whileOpen(async () => {
      const answerings = entries.map(([key, entry]) => [key, this.#readInput(entry)] as const)
      if (entries.length > MAX_INPUTS)
        throw new ResponseError(INVALID_PARAMS, `${entries.length} requests at a time`)
      if (entries.length === 0) await delay(PACE_MS)
      const all = answerings.map(
        async ([key, answer]) => [key, await answer(context(key))] as const,
      )
      return Promise.all(all)
    }).catch((error: unknown) => {
      throw error instanceof ResponseError ? unansweredError(method, error.message) : error
    })
    return {
      ...(answers.length > 0 && { inputResponses: Object.fromEntries(answers) }),
      ...(requestState !== undefined && { requestState }),
    }
  }

  async #openPages(pages: readonly JsonObject[], context: () => RequestContext): Promise<boolean> {
    const server = this.server
    if (!server) return false
    const openPage = (page: JsonObject): Promise<boolean> =>
      server.openPage(page, context()).catch((error: unknown) => {
        if (error instanceof ResponseError) return false
        throw error
      })
    const opened = await this.#whileOpen(() => Promise.all(pages.map(openPage)))
    return opened.every((isOpened) => isOpened)
  }

  #readInput(entry: unknown): Answering {
    const { data } = InputRequest.safeParse(entry)
    if (!data) throw new ResponseError(INVALID_PARAMS, 'This is not a valid request.')
    return this.#read(data.method, data.params)
  }

  #read(method: string, params: JsonObject | undefined): Answering {
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

  #until(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
    return AbortSignal.any([this.#over.signal, ...signals.filter((one) => one !== undefined)])
  }
}

/** Why no other round follows this one; undefined where one may. */
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

/** The pages that a rejection names, which the user has to open first; throws any other. */
function pagesNeeded(refusal: unknown): PagesNeeded {
  const refused = refusal instanceof RefusedRequestError ? refusal.refusal : undefined
  const { data } = Pages.safeParse(refused?.code === PAGES_NEEDED ? refused.data : undefined)
  if (!data) throw refusal
  return { pages: data.elicitations, refusal }
}

/** Ends a call whose server does not get what it wants: the stateless protocol has no other way to report that. */
function unansweredError(method: string, why: string): AppError {
  return new AppError(
    'REQUEST_REFUSED',
    `To answer ${method}, the server needs something Patchbay can’t provide. ${why}`,
    { hint: 'The call was not completed. Ask the server’s authors for another way.' },
  )
}
