import { setTimeout as delay } from 'node:timers/promises'

import type { JsonObject } from '../../src-shared/domain/server-json/tolerant-reader'
import type { GatewayLine } from './gateway-line'
import type { HostLine, Id } from './host-line'
import { brokenOff, Outage, RetryWait } from './outage'
import { isStream, ownAnswer, readBody, readStream } from './read-answer'
import type { HostRequest } from './request'
import { type Session, SessionKeeper } from './session-keeper'

const GONE = 404
const REFUSED = 400
const LISTS = ['tools', 'prompts', 'resources'] as const

/** What the parts of the bridge share. */
export type BridgeParts = {
  readonly line: GatewayLine
  readonly host: HostLine
  /** Takes words for the log of the host. */
  readonly log: (words: string) => void
}

/** What the host asks in the older era (MCP 2024-11-05 to 2025-11-25), in one session of the gateway. */
export class OlderRequests {
  readonly #parts: BridgeParts
  readonly #keeper: SessionKeeper
  readonly #over = new AbortController()
  #isListening = false

  constructor(parts: BridgeParts) {
    this.#parts = parts
    this.#keeper = new SessionKeeper(parts.line, parts.host)
  }

  /** Brings a request to the gateway, and what comes of it to the host. Rejects with an Outage. */
  async answer(request: HostRequest, onSent: () => void): Promise<void> {
    if (request.method === 'initialize') {
      await this.#initialize(request)
      return
    }
    this.#keeper.note(request)
    const { host } = this.#parts
    const { session, response } = await this.#send(request, onSent)
    if (!isStream(response)) {
      host.say(ownAnswer(await readBody(response), response.statusCode ?? 0, request.id))
      return
    }
    const hear = (text: Buffer, message: JsonObject): void => this.#hear(session, text, message)
    const isAnswered = await readStream(response, host, hear, request.id)
    // None follows a cancellation.
    if (!isAnswered && !request.isCancelled()) throw brokenOff()
  }

  /** Brings a notification to the gateway, or an answer to what it asked; where no session waits for that, it is dropped. */
  async tell(message: JsonObject, text: Buffer): Promise<void> {
    const session = await this.#keeper.current()
    // To the next session the answer to a question of the last would be one to its own.
    const isAwaited = message.method !== undefined || session?.asked.delete(message.id as Id)
    if (!session || !isAwaited) return
    const response = await this.#parts.line.send({ body: text, headers: session.headers })
    const body = await readBody(response)
    const status = response.statusCode ?? 0
    if (status >= REFUSED) this.#parts.log(`rejected: ${ownAnswer(body, status, 0).toString()}`)
  }

  /** Ends the session. */
  async close(): Promise<void> {
    this.#over.abort()
    await this.#keeper.close()
  }

  async #initialize(request: HostRequest): Promise<void> {
    let isBehind = true
    try {
      this.#parts.host.say(await this.#keeper.begin(request))
      isBehind = false
    } finally {
      if (!this.#isListening) {
        this.#isListening = true
        void this.#listen(isBehind)
      }
    }
  }

  /** The head of the answer, of the next session where the one that was is over. */
  async #send(request: HostRequest, onSent: () => void): Promise<Sent> {
    const { text: body, signal } = request
    for (let isAgain = false; ; isAgain = true) {
      const session = await this.#keeper.current()
      const headers = session?.headers ?? {}
      const response = await this.#parts.line.send({ body, headers, signal, onSent, isCall: true })
      if (response.statusCode !== GONE || !session || isAgain) return { session, response }
      response.resume()
      this.#keeper.lose(session)
    }
  }

  #hear(session: Session | undefined, text: Buffer, { method, id }: JsonObject): void {
    if (method !== undefined && id !== undefined) session?.asked.add(id as Id)
    this.#parts.host.say(text)
  }

  /** Hears what belongs to no request for as long as the bridge lives; with that it knows when the session is over. */
  async #listen(isBehindAtFirst: boolean): Promise<void> {
    const wait = new RetryWait()
    const { signal } = this.#over
    let isBehind = isBehindAtFirst
    const isOver = (): boolean => signal.aborted
    while (!isOver()) {
      let kind: Outage['kind'] = 'away'
      try {
        await this.#hearStream(wait, isBehind)
      } catch (error) {
        if (error instanceof Outage) kind = error.kind
        else if (!isOver()) this.#parts.log(String(error))
      }
      isBehind = true
      this.#parts.line.wasCut()
      await delay(wait.after(kind), undefined, { signal, ref: false }).catch(() => undefined) // closed
    }
  }

  async #hearStream(wait: RetryWait, isBehind: boolean): Promise<void> {
    const { line, host } = this.#parts
    const { signal } = this.#over
    const session = await this.#keeper.current()
    if (!session) return
    const { headers } = session
    const response = await line.send({ method: 'GET', headers, signal })
    if (response.statusCode === GONE) this.#keeper.lose(session)
    if (!isStream(response)) {
      response.resume()
      return
    }
    wait.reset()
    if (isBehind)
      for (const list of LISTS) host.tell({ method: `notifications/${list}/list_changed` })
    await readStream(response, host, (text, message) => this.#hear(session, text, message))
  }
}

type Sent = {
  readonly session: Session | undefined
  readonly response: Awaited<ReturnType<GatewayLine['send']>>
}
