import { INVALID_PARAMS, METHOD_NOT_FOUND } from '@modelcontextprotocol/client'

import { messageOf } from '../../failure/describe-failure'
import { toDisposable } from '../../lifecycle/disposables'
import { Emitter } from '../../lifecycle/emitter'
import { keepNewest } from '../../lifecycle/keep-newest'
import { untilAborted } from '../../lifecycle/time-limit'
import type { LogBuffer } from '../../log/log-buffer'
import type { UserRequests } from '../../user-requests/user-requests'
import { ResponseError } from '../peer/request-failure'
import {
  type Elicitation,
  type ElicitResult,
  readElicitation,
  type RequestOrigin,
} from './elicitation'
import { type Root, rootsOf } from './roots'

const USER_LIMITS = { open: 5, perMinute: 30 } as const
/** Limits for an agent, which has many concurrent calls and may never answer some of them. */
const AGENT_LIMITS = { open: 50, perMinute: 300 } as const
const MINUTE_MS = 60_000

/** The call that a server's request is about, if known, and until when a response is useful. */
export type RequestContext = {
  readonly requestOrigin: RequestOrigin | undefined
  readonly signal: AbortSignal
  readonly name?: string | undefined
}

export type RequestHandler = (context: RequestContext) => Promise<Record<string, unknown>>

/** The source of a server's roots, read each time. */
type RootsSource = {
  /** Absolute paths of the folders that the user selected. */
  readonly chosen: () => readonly string[]
  /** The folders that the server's only app has open; if it reports none, the selected ones are used. */
  readonly ofApp?: (() => Promise<readonly Root[] | undefined>) | undefined
}

export type ServerRequestsOptions = {
  readonly installationId: string
  readonly userRequests: Pick<UserRequests, 'request'>
  /** Time limit of an elicitation, in ms; read for each. */
  readonly waitMs: () => number
  readonly roots: RootsSource
  readonly log: Pick<LogBuffer, 'append'>
  readonly onDidChange: () => void
}

export type RequestCounts = { readonly roots: boolean; readonly sampling: number }

export const NO_REQUESTS: RequestCounts = { roots: false, sampling: 0 }

type Params = Readonly<Record<string, unknown>>
type Answer = { readonly result: ElicitResult; readonly isByAgent: boolean }

/** A page that the user may not have completed. */
type OpenPage = {
  readonly url: string
  readonly completion: PromiseWithResolvers<undefined>
  users: number
  /** The elicitation shown for the page, unless it was canceled. */
  answer?: Promise<Answer> | undefined
}

const MAX_PAGE_LISTENERS = 100
const NEVER = new Promise<never>(() => undefined)
const NOBODY: Answer = { result: { action: 'cancel' }, isByAgent: false }

/** Handles the requests of one server over all its sessions: its user, its agents or Patchbay answers them, or they are rejected. */
export class ServerRequests {
  /** By the agent whose user answers; undefined for Patchbay's own user. */
  readonly #limits = new Map<string | undefined, ElicitationLimits>()
  readonly #pages = new Map<string, OpenPage>()
  /** Callbacks that notify an agent of a page's completion, by the id of the page that it was asked to open. */
  readonly #pageListeners = new Map<string, (elicitationId: string) => void>()
  readonly #rootsChanged = new Emitter<undefined>()
  #counts = NO_REQUESTS
  #isFloodLogged = false

  readonly onDidChangeRoots = this.#rootsChanged.event

  constructor(private readonly options: ServerRequestsOptions) {}

  get counts(): RequestCounts {
    return this.#counts
  }

  rootsChanged(): void {
    this.#rootsChanged.emit(undefined)
  }

  /** Reads a request of the server. Throws a `ResponseError` for an unsupported one. */
  read(method: string, params: Params = {}): RequestHandler {
    switch (method) {
      case 'elicitation/create': {
        const elicitation = readElicitation(params)
        return (context) =>
          this.#whileOpen(elicitation, async (page) => {
            return (await this.#elicitOnce(page, elicitation, context)).result
          })
      }
      case 'roots/list':
        return () => this.#listRoots()
      case 'sampling/createMessage':
        throw this.#samplingError()
      default:
        throw new ResponseError(METHOD_NOT_FOUND, 'Method not found')
    }
  }

  /**
   * Resolves to whether the user completed a page (MCP 2025-11-25, URL elicitation required), or an agent only opened it. Rejects as `read`
   * throws.
   */
  async openPage(params: Params, context: RequestContext): Promise<'done' | 'opened' | 'no'> {
    const elicitation = readElicitation({ ...params, mode: 'url' })
    return this.#whileOpen(elicitation, async (page) => {
      const { result, isByAgent } = await this.#elicitOnce(page, elicitation, context)
      if (result.action !== 'accept') return 'no'
      // An agent reports that the page is open, but never its completion.
      return isByAgent ? 'opened' : 'done'
    })
  }

  /** Registers pages of an error that the agent opens itself; it is notified of their completion. */
  handPages(pages: readonly Params[], { requestOrigin }: RequestContext): void {
    for (const { elicitationId } of pages) this.#addPageListener(elicitationId, requestOrigin)
  }

  /** Settles once the user completed the pages that an agent opened, or after `ms`; never rejects. */
  async untilPages(pages: readonly Params[], ms: number, signal: AbortSignal): Promise<void> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ms)])
    const until = async (params: Params): Promise<void> =>
      this.#whileOpen(readElicitation({ ...params, mode: 'url' }), async (page) => {
        await untilAborted(limit, page?.completion.promise ?? NEVER)
      })
    // Rejected ones weren't completed in time.
    await Promise.allSettled(pages.map(until))
  }

  completed(elicitationId: string): void {
    this.#pages.get(elicitationId)?.completion.resolve(undefined)
    this.#pageListeners.get(elicitationId)?.(elicitationId)
    this.#pageListeners.delete(elicitationId)
  }

  #addPageListener(elicitationId: unknown, requestOrigin: RequestOrigin | undefined): void {
    if (typeof elicitationId !== 'string' || !requestOrigin?.completed) return
    keepNewest(this.#pageListeners, elicitationId, requestOrigin.completed, MAX_PAGE_LISTENERS)
  }

  /** Runs work on a page while the server may report its completion. Its id has to be unique (MCP 2025-11-25, URL mode elicitation). */
  async #whileOpen<T>(
    { elicitationId: id, body }: Elicitation,
    operation: (page: OpenPage | undefined) => Promise<T>,
  ): Promise<T> {
    if (id === undefined || body.kind !== 'page') return operation(undefined)
    const { url } = body
    const page = this.#pages.get(id) ?? { url, completion: Promise.withResolvers(), users: 0 }
    if (page.url !== url)
      throw new ResponseError(INVALID_PARAMS, 'Another request with this elicitationId is open.')
    this.#pages.set(id, page)
    page.users += 1
    try {
      return await operation(page)
    } finally {
      page.users -= 1
      if (page.users === 0) this.#pages.delete(id)
    }
  }

  /** Shows a page once, however often its server requests it meanwhile: all requests share the answer. */
  async #elicitOnce(
    page: OpenPage | undefined,
    elicitation: Elicitation,
    context: RequestContext,
  ): Promise<Answer> {
    const { signal } = context
    for (let shared = page?.answer; shared; shared = page?.answer) {
      const answer = await untilAborted(signal, shared).catch(() => NOBODY)
      // A canceled elicitation is closed and doesn't answer this request.
      if (signal.aborted || page?.answer === shared) return answer
    }
    const answer = this.#elicit(elicitation, context, page?.completion.promise)
    if (page) page.answer = answer
    try {
      return await answer
    } finally {
      if (page && signal.aborted) page.answer = undefined
    }
  }

  async #elicit(
    elicitation: Elicitation,
    context: RequestContext,
    done: Promise<undefined> | undefined,
  ): Promise<Answer> {
    const { requestOrigin } = context
    // An agent that asks its own user takes no slot of Patchbay's user.
    const agent = requestOrigin?.elicit && requestOrigin.agent
    const limits =
      this.#limits.get(agent) ??
      new ElicitationLimits(agent === undefined ? USER_LIMITS : AGENT_LIMITS)
    this.#limits.set(agent, limits)
    using slot = limits.acquire()
    if (!slot && !this.#isFloodLogged)
      this.#log('warn', 'Too many open requests from the server. Further requests are canceled')
    this.#isFloodLogged = !slot
    if (!slot) return NOBODY
    const byAgent = await this.#elicitFromAgent(elicitation, context)
    const result = byAgent ?? (await this.#elicitFromUser(elicitation, context, done))
    this.#log('info', `Answer to the server’s request: ${result.action}`)
    return { result, isByAgent: byAgent !== undefined }
  }

  async #elicitFromAgent(
    { body, params, resultOf }: Elicitation,
    { requestOrigin, signal, name }: RequestContext,
  ): Promise<ElicitResult | undefined> {
    if (!requestOrigin?.elicit || !params) return undefined
    this.#log('info', `Request sent to ${requestOrigin.agent} ${purposeOf(body)}`)
    const limit = AbortSignal.any([signal, AbortSignal.timeout(this.options.waitMs())])
    if (body.kind === 'page') this.#addPageListener(params.elicitationId, requestOrigin)
    try {
      const response = requestOrigin.elicit(params, limit, name)
      const { action, content } = await untilAborted(limit, response)
      return action === 'accept' ? resultOf({ kind: 'accept', content }) : { action }
    } catch (error) {
      if (limit.aborted) return { action: 'cancel' }
      const reason = `${requestOrigin.agent} did not answer, so Patchbay shows the request`
      this.#log('warn', `${reason}: ${messageOf(error)}`)
      return undefined
    }
  }

  async #elicitFromUser(
    { body, resultOf }: Elicitation,
    { requestOrigin, signal }: RequestContext,
    done: Promise<undefined> | undefined,
  ): Promise<ElicitResult> {
    const { installationId, userRequests, waitMs } = this.options
    this.#log('info', `Request shown in Patchbay ${purposeOf(body)}`)
    const { agent, toolRunId } = requestOrigin ?? {}
    const outcome = await userRequests.request({
      ...{ installationId, agent, toolRunId, body, waitMs: waitMs(), signal },
      check: (answer) => void resultOf(answer),
      elsewhere: done?.then(() => ({ kind: 'accept' })),
    })
    return resultOf(outcome)
  }

  async #listRoots(): Promise<Record<string, unknown>> {
    const { onDidChange, roots } = this.options
    const ofApp = await roots.ofApp?.().catch((error: unknown) => {
      this.#log('warn', `The app’s folders are not known: ${messageOf(error)}`)
      return undefined
    })
    const list = ofApp ?? rootsOf(roots.chosen(), process.platform === 'win32')
    this.#log('info', `Folders requested, returned: ${list.length === 0 ? 'none' : list.length}`)
    if (!this.#counts.roots) {
      this.#counts = { ...this.#counts, roots: true }
      onDidChange()
    }
    return { roots: list }
  }

  #samplingError(): ResponseError {
    const sampling = this.#counts.sampling + 1
    this.#counts = { ...this.#counts, sampling }
    this.options.onDidChange()
    const why = 'Patchbay does not offer sampling, as its capabilities state'
    if (sampling === 1) this.#log('warn', `Sampling request rejected: ${why}`)
    return new ResponseError(METHOD_NOT_FOUND, `sampling/createMessage is not supported: ${why}.`)
  }

  #log(level: 'info' | 'warn', text: string): void {
    this.options.log.append('patchbay', level, text)
  }
}

/** Keeps a server from flooding its user or an agent: limits open elicitations, and elicitations per minute. */
export class ElicitationLimits {
  #open = 0
  readonly #times: number[] = []

  constructor(
    private readonly max: Readonly<Record<'open' | 'perMinute', number>> = USER_LIMITS,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Takes a slot, to be disposed at the end; undefined if none is free. */
  acquire(): Disposable | undefined {
    const now = this.now()
    while (this.#times[0] !== undefined && this.#times[0] <= now - MINUTE_MS) this.#times.shift()
    const { open, perMinute } = this.max
    if (this.#open >= open || this.#times.length >= perMinute) return undefined
    this.#times.push(now)
    this.#open += 1
    return toDisposable(() => (this.#open -= 1))
  }
}

function purposeOf(body: Elicitation['body']): string {
  if (body.kind === 'page') return `to open a page on ${body.host}`
  const { length } = body.fields
  return length === 1 ? 'for 1 value' : `for ${length} values`
}
