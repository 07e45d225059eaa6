import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'

import type { Client, InputRequiredResult } from '@modelcontextprotocol/client'
import * as z from 'zod'

import { AppError } from '../../../../src-shared/domain/app-error'
import type { RequestLimits } from '../peer/request-deadline'
import type { CallAsker } from './call-asker'
import { type OpenCall, OpenCalls } from './open-calls'
import { INVALID_PARAMS, METHOD_NOT_FOUND, RefusedAsk } from './refused-ask'
import { type RoundsRequest, sendInRounds } from './send-in-rounds'
import type { Answering, AskedFor, ServerAsks } from './server-asks'

const ELICIT = 'elicitation/create'
/** Of one round. */
const MOST_INPUTS = 20
/** The wait before a request is sent again for which nothing was asked, in ms. */
const PACE_MS = 250

const InputRequest = z.object({
  method: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
})

type Params = Record<string, unknown>

/**
 * What a server asks for over one session: by requests of its own in the older era, by results that want more in the
 * newer one. Without a `ServerAsks` all of it is refused.
 */
export class SessionAsks implements Disposable {
  readonly #client: Client
  readonly #server: ServerAsks | undefined
  readonly #over = new AbortController()
  readonly #listening: Disposable | undefined
  readonly #calls = new OpenCalls()
  #open = 0

  constructor(client: Client, server: ServerAsks | undefined) {
    this.#client = client
    this.#server = server
    // Of what the SDK checks it tells a server less than this does.
    client.fallbackRequestHandler = ({ method, params }, { mcpReq }) =>
      this.#answer(method, params, mcpReq.signal)
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) =>
      server?.completed(params.elicitationId),
    )
    this.#listening = server?.onDidChangeRoots(() => this.#tellRoots())
  }

  /** How many questions of the server wait for their answer. */
  get open(): number {
    return this.#open
  }

  /**
   * Sends a request, answers what its server asks for it, and settles as the last of its rounds does. Rejects with
   * REQUEST_REFUSED where what is asked for is not given, and as `sendInRounds` does.
   */
  async during<T>(
    request: RoundsRequest & { readonly asker: CallAsker | undefined },
    send: (params: Params, limits: RequestLimits, call: OpenCall) => Promise<T>,
  ): Promise<T> {
    const { method, asker } = request
    const call = this.#calls.begin(asker)
    const asked = (): AskedFor => ({ asker, signal: this.#until(call.over, request.signal) })
    let isAnswered = true
    try {
      return await sendInRounds(request, {
        send: (params, limits) => send(params, limits, call),
        inputsFor: (wanted) => this.#inputsFor(method, wanted, asked),
        openPages: (pages) => this.#openPages(pages, asked),
      })
    } catch (error) {
      isAnswered = !isGivenUp(error)
      throw error
    } finally {
      this.#calls.end(call, isAnswered)
    }
  }

  /** Takes its questions back. */
  [Symbol.dispose](): void {
    this.#over.abort()
    this.#listening?.[Symbol.dispose]()
  }

  /** The newer era knows of no such message: a server asks each time that it wants to know. */
  #tellRoots(): void {
    if (this.#client.getProtocolEra() !== 'legacy') return
    const method = 'notifications/roots/list_changed'
    this.#client.notification({ method }).catch(() => undefined) // the line is gone, and whoever reads it knows
  }

  /** Answers a request of a server of the older era. */
  async #answer(method: string, params: Params | undefined, signal: AbortSignal): Promise<Params> {
    const answering = this.#read(method, params)
    if (method !== ELICIT) return answering({ asker: undefined, signal })
    // A call whose answer came with it is over by then.
    await nextTurn()
    const { meant } = this.#calls
    const resting = this.#calls.rest()
    try {
      return await this.#whileOpen(() =>
        answering({ asker: meant?.asker, signal: this.#until(signal, meant?.over) }),
      )
    } finally {
      resting[Symbol.dispose]()
    }
  }

  /** Everything is read before anybody is asked: what cannot be given makes the rest of no use. */
  async #inputsFor(
    method: string,
    { inputRequests = {}, requestState }: InputRequiredResult,
    asked: () => AskedFor,
  ): Promise<Params> {
    const entries = Object.entries(inputRequests)
    const answerings = entries.map(([key, entry]) => [key, this.#readInput(method, entry)] as const)
    if (entries.length > MOST_INPUTS)
      throw refusedError(method, `${entries.length} things at a time`)
    if (entries.length === 0) await delay(PACE_MS)
    const answers = await this.#whileOpen(() =>
      Promise.all(
        answerings.map(
          async ([key, answering]) => [key, await answering({ ...asked(), name: key })] as const,
        ),
      ),
    ).catch((error: unknown) => {
      throw told(method, error)
    })
    return {
      ...(answers.length > 0 && { inputResponses: Object.fromEntries(answers) }),
      ...(requestState !== undefined && { requestState }),
    }
  }

  async #openPages(pages: readonly Params[], asked: () => AskedFor): Promise<boolean> {
    const server = this.#server
    if (!server) return false
    const opened = await this.#whileOpen(() =>
      Promise.all(
        pages.map((page) =>
          server.openPage(page, asked()).catch((error: unknown) => {
            if (error instanceof RefusedAsk) return false
            throw error
          }),
        ),
      ),
    )
    return opened.every((isOpened) => isOpened)
  }

  #readInput(method: string, entry: unknown): Answering {
    const { data } = InputRequest.safeParse(entry)
    try {
      if (!data) throw new RefusedAsk(INVALID_PARAMS, 'It is no request.')
      return this.#read(data.method, data.params)
    } catch (error) {
      throw told(method, error)
    }
  }

  #read(method: string, params: Params | undefined): Answering {
    if (this.#server) return this.#server.read(method, params)
    throw new RefusedAsk(METHOD_NOT_FOUND, 'Method not found')
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

/** Whether a request was given up, so that its server may still be at it. */
function isGivenUp(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  return code === 'REQUEST_TIMEOUT' || code === 'REQUEST_CANCELLED'
}

function told(method: string, error: unknown): unknown {
  return error instanceof RefusedAsk ? refusedError(method, error.message) : error
}

/** What a server wants for a request and is not given: in the newer era there is no other way to tell it. */
function refusedError(method: string, why: string): AppError {
  return new AppError(
    'REQUEST_REFUSED',
    `The server wants something for ${method} that it is not given. ${why}`,
    { hint: 'Nothing more was sent to it. Its makers may know a way without.' },
  )
}
