import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'

import * as z from 'zod'

import { AppError } from '../../../../src-shared/domain/app-error'
import type { JsonObject } from '../json/json-rpc'
import type { ResultText } from '../json/result-text'
import {
  type IncomingRequest,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  ResponseError,
} from '../peer/incoming-requests'
import type { Peer } from '../peer/peer'
import type { RequestLimits } from '../peer/request-deadline'
import type { CallAsker } from './call-asker'
import { type OpenCall, OpenCalls } from './open-calls'
import { type InputRequired, type RoundsRequest, sendInRounds } from './send-in-rounds'
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

type Params = JsonObject

/**
 * What a server asks for over one session: by requests of its own in the older era, by results that want more in the
 * newer one. Without a `ServerAsks` all of it is refused.
 */
export class SessionAsks implements Disposable {
  readonly #peer: Pick<Peer, 'isStateless' | 'notify'>
  readonly #server: ServerAsks | undefined
  readonly #over = new AbortController()
  readonly #listening: Disposable | undefined
  readonly #calls = new OpenCalls()
  #open = 0

  constructor(peer: Pick<Peer, 'isStateless' | 'notify'>, server: ServerAsks | undefined) {
    this.#peer = peer
    this.#server = server
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
  async during(
    request: RoundsRequest & { readonly asker: CallAsker | undefined },
    send: (params: Params, limits: RequestLimits, call: OpenCall) => Promise<ResultText>,
  ): Promise<ResultText> {
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
    if (!this.#peer.isStateless) void this.#peer.notify('notifications/roots/list_changed')
  }

  /** Answers a request of a server with sessions; a stateless server sends none. */
  async answer({ method, params, signal }: IncomingRequest): Promise<JsonObject> {
    if (this.#peer.isStateless) throw new ResponseError(METHOD_NOT_FOUND, 'Method not found')
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
    { inputRequests = {}, requestState }: InputRequired,
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
            if (error instanceof ResponseError) return false
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
      if (!data) throw new ResponseError(INVALID_PARAMS, 'It is no request.')
      return this.#read(data.method, data.params)
    } catch (error) {
      throw told(method, error)
    }
  }

  #read(method: string, params: Params | undefined): Answering {
    if (this.#server) return this.#server.read(method, params)
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

/** Whether a request was given up, so that its server may still be at it. */
function isGivenUp(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  return code === 'REQUEST_TIMEOUT' || code === 'REQUEST_CANCELLED'
}

function told(method: string, error: unknown): unknown {
  return error instanceof ResponseError ? refusedError(method, error.message) : error
}

/** What a server wants for a request and is not given: in the newer era there is no other way to tell it. */
function refusedError(method: string, why: string): AppError {
  return new AppError(
    'REQUEST_REFUSED',
    `The server wants something for ${method} that it is not given. ${why}`,
    { hint: 'Nothing more was sent to it. Its makers may know a way without.' },
  )
}
