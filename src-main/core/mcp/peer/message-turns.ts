import type { JsonObject } from '../json/json-rpc'

/** Requests and notifications that are delivered in one turn, so that a server that floods leaves turns to others. */
const MAX_CALLS_A_TURN = 100
/** Messages that may wait for their turn before the server is paused. */
const MAX_WAITING = 1_000
/** A server that sends requests and does not read their answers is read again once it has read half of these. */
const MAX_UNREAD_ANSWERS = 1_000

/** Delivers the messages of a server in their order, and requests and notifications in turns. */
export class MessageTurns<T extends { readonly message: JsonObject }> {
  #waiting: T[] = []
  /** Those before it were delivered; taking each out of a long array would move all the others. */
  #next = 0
  #calls = 0
  #unreadAnswers = 0
  /** The next message is a request, and too many answers wait to be read. */
  #isHeld = false
  #isFull = false

  /** `onFull` gets true while too many messages wait, so that no more should be read. */
  constructor(
    private readonly deliver: (one: T) => void,
    private readonly onFull: (isFull: boolean) => void,
  ) {}

  get isEmpty(): boolean {
    return this.#next === this.#waiting.length
  }

  add(one: T): void {
    if (this.isEmpty && this.#mayDeliver(one)) {
      this.deliver(one)
      return
    }
    this.#waiting.push(one)
    this.#reportFull()
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

  #mayDeliver({ message }: T): boolean {
    if (message.method === undefined) return true
    this.#isHeld = message.id !== undefined && this.#unreadAnswers >= MAX_UNREAD_ANSWERS
    if (this.#isHeld || this.#calls === MAX_CALLS_A_TURN) return false
    if (this.#calls === 0)
      setImmediate(() => {
        this.#calls = 0
        if (!this.#isHeld) this.#drain()
      })
    this.#calls += 1
    return true
  }

  #drain(): void {
    for (let one = this.#waiting[this.#next]; one; one = this.#waiting[this.#next]) {
      if (!this.#mayDeliver(one)) break
      this.#next += 1
      this.deliver(one)
    }
    if (this.#next * 2 >= this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#next)
      this.#next = 0
    }
    this.#reportFull()
  }

  #reportFull(): void {
    const isFull = this.#waiting.length - this.#next > MAX_WAITING
    if (isFull === this.#isFull) return
    this.#isFull = isFull
    this.onFull(isFull)
  }
}
