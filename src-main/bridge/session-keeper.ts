import { setTimeout as delay } from 'node:timers/promises'

import { isJsonObject, type JsonObject } from '../../src-shared/domain/server-json/tolerant-reader'
import type { GatewayLine } from './gateway-line'
import type { HostLine, Id } from './host-line'
import { brokenOff, Outage } from './outage'
import { errorIn, isStream, ownAnswer, readBody, readStream } from './read-answer'
import type { HostRequest } from './request'

/** How long the gateway may take to end a session, in ms. */
const GOODBYE_MS = 500
/** Of requests of the bridge's own, whose answers the host does not see. */
const OWN_ID = 'patchbay-bridge'

/** A session of the gateway in the older era. */
export type Session = {
  readonly headers: Readonly<Record<string, string>>
  /** What the gateway asked in it and the host has not answered. */
  readonly asked: Set<Id>
}

type Opened = { readonly answer: Buffer; readonly session: Session | undefined }

/** Keeps one session of the gateway for the host: where it is lost, the next is begun with the host's own words. */
export class SessionKeeper {
  readonly #line: GatewayLine
  readonly #host: HostLine
  /** What the host said of itself; undefined before its `initialize`. */
  #hello: JsonObject | undefined
  /** The level and the resources that the host wants to hear of, by what tells them apart. */
  readonly #wishes = new Map<string, JsonObject>()
  #opening: Promise<Session> | undefined
  #session: Session | undefined

  constructor(line: GatewayLine, host: HostLine) {
    this.#line = line
    this.#host = host
  }

  /** The session that there is now. */
  get session(): Session | undefined {
    return this.#session
  }

  /** The session, begun where there is none; undefined before the host's `initialize`. Rejects with an Outage. */
  async current(): Promise<Session | undefined> {
    if (!this.#hello) return undefined
    try {
      return await this.#opened()
    } catch (error) {
      const isAway = error instanceof Outage && error.kind === 'away'
      if (isAway && (await this.#line.started())) return this.#opened()
      throw error
    }
  }

  /** Begins with the host's own `initialize`; the answer to it. Rejects with an Outage. */
  async begin({ id, params, text }: HostRequest): Promise<Buffer> {
    this.#hello = params
    const opening = this.#open(text, id)
    const holding = this.#holding(opening.then(({ session, answer }) => session ?? refused(answer)))
    this.#opening = holding
    // Told by the answer, or by how that fails.
    holding.catch(() => undefined)
    return (await opening).answer
  }

  /** Takes note of what has to be asked again in the next session. */
  note({ method, params }: Pick<HostRequest, 'method' | 'params'>): void {
    const uri = String(params.uri)
    if (method === 'logging/setLevel') this.#wishes.set(method, { method, params })
    if (method === 'resources/subscribe') this.#wishes.set(`uri ${uri}`, { method, params })
    if (method === 'resources/unsubscribe') this.#wishes.delete(`uri ${uri}`)
  }

  /** It is over: what was asked in it needs no answer any more. */
  lose(session: Session): void {
    if (this.#session !== session) return
    this.#session = undefined
    this.#opening = undefined
    for (const requestId of session.asked)
      this.#host.tell({ method: 'notifications/cancelled', params: { requestId } })
  }

  /** Says goodbye to the gateway, which has a moment for it; never rejects. */
  async close(): Promise<void> {
    if (!this.#session) return
    const { headers } = this.#session
    const ending = this.#line.send({ method: 'DELETE', headers }).then(
      (response) => void response.resume(),
      () => undefined, // then it is over as well
    )
    await Promise.race([ending, delay(GOODBYE_MS)])
  }

  #opened(): Promise<Session> {
    this.#opening ??= this.#holding(this.#renew())
    return this.#opening
  }

  /** Notes what becomes of an opening. */
  async #holding(opening: Promise<Session>): Promise<Session> {
    try {
      this.#session = await opening
      return this.#session
    } catch (error) {
      this.#opening = undefined
      throw error
    }
  }

  async #renew(): Promise<Session> {
    const hello = messageText({ id: OWN_ID, method: 'initialize', params: this.#hello })
    const { session, answer } = await this.#open(hello, OWN_ID)
    if (!session) return refused(answer)
    const initialized = { method: 'notifications/initialized' }
    const wishes = [...this.#wishes.values()].map((wish, index) => {
      return { ...wish, id: `${OWN_ID}-${String(index)}` }
    })
    for (const message of [initialized, ...wishes]) {
      const { headers } = session
      const response = await this.#line.send({ body: messageText(message), headers })
      await readBody(response)
    }
    return session
  }

  async #open(body: Buffer, id: Id): Promise<Opened> {
    const response = await this.#line.send({ body })
    const answers: Buffer[] = []
    if (isStream(response)) await readStream(response, this.#host, (text) => answers.push(text))
    else answers.push(ownAnswer(await readBody(response), response.statusCode ?? 0, id))
    const answer = answers.at(-1)
    if (!answer) throw brokenOff()
    const { 'mcp-session-id': sessionId } = response.headers
    const { result } = JSON.parse(answer.toString()) as JsonObject
    if (typeof sessionId !== 'string' || !isJsonObject(result))
      return { answer, session: undefined }
    const headers = {
      'mcp-session-id': sessionId,
      'mcp-protocol-version': String(result.protocolVersion),
    }
    return { answer, session: { headers, asked: new Set() } }
  }
}

function refused(answer: Buffer): never {
  throw new Outage('refused', errorIn(answer).message ?? 'Patchbay did not start a session.')
}

function messageText(message: object): Buffer {
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
}
