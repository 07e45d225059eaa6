import {
  isJSONRPCRequest,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/client'

import { AppError } from '../../../src-shared/domain/app-error'
import type { ProtocolFaults } from '../../../src-shared/domain/protocol-faults'
import { cutProse } from './describe-failure'

/** Requests that were given up and may still be answered; the oldest are forgotten. */
const MOST_ABANDONED = 10_000
/** Of a server's words and of its names, in characters. */
const LONGEST_WORDS = 300
const LONGEST_SHOWN = 100
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
  readonly #waiting = new Set<number>()
  readonly #abandoned = new Set<number>()
  /** Ids are numbers that count up, so every smaller one was asked. */
  #nextId = 0

  constructor(private readonly onFault: (fault: Fault, detail: string) => void) {}

  /** Takes note of a message on its way to the server. */
  sent(message: JSONRPCMessage): void {
    if (!('method' in message)) return
    if ('id' in message && typeof message.id === 'number') {
      this.#waiting.add(message.id)
      this.#nextId = Math.max(this.#nextId, message.id + 1)
    } else if (message.method === 'notifications/cancelled') {
      const { requestId } = (message.params ?? {}) as { requestId?: unknown }
      if (typeof requestId === 'number') this.#abandon(requestId)
    }
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

  /** The failure of a request whose answer was too large; undefined when no such request waits. */
  failOversized(id: string | number, failure: AppError): JSONRPCMessage | undefined {
    const known = idOf(id)
    if (known === undefined || !this.#waiting.delete(known)) return undefined
    return failedWith(known, failure)
  }

  #judgeCall(message: JSONRPCMessage, incoming: Incoming): Verdict {
    const isRequest = 'id' in incoming
    if (isRequest ? isJSONRPCRequest(message) : hasGoodParams(incoming)) {
      return this.#isLateProgress(incoming) ? { kind: 'drop' } : { kind: 'deliver', message }
    }
    const method = shown(incoming.method)
    const { id } = incoming
    this.onFault(
      'malformedMessages',
      `A ${isRequest ? 'request' : 'notification'} (${method}) of a wrong shape.`,
    )
    // A request with an id is answered whatever it is, so that no server waits.
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
    const wasAsked =
      typeof progressToken === 'number' && progressToken >= 0 && progressToken < this.#nextId
    if (wasAsked)
      this.onFault('lateAnswers', `Progress of request ${progressToken}, which is over.`)
    else this.onFault('unknownAnswers', 'Progress of something that was never asked.')
    return true
  }

  #judgeAnswer(incoming: Incoming): Verdict {
    const id = idOf(incoming.id)
    if (id === undefined || !this.#waiting.has(id)) {
      this.#onUnasked(id, incoming)
      return { kind: 'drop' }
    }
    this.#waiting.delete(id)
    const quirk = quirkOf(incoming)
    const body = bodyOf(incoming)
    const problem = problemOf(body)
    if (quirk !== undefined || problem !== undefined)
      this.onFault('malformedAnswers', `The answer to request ${id} has ${problem ?? quirk}.`)
    // Only what the protocol knows: a further key would make the SDK pass over the answer.
    if (problem === undefined)
      return { kind: 'deliver', message: { jsonrpc: '2.0', id, ...body } as JSONRPCMessage }
    const failure = new AppError('INVALID_ANSWER', `The server’s answer has ${problem}.`, {
      hint: 'This is a fault of the server. Look for a newer version of it, or tell its makers.',
    })
    return { kind: 'deliver', message: failedWith(id, failure) }
  }

  #onUnasked(id: number | undefined, incoming: Incoming): void {
    const told = shown(incoming.id)
    if (id !== undefined && this.#abandoned.delete(id)) {
      this.onFault('lateAnswers', `The answer to request ${told} came after it was given up.`)
    } else if (id !== undefined && id >= 0 && id < this.#nextId) {
      this.onFault('duplicateAnswers', `Another answer to request ${told}.`)
    } else {
      const { message } = (incoming.error ?? {}) as { message?: unknown }
      const said =
        typeof message === 'string' ? ` It says: ${cutProse(message, LONGEST_WORDS)}` : ''
      this.onFault('unknownAnswers', `An answer to ${told}, which was never asked.${said}`)
    }
  }

  #abandon(id: number): void {
    if (!this.#waiting.delete(id)) return
    this.#abandoned.add(id)
    if (this.#abandoned.size <= MOST_ABANDONED) return
    const [oldest] = this.#abandoned
    if (oldest !== undefined) this.#abandoned.delete(oldest)
  }
}

/** An answer to a request of the server that is not served. */
export function refusal(id: string | number, message: string): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message } }
}

/** An error answer that the server did not write: the SDK hands `data` on, and a server cannot make an `AppError`. */
function failedWith(id: number, failure: AppError): JSONRPCMessage {
  const error = { code: INTERNAL_ERROR, message: failure.message, data: failure }
  return { jsonrpc: '2.0', id, error }
}

/** Our ids are numbers; some servers send them back as text. */
function idOf(id: unknown): number | undefined {
  if (typeof id === 'number') return Number.isSafeInteger(id) ? id : undefined
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : undefined
}

/** What is against the protocol and yet leaves no doubt of what is meant. */
function quirkOf({ id, result, error }: Incoming): string | undefined {
  if (typeof id === 'string') return 'its id as text'
  if (result !== undefined && error === null) return 'an empty error beside its result'
  return result === null && isObject(error) ? 'an empty result beside its error' : undefined
}

/** Result and error of an answer, without the one that is there and empty beside the other. */
function bodyOf({ result, error }: Incoming): Incoming {
  if (result !== undefined && error === null) return { result }
  if (result === null && isObject(error)) return { error }
  return { ...(result !== undefined && { result }), ...(error !== undefined && { error }) }
}

/** What makes an answer unusable, as the end of a sentence. */
function problemOf(body: Incoming): string | undefined {
  const { result, error } = body
  if (result === undefined && error === undefined) return 'neither a result nor an error'
  if ('result' in body && 'error' in body) return 'both a result and an error'
  if ('error' in body) {
    const { code, message } = isObject(error) ? error : {}
    const isError = Number.isSafeInteger(code) && typeof message === 'string'
    return isError ? undefined : 'an error without a number as code or without a message'
  }
  if (!isObject(result)) return 'a result that is no object'
  return result._meta === undefined || isObject(result._meta)
    ? undefined
    : 'a result whose _meta is no object'
}

function hasGoodParams({ params }: Incoming): boolean {
  if (params === undefined) return true
  return isObject(params) && (params._meta === undefined || isObject(params._meta))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An id or a method, for a sentence. */
function shown(id: unknown): string {
  const text = id === undefined ? 'no id' : JSON.stringify(id)
  // Not cut, as in the middle of a sentence the begin of a secret could not be told.
  return text.length > LONGEST_SHOWN ? 'something long' : text
}
