import { type JSONRPCMessage, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'

import { isObject } from '../json/is-object'
import type { ReadLine } from '../json/read-message'
import { plainResult } from '../json/result-text'
import { FIRST_OWN_ID, idOf } from './pending-requests'

/** An answer that was judged: its result, or the error that the server refused with. */
export type OwnAnswer = {
  readonly result?: Readonly<Record<string, unknown>> | undefined
  readonly error?:
    | { readonly code: number; readonly message: string; readonly data?: unknown }
    | undefined
  /** Of the result, where its line had it apart. */
  readonly text: Buffer | undefined
  /** The result was normalized since it was read: the text is what it was before. */
  readonly isNormalized: boolean
}

export type Progress = { progress: number; total?: number; message?: string }

/** Who waits for an answer; one of `onAnswer` and `onFailure` is called, once, unless it gives up before. */
export type Asker = {
  readonly onAnswer: (answer: OwnAnswer) => void
  readonly onProgress: (progress: Progress) => void
  /** The request could not be sent, or its connection is gone; the SDK's error, see `isBrokenLine`. */
  readonly onFailure: (error: unknown) => void
}

/** `message` is the first answer that came, as it was read, with the text of its result. */
type Waiting = { readonly asker: Asker; message?: JSONRPCMessage; text?: Buffer | undefined }

/** What is asked of a server beside the SDK's client, so that the text of a result is at hand (MCP basic protocol, requests). */
export class OwnRequests {
  readonly #waiting = new Map<number, Waiting>()
  #nextId = FIRST_OWN_ID
  #isClosed = false

  /** `post` sends a message, or throws where it cannot; `onSent` tells of a pipe that broke meanwhile. */
  constructor(
    private readonly post: (message: JSONRPCMessage, onSent: (error?: Error) => void) => void,
  ) {}

  /** Sends a request; its id is also its progress token. */
  ask(method: string, params: Readonly<Record<string, unknown>>, asker: Asker): number {
    const progressToken = this.#nextId
    return this.askPlainly(
      method,
      { ...params, _meta: { ...(isObject(params._meta) && params._meta), progressToken } },
      asker,
    )
  }

  /** Sends a request whose parameters are complete: one of the handshake, which has no progress. */
  askPlainly(method: string, params: Readonly<Record<string, unknown>>, asker: Asker): number {
    const id = this.#nextId
    this.#nextId += 1
    this.#waiting.set(id, { asker })
    try {
      if (this.#isClosed) throw new SdkError(SdkErrorCode.NotConnected, 'Not connected')
      this.post({ jsonrpc: '2.0', id, method, params: { ...params } }, (error) => {
        if (error) this.#take(id)?.onFailure(error)
      })
    } catch (error) {
      this.#take(id)?.onFailure(error)
    }
    return id
  }

  /** Nobody waits for the answer any more: the server is told so, where it can be. */
  giveUp(id: number, reason: string): void {
    if (!this.#take(id)) return
    const params = { requestId: id, reason }
    try {
      this.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, () => undefined)
    } catch {
      // The line is gone, or full: whoever else uses it knows.
    }
  }

  /** Keeps the text of a result that a line brings to one who waits for it. */
  note(line: Buffer, read: ReadLine): void {
    const [first] = read.messages
    // What anybody wrote: nothing is known of its type.
    const id = first && 'id' in first ? idOf(first.id) : undefined
    const waiting = id === undefined ? undefined : this.#waiting.get(id)
    if (!first || !waiting || waiting.message) return
    waiting.message = first
    waiting.text = plainResult(line, read)
  }

  /** Hands a message that was judged, and came as `message`, to who waits for it; false where it is for the SDK. */
  take(judged: JSONRPCMessage, message: JSONRPCMessage): boolean {
    if ('method' in judged) return this.#progress(judged)
    const { id } = judged as { readonly id?: unknown }
    if (typeof id !== 'number' || id < FIRST_OWN_ID) return false
    const waiting = this.#waiting.get(id)
    const text = waiting?.message === message ? waiting.text : undefined
    const { result, error } = judged as Pick<OwnAnswer, 'result' | 'error'>
    const isNormalized = 'result' in message && message.result !== result
    this.#take(id)?.onAnswer({ result, error, text, isNormalized })
    return true
  }

  /** The connection is gone. */
  close(): void {
    this.#isClosed = true
    const error = new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed')
    for (const id of this.#waiting.keys()) this.#take(id)?.onFailure(error)
  }

  #take(id: number): Asker | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    return waiting?.asker
  }

  #progress(message: JSONRPCMessage): boolean {
    if (!('method' in message) || message.method !== 'notifications/progress') return false
    const { progressToken, ...progress } = message.params ?? {}
    // What has a wrong shape is told by the SDK, as of its own requests.
    if (typeof progressToken !== 'number' || progressToken < FIRST_OWN_ID || !isProgress(progress))
      return false
    this.#waiting.get(progressToken)?.asker.onProgress(progress)
    return true
  }
}

function isProgress(value: Readonly<Record<string, unknown>>): value is Progress {
  const { progress, total, message } = value
  return (
    typeof progress === 'number' &&
    (total === undefined || typeof total === 'number') &&
    (message === undefined || typeof message === 'string')
  )
}
