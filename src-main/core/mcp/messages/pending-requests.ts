import {
  isJSONRPCRequest,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/client'

import { AppError } from '../../../../src-shared/domain/app-error'
import type { ProtocolFaults } from '../../../../src-shared/domain/running/protocol-faults'
import { cutProse } from '../../failure/describe-failure'
import { isObject } from '../json/is-object'
import { normalizeParams, normalizeResult } from '../json/schemas'
import { answerBody, answerProblem, answerQuirk } from './answer-shape'

/** Requests that were given up and may still be answered; the oldest are forgotten. */
const MOST_ABANDONED = 10_000
/** Of a server's words and of its names, in characters. */
const LONGEST_WORDS = 300
const LONGEST_SHOWN = 100
/** The first id of what is asked beside the SDK, which counts from 0: both fit 32 bits, and never meet. */
export const FIRST_OWN_ID = 1_000_000_000
const MODERN_SINCE = '2026-07-28'
const INVALID_REQUEST = -32_600
const INTERNAL_ERROR = -32_603

/** What becomes of a message from the server. */
export type Verdict =
  | { readonly kind: 'deliver'; readonly message: JSONRPCMessage }
  /** Not to be delivered; the answer tells the server so. */
  | { readonly kind: 'refuse'; readonly answer: JSONRPCErrorResponse }
  | { readonly kind: 'drop' }

export type Fault = keyof ProtocolFaults

type Incoming = Readonly<Record<string, unknown>>

/**
 * Knows which requests wait for an answer and judges what comes back (JSON-RPC 2.0; MCP basic protocol):
 * only well-formed answers to waiting requests pass, a malformed one fails its request, the rest is
 * dropped. Everything wrong is told to `onFault`.
 */
export class PendingRequests {
  /** The method of each. */
  readonly #waiting = new Map<number, string>()
  readonly #abandoned = new Set<number>()
  /** Requests about the connection itself, which have texts for ids: for the era, for subscriptions. */
  readonly #named = new Map<string, string>()
  /** Those of them that the connection went on without. */
  readonly #passedOver = new Set<string>()
  #isModern = false
  /** Ids are numbers that count up, so every smaller one of their range was asked. */
  #nextId = 0
  #nextOwnId = FIRST_OWN_ID

  constructor(private readonly onFault: (fault: Fault, detail: string) => void) {}

  /** Whether any waits for its answer. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0
  }

  /** Takes note of a message on its way to the server. */
  sent(message: JSONRPCMessage): void {
    if (!('method' in message)) return
    if ('id' in message && typeof message.id === 'number') {
      this.#waiting.set(message.id, message.method)
      if (message.id >= FIRST_OWN_ID) this.#nextOwnId = message.id + 1
      else this.#nextId = Math.max(this.#nextId, message.id + 1)
      if (message.method === 'initialize') this.#passOver()
    } else if ('id' in message && typeof message.id === 'string') {
      this.#named.set(message.id, message.method)
    } else if (message.method === 'notifications/cancelled') {
      const { requestId } = (message.params ?? {}) as { requestId?: unknown }
      if (typeof requestId === 'number') this.abandon(requestId)
    }
  }

  /** Takes note of the version of the protocol that is spoken from now on, a date. */
  speaks(version: string): void {
    this.#isModern = version >= MODERN_SINCE
  }

  /** Judges a message of the server. */
  judge(message: JSONRPCMessage): Verdict {
    const incoming: Incoming = message
    if (typeof incoming.method === 'string') return this.#judgeCall(message, incoming)
    if (incoming.method === undefined && ('id' in incoming || 'result' in incoming))
      return this.#judgeAnswer(incoming)
    this.onFault('malformedMessages', 'A message that is neither request, notification nor answer.')
    return { kind: 'drop' }
  }

  /** The failure of a request whose answer cannot be had, as its answer; undefined when no such request waits. */
  fail(id: string | number, failure: AppError): JSONRPCMessage | undefined {
    const known = idOf(id)
    if (known === undefined || !this.#waiting.delete(known)) return undefined
    return failedWith(known, failure)
  }

  /** Nobody waits for the answer to a request any more. */
  abandon(id: number): void {
    if (!this.#waiting.delete(id)) return
    this.#abandoned.add(id)
    if (this.#abandoned.size <= MOST_ABANDONED) return
    const [oldest] = this.#abandoned
    if (oldest !== undefined) this.#abandoned.delete(oldest)
  }

  #judgeCall(message: JSONRPCMessage, incoming: Incoming): Verdict {
    const method = String(incoming.method)
    const { params, repairs } = normalizeParams(method, incoming.params)
    this.#noteRepairs(method, repairs)
    const call = params === incoming.params ? message : withParams(message, params)
    const isRequest = 'id' in incoming
    if (isRequest ? isJSONRPCRequest(call) : hasGoodParams(call)) {
      return this.#isLateProgress(call) ? { kind: 'drop' } : { kind: 'deliver', message: call }
    }
    this.onFault(
      'malformedMessages',
      `A ${isRequest ? 'request' : 'notification'} (${shown(method)}) of a wrong shape.`,
    )
    // A request with an id is answered whatever it is, so that no server waits.
    const { id } = incoming
    const mayAnswer = typeof id === 'string' || Number.isSafeInteger(id)
    return mayAnswer
      ? { kind: 'refuse', answer: refusal(id as string | number, 'Invalid request') }
      : { kind: 'drop' }
  }

  #isLateProgress({ method, params }: Incoming): boolean {
    if (method !== 'notifications/progress') return false
    const { progressToken } = (params ?? {}) as { progressToken?: unknown }
    if (typeof progressToken === 'number' && this.#waiting.has(progressToken)) return false
    // Our tokens are the ids of our requests.
    if (typeof progressToken === 'number' && this.#wasAsked(progressToken))
      this.onFault('lateAnswers', `Progress of request ${progressToken}, which is over.`)
    else this.onFault('unknownAnswers', 'Progress of something that was never asked.')
    return true
  }

  #judgeAnswer(incoming: Incoming): Verdict {
    const waiting = this.#takeWaiting(incoming.id)
    if (waiting === undefined) {
      if (typeof incoming.id !== 'string' || !this.#passedOver.delete(incoming.id))
        this.#onUnasked(idOf(incoming.id), incoming)
      return { kind: 'drop' }
    }
    const { id, method } = waiting
    const { answer, repairs, problem: use } = repaired(method, incoming)
    this.#noteRepairs(method, repairs)
    const body = answerBody(answer, this.#isModern)
    const quirk = answerQuirk(answer, id, body)
    const shape = answerProblem(body)
    const problem = shape === undefined ? use && `can’t be used: ${use}` : `has ${shape}`
    // Of what an older server was asked that it cannot know, nothing is held against it.
    if (typeof id === 'number' && (quirk !== undefined || problem !== undefined))
      this.onFault('malformedAnswers', `The answer to ${method} ${problem ?? `has ${quirk}`}.`)
    // Only what the protocol knows: a further key would make the SDK pass over the answer.
    if (problem === undefined)
      return { kind: 'deliver', message: { jsonrpc: '2.0', id, ...body } as JSONRPCMessage }
    const failure = new AppError('INVALID_ANSWER', `The server’s answer to ${method} ${problem}.`, {
      hint: 'The fault is in the server. Look for a newer version of it, or report it to its authors.',
    })
    return { kind: 'deliver', message: failedWith(id, failure) }
  }

  #noteRepairs(method: string, repairs: readonly string[]): void {
    for (const repair of repairs)
      this.onFault('repairs', `Repaired in ${cutProse(method, LONGEST_SHOWN)}: ${repair}.`)
  }

  /** The waiting request that an answer is for; it waits no longer. */
  #takeWaiting(
    raw: unknown,
  ): { readonly id: number | string; readonly method: string } | undefined {
    const named = typeof raw === 'string' ? raw : raw === null ? this.#onlyNamed() : undefined
    const known = named === undefined ? undefined : this.#named.get(named)
    if (named !== undefined && known !== undefined) {
      this.#named.delete(named)
      return { id: named, method: known }
    }
    const id = idOf(raw)
    const method = id === undefined ? undefined : this.#waiting.get(id)
    if (id === undefined || method === undefined) return undefined
    this.#waiting.delete(id)
    return { id, method }
  }

  /** A server that cannot read a question answers without its id: before the handshake there is only one that it can mean. */
  #onlyNamed(): string | undefined {
    const [asked] = this.#nextId > 0 ? [] : this.#named.keys()
    return asked
  }

  /** The handshake begins without the answer to what was asked before it; a late one is no fault. */
  #passOver(): void {
    for (const id of this.#named.keys()) this.#passedOver.add(id)
    this.#named.clear()
  }

  #wasAsked(id: number): boolean {
    const isOwn = id >= FIRST_OWN_ID
    return isOwn ? id < this.#nextOwnId : id >= 0 && id < this.#nextId
  }

  #onUnasked(id: number | undefined, incoming: Incoming): void {
    const told = shown(incoming.id)
    if (id !== undefined && this.#abandoned.delete(id)) {
      this.onFault('lateAnswers', `The answer to request ${told} came after it was given up.`)
    } else if (id !== undefined && this.#wasAsked(id)) {
      this.onFault('duplicateAnswers', `Another answer to request ${told}.`)
    } else {
      const { message } = (incoming.error ?? {}) as { message?: unknown }
      const said =
        typeof message === 'string' ? ` It says: ${cutProse(message, LONGEST_WORDS)}` : ''
      this.onFault('unknownAnswers', `An answer to ${told}, which was never asked.${said}`)
    }
  }
}

/** An answer to a request of the server that is not served. */
export function refusal(id: string | number, message: string): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message } }
}

/** An error answer that the server did not write: the SDK hands `data` on, and a server cannot make an `AppError`. */
function failedWith(id: number | string, failure: AppError): JSONRPCMessage {
  const error = { code: INTERNAL_ERROR, message: failure.message, data: failure }
  return { jsonrpc: '2.0', id, error }
}

/** Whether a server of the newer era says so (MCP 2026-07-28, `server/discover`). */
export function isDiscovery(result: unknown): boolean {
  return isObject(result) && Array.isArray(result.supportedVersions)
}

/** The id of a request of ours that an answer names: they are numbers, and some servers send them back as text. Takes any value. */
export function idOf(id: unknown): number | undefined {
  if (typeof id === 'number') return Number.isSafeInteger(id) ? id : undefined
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : undefined
}

/** An answer with its result read as the server meant it. */
function repaired(
  method: string,
  answer: Incoming,
): {
  readonly answer: Incoming
  readonly repairs: readonly string[]
  readonly problem?: string | undefined
} {
  if (!isObject(answer.result)) return { answer, repairs: [] }
  const { value, repairs, problem } = normalizeResult(method, answer.result)
  return {
    answer: value === answer.result ? answer : { ...answer, result: value },
    repairs,
    problem,
  }
}

function withParams(message: JSONRPCMessage, params: unknown): JSONRPCMessage {
  const { params: _before, ...rest } = message as JSONRPCMessage & { params?: unknown }
  return (params === undefined ? rest : { ...rest, params }) as JSONRPCMessage
}

function hasGoodParams({ params }: Incoming): boolean {
  if (params === undefined) return true
  return isObject(params) && (params._meta === undefined || isObject(params._meta))
}

/** An id or a method, for a sentence. */
function shown(id: unknown): string {
  const text = id === undefined ? 'no id' : JSON.stringify(id)
  // Not cut, as in the middle of a sentence the begin of a secret could not be told.
  return text.length > LONGEST_SHOWN ? 'something long' : text
}
