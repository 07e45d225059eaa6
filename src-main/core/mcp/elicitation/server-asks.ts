import { messageOf } from '../../failure/describe-failure'
import { Emitter } from '../../lifecycle/emitter'
import type { LogBuffer } from '../../log/log-buffer'
import type { Questions } from '../../questions/questions'
import { INVALID_PARAMS, METHOD_NOT_FOUND, ResponseError } from '../peer/incoming-requests'
import { AGENT, AskLimits } from './ask-limits'
import type { CallAsker } from './call-asker'
import { type Elicitation, ElicitResult, readElicitation } from './elicitation'
import { rootList } from './root-list'

/** Whose request it is about, where that is known, and until when an answer is of use. */
export type AskedFor = {
  readonly asker: CallAsker | undefined
  readonly signal: AbortSignal
  /** What the server calls its question, in the newer era. */
  readonly name?: string
}

/** Answers a request that was read and can be answered. */
export type Answering = (asked: AskedFor) => Promise<Record<string, unknown>>

export type ServerAsksParts = {
  readonly installationId: string
  readonly questions: Pick<Questions, 'ask'>
  /** How long a question waits, in ms; read anew for each. */
  readonly waitMs: () => number
  /** The folders that it is told, absolute paths; read anew each time. */
  readonly roots: () => readonly string[]
  readonly log: Pick<LogBuffer, 'append'>
  /** `counts` have changed. */
  readonly onDidChange: () => void
  /** How paths are written here. */
  readonly windows?: boolean
}

/** What one server asked of Patchbay since the app runs. */
export type AskedCounts = { readonly roots: boolean; readonly sampling: number }

export const NOTHING_ASKED: AskedCounts = { roots: false, sampling: 0 }

type Told = { readonly result: ElicitResult; readonly isByAgent: boolean }

/** A page that is not known to be done with. */
type OpenPage = {
  readonly url: string
  /** Settles when the server says that it is. */
  readonly done: PromiseWithResolvers<undefined>
  /** Requests that wait for it. */
  users: number
  /** The one question that is asked for it, unless it was given up. */
  asked?: Promise<Told> | undefined
}

const NOBODY: Told = { result: { action: 'cancel' }, isByAgent: false }

/** What one server asks back, over all its sessions: its person, its agents, or Patchbay answers, or it is refused. */
export class ServerAsks {
  readonly #limits = new AskLimits()
  /** By the names of agents. */
  readonly #agentLimits = new Map<string, AskLimits>()
  /** By the ids that the server gave them. */
  readonly #pages = new Map<string, OpenPage>()
  readonly #rootsChanged = new Emitter<undefined>()
  #counts = NOTHING_ASKED
  /** Whether it was said that too much is asked, since the last question that had a place. */
  #isFloodTold = false

  /** Fires when `roots` are others than before. */
  readonly onDidChangeRoots = this.#rootsChanged.event

  constructor(private readonly parts: ServerAsksParts) {}

  get counts(): AskedCounts {
    return this.#counts
  }

  rootsChanged(): void {
    this.#rootsChanged.emit(undefined)
  }

  /** Reads a request of the server. Throws a `ResponseError` for what is not answered. */
  read(method: string, params: Readonly<Record<string, unknown>> = {}): Answering {
    switch (method) {
      case 'elicitation/create': {
        const elicitation = readElicitation(params)
        return async (asked) =>
          this.#whileOpen(elicitation, async (page) => {
            const { result } = await this.#askOnce(page, elicitation, params, asked)
            return result
          })
      }
      case 'roots/list':
        return () => Promise.resolve(this.#tellRoots())
      case 'sampling/createMessage':
        throw this.#refuseSampling()
      default:
        throw new ResponseError(METHOD_NOT_FOUND, 'Method not found')
    }
  }

  /**
   * Whether a page was opened and what is to be done there is done, as far as one can know: its person says so, or the
   * server does (MCP 2025-11-25, URL elicitation required). Throws a `ResponseError` as `read` does.
   */
  async openPage(params: Readonly<Record<string, unknown>>, asked: AskedFor): Promise<boolean> {
    const elicitation = readElicitation({ ...params, mode: 'url' })
    return this.#whileOpen(elicitation, async (page) => {
      const { result, isByAgent } = await this.#askOnce(page, elicitation, params, asked)
      if (result.action !== 'accept' || !isByAgent) return result.action === 'accept'
      // An agent answers that the page is opened, and never what becomes of it.
      const limit = AbortSignal.any([asked.signal, AbortSignal.timeout(this.parts.waitMs())])
      const done = page?.done.promise ?? Promise.reject(new Error('It has no name'))
      return within(limit, done).then(
        () => true,
        () => false,
      )
    })
  }

  /** The server says that what was to be done on a page is done; ids that are not known are passed over. */
  completed(elicitationId: string): void {
    this.#pages.get(elicitationId)?.done.resolve(undefined)
  }

  /**
   * Does something with a page while the server may say that what is to be done there is done. Throws a `ResponseError` where
   * another page is open by the same id, which has to be unique (MCP 2025-11-25, URL mode elicitation).
   */
  async #whileOpen<T>(
    { elicitationId: id, body }: Elicitation,
    work: (page: OpenPage | undefined) => Promise<T>,
  ): Promise<T> {
    if (id === undefined || body.kind !== 'page') return work(undefined)
    const { url } = body
    const page = this.#pages.get(id) ?? { url, done: Promise.withResolvers(), users: 0 }
    if (page.url !== url)
      throw new ResponseError(INVALID_PARAMS, 'Another page is open by this elicitationId.')
    this.#pages.set(id, page)
    page.users += 1
    try {
      return await work(page)
    } finally {
      page.users -= 1
      if (page.users === 0) this.#pages.delete(id)
    }
  }

  /** One question for a page, however often its server asks for it meanwhile: each gets the one answer. */
  async #askOnce(
    page: OpenPage | undefined,
    elicitation: Elicitation,
    params: Readonly<Record<string, unknown>>,
    asked: AskedFor,
  ): Promise<Told> {
    for (let known = page?.asked; known; known = page?.asked) {
      const answer = await within(asked.signal, known).catch(() => NOBODY)
      // One that was given up is taken away, and is no answer to this one.
      if (asked.signal.aborted || page?.asked === known) return answer
    }
    const told = this.#ask(elicitation, params, asked, page?.done.promise)
    if (page) page.asked = told
    try {
      return await told
    } finally {
      if (page && asked.signal.aborted) page.asked = undefined
    }
  }

  async #ask(
    elicitation: Elicitation,
    params: Readonly<Record<string, unknown>>,
    asked: AskedFor,
    done: Promise<undefined> | undefined,
  ): Promise<Told> {
    const place = this.#limitsFor(asked.asker).take()
    if (!place) {
      this.#tellFlood()
      return NOBODY
    }
    this.#isFloodTold = false
    try {
      const byAgent = await this.#askAgent(elicitation, params, asked)
      const result = byAgent ?? (await this.#askPerson(elicitation, asked, done))
      this.#log('info', `The answer to its question: ${result.action}`)
      return { result, isByAgent: byAgent !== undefined }
    } finally {
      place[Symbol.dispose]()
    }
  }

  /** Who asks its own person takes no place of Patchbay's. */
  #limitsFor(asker: CallAsker | undefined): AskLimits {
    if (!asker?.elicit) return this.#limits
    const limits = this.#agentLimits.get(asker.agent) ?? new AskLimits(AGENT)
    this.#agentLimits.set(asker.agent, limits)
    return limits
  }

  /** Undefined where the agent cannot answer. */
  async #askAgent(
    elicitation: Elicitation,
    params: Readonly<Record<string, unknown>>,
    { asker, signal, name }: AskedFor,
  ): Promise<ElicitResult | undefined> {
    if (!asker?.elicit) return undefined
    this.#log('info', `It asks ${asker.agent} ${wordsFor(elicitation.body)}`)
    const limit = AbortSignal.any([signal, AbortSignal.timeout(this.parts.waitMs())])
    try {
      const { action, content } = ElicitResult.parse(
        await within(limit, asker.elicit(params, limit, name)),
      )
      if (action !== 'accept') return { action }
      const answer = { kind: 'accept', content } as const
      elicitation.check(answer)
      return elicitation.resultOf(answer)
    } catch (error) {
      if (limit.aborted) return { action: 'cancel' }
      this.#log(
        'warn',
        `${asker.agent} did not answer, so its person is asked here: ${messageOf(error)}`,
      )
      return undefined
    }
  }

  async #askPerson(
    { body, check, resultOf }: Elicitation,
    { asker, signal }: AskedFor,
    done: Promise<undefined> | undefined,
  ): Promise<ElicitResult> {
    const { installationId, questions, waitMs } = this.parts
    this.#log('info', `It asks its person ${wordsFor(body)}`)
    const outcome = await questions.ask({
      installationId,
      agent: asker?.agent,
      trialId: asker?.trialId,
      body,
      waitMs: waitMs(),
      signal,
      check,
      elsewhere: done?.then(() => ({ kind: 'accept' })),
    })
    return resultOf(outcome)
  }

  #tellRoots(): Record<string, unknown> {
    const { onDidChange, roots, windows = process.platform === 'win32' } = this.parts
    const list = rootList(roots(), windows)
    this.#log('info', `It asks for folders and is told ${list.length === 0 ? 'none' : list.length}`)
    if (!this.#counts.roots) {
      this.#counts = { ...this.#counts, roots: true }
      onDidChange()
    }
    return { roots: list }
  }

  #refuseSampling(): ResponseError {
    const sampling = this.#counts.sampling + 1
    this.#counts = { ...this.#counts, sampling }
    this.parts.onDidChange()
    const why = 'Patchbay lends servers no model, as it says in its capabilities'
    if (sampling === 1) this.#log('warn', `It asks for a model and is refused: ${why}`)
    return new ResponseError(METHOD_NOT_FOUND, `sampling/createMessage is refused: ${why}.`)
  }

  #tellFlood(): void {
    if (this.#isFloodTold) return
    this.#isFloodTold = true
    this.#log('warn', 'It asks more than a person can answer; the questions beyond are cancelled')
  }

  #log(level: 'info' | 'warn', text: string): void {
    this.parts.log.append('patchbay', level, text)
  }
}

function wordsFor(body: Elicitation['body']): string {
  if (body.kind === 'page') return `to open a page of ${body.host}`
  const { length } = body.fields
  return length === 1 ? 'for 1 value' : `for ${length} values`
}

/** As `work` does, or rejects when the signal is aborted. */
async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(new Error('It is over'))
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
