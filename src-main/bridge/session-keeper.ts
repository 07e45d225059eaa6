import { isJsonObject, type JsonObject } from '../../src-shared/domain/json-object'
import { BRIDGE_HEADER } from '../core/gateway/calls/gateway-capabilities'
import { within } from '../core/lifecycle/time-limit'
import { stringifyWithBigInts } from '../core/mcp/json/exact-json'
import type { HostConnection, Id } from './gateway-client'
import { type GatewayClient, Outage, readAnswer } from './gateway-client'

/** Time for the gateway to end a session, in ms. */
const GOODBYE_MS = 500
/** Id of the bridge's own requests, whose responses the host doesn't see. */
const OWN_ID = 'patchbay-bridge'

export type Session = {
  readonly headers: Readonly<Record<string, string>>
  /** The gateway's requests that the host hasn't answered. */
  readonly pending: Set<Id>
}

type Opened = { readonly answer: Buffer; readonly session: Session | undefined }

/** Keeps one gateway session for the host: after a loss, the next begins with the host's own `initialize`. */
export class SessionKeeper {
  #hello: JsonObject | undefined
  /** The host's log level and resource subscriptions, by key. */
  readonly #wanted = new Map<string, JsonObject>()
  #opening: Promise<Session> | undefined
  #session: Session | undefined

  constructor(
    private readonly gateway: GatewayClient,
    private readonly host: HostConnection,
  ) {}

  /** The session, opened if needed; undefined before the host's `initialize`. Rejects with an Outage. */
  async current(): Promise<Session | undefined> {
    if (!this.#hello) return undefined
    const session = await this.#opening?.catch((error: unknown) => {
      // The host's own `initialize` didn't wait for the app to start.
      if (error instanceof Outage && error.kind === 'away') return undefined
      throw error
    })
    return session ?? (this.#opening ??= this.#keepOpen(this.#renew()))
  }

  /** Opens a session with the host's `initialize`; resolves to its response. Rejects with an Outage. */
  async begin(id: Id, hello: JsonObject, text: Buffer): Promise<Buffer> {
    this.#hello = hello
    const opening = this.#open(text, id)
    this.#opening = this.#keepOpen(opening.then(sessionOf))
    // The response contains it, or the error.
    this.#opening.catch(() => undefined)
    return (await opening).answer
  }

  /** Records a request that has to be repeated in the next session. */
  record(method: string, params: JsonObject): void {
    const uri = `uri ${String(params.uri)}`
    if (method === 'logging/setLevel') this.#wanted.set(method, { method, params })
    if (method === 'resources/subscribe') this.#wanted.set(uri, { method, params })
    if (method === 'resources/unsubscribe') this.#wanted.delete(uri)
  }

  /** The session has ended: its requests need no response. */
  drop(session: Session): void {
    if (this.#session !== session) return
    this.#session = undefined
    this.#opening = undefined
    for (const requestId of session.pending)
      this.host.send({ method: 'notifications/cancelled', params: { requestId } })
  }

  /** Ends the session at the gateway within a moment; never rejects. */
  async close(): Promise<void> {
    if (!this.#session) return
    const { headers } = this.#session
    const ending = this.gateway.send({ method: 'DELETE', headers }).catch(() => undefined)
    await within(GOODBYE_MS, ending, () => undefined)
  }

  async #keepOpen(opening: Promise<Session>): Promise<Session> {
    try {
      this.#session = await opening
      return this.#session
    } catch (error) {
      this.#opening = undefined
      throw error
    }
  }

  async #renew(): Promise<Session> {
    const hello = { id: OWN_ID, method: 'initialize', params: this.#hello }
    const session = sessionOf(await this.#open(textOf(hello), OWN_ID, true))
    const { headers } = session
    const wanted = [...this.#wanted.values()].map((one, at) => ({ ...one, id: `${OWN_ID}-${at}` }))
    for (const message of [{ method: 'notifications/initialized' }, ...wanted])
      await readAnswer(await this.gateway.send({ body: textOf(message), headers }), OWN_ID)
    return session
  }

  async #open(body: Buffer, id: Id, waits = false): Promise<Opened> {
    const response = await this.gateway.send({ body, waits })
    const answer = await readAnswer(response, id)
    const { 'mcp-session-id': sessionId } = response.headers
    const { result } = JSON.parse(answer.toString()) as JsonObject
    if (typeof sessionId !== 'string' || !isJsonObject(result))
      return { answer, session: undefined }
    const version = String(result.protocolVersion)
    const headers = {
      ...{ 'mcp-session-id': sessionId, 'mcp-protocol-version': version },
      // The bridge reopens a lost session with everything the host requested.
      [BRIDGE_HEADER]: '1',
    }
    return { answer, session: { headers, pending: new Set() } }
  }
}

function sessionOf({ session, answer }: Opened): Session {
  if (session) return session
  const { error } = JSON.parse(answer.toString()) as { error?: { message?: string } }
  throw new Outage('refused', error?.message ?? 'Patchbay did not start a session.')
}

function textOf(message: object): Buffer {
  return Buffer.from(stringifyWithBigInts({ jsonrpc: '2.0', ...message }))
}
