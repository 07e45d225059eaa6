import type { JSONRPCMessage } from '@modelcontextprotocol/client'

/** Requests and notifications that are handed on in one turn; a server that asks without end gets no more of the app's time. */
const CALLS_A_TURN = 100
/** Messages that may wait for their turn before no more is read; a server that floods is held back by its pipe. */
const MAX_WAITING = 1_000
/** A server that asks and does not read our answers is heard again once it has read half of these. */
const MAX_UNREAD_ANSWERS = 1_000

export type MessageTurnsOptions = {
  readonly deliver: (message: JSONRPCMessage) => void
  /** True while too many messages wait, so that no more should be read. */
  readonly onFull: (isFull: boolean) => void
}

/**
 * Hands on the messages of a server in their order. The SDK handles a response at once but a notification
 * a microtask later, so a last progress that shares a chunk with its answer would come after it: what is
 * no notification waits one turn behind one. What asks for work comes in turns, so that others get theirs.
 */
export class MessageTurns {
  #waiting: JSONRPCMessage[] = []
  /** Those before it were delivered; taking each out of a long array would move all the others. */
  #next = 0
  #isTurnOver = false
  #unreadAnswers = 0
  /** The next message is a request, and too many answers wait to be read. */
  #isHeld = false

  constructor(private readonly options: MessageTurnsOptions) {}

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  add(messages: readonly JSONRPCMessage[]): void {
    for (const message of messages) this.#waiting.push(message)
    if (this.#isTurnOver) this.#tellFull()
    else this.#drain()
  }

  /** One of our answers is on its way to the server. */
  answerSent(): void {
    this.#unreadAnswers += 1
  }

  /** The server's pipe has taken one of our answers. */
  answerRead(): void {
    this.#unreadAnswers -= 1
    if (!this.#isHeld || this.#unreadAnswers > MAX_UNREAD_ANSWERS / 2) return
    this.#isHeld = false
    setImmediate(() => this.#drain())
  }

  #drain(): void {
    this.#isTurnOver = false
    let isBehind = false
    let calls = 0
    for (let message = this.#waiting[this.#next]; message; message = this.#waiting[this.#next]) {
      const isNotification = !('id' in message)
      if ((isBehind && !isNotification) || calls === CALLS_A_TURN) break
      if (this.#mustWait(message)) break
      isBehind ||= isNotification
      if ('method' in message) calls += 1
      this.#next += 1
      this.options.deliver(message)
    }
    if (this.#next * 2 >= this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#next)
      this.#next = 0
    }
    this.#tellFull()
    // Also behind a request: what comes with it, line by line, must not all be handled in this turn.
    if (calls === 0 && this.#waiting.length === 0) return
    this.#isTurnOver = true
    if (!this.#isHeld) setImmediate(() => this.#drain())
  }

  #mustWait(message: JSONRPCMessage): boolean {
    const isRequest = 'id' in message && 'method' in message
    this.#isHeld = isRequest && this.#unreadAnswers >= MAX_UNREAD_ANSWERS
    return this.#isHeld
  }

  #tellFull(): void {
    this.options.onFull(this.#waiting.length - this.#next > MAX_WAITING)
  }
}
