import { keepNewest } from '../lifecycle/keep-newest'
import type { HeldMessage, MessageRing } from './message-ring'
import { isAnswer, LONGEST_KEPT } from './message-shape'

/** What an answer is to. */
export type RequestMessage = Pick<HeldMessage, 'time' | 'method' | 'target'> & {
  readonly seq: number
}

type Waiting = Record<HeldMessage['direction'], Map<unknown, RequestMessage>>

/** Requests of one side that wait for their answers; once there are more, the oldest is given up. */
const MOST_WAITING = 5_000
/** Sessions of one server that may still say something: two, and what is left of earlier ones. */
const MOST_SESSIONS = 8
/** After so many messages it is looked which of them are gone. */
const PRUNE_EVERY = 512
const DIGITS = /^\d{1,15}$/u

/** Finds the requests that answers are to (JSON-RPC 2.0, section 5), once somebody looks. */
export class MessagePairs {
  /** By session, in the order in which they began; 1 and "1" are two ids. */
  readonly #waiting = new Map<number, Waiting>()
  readonly #asked = new Map<number, RequestMessage>()
  #next = 0

  constructor(private readonly ring: MessageRing) {}

  /** The request that the answer of this number is to; undefined where that is not known. */
  of(seq: number): RequestMessage | undefined {
    for (let at = Math.max(this.#next, this.ring.firstSeq); at <= seq; at += 1) this.#follow(at)
    this.#next = Math.max(this.#next, seq + 1)
    return this.#asked.get(seq)
  }

  #follow(seq: number): void {
    if (seq % PRUNE_EVERY === 0) this.#prune()
    const held = this.ring.get(seq)
    if (!held) return
    const waiting = this.#waitingOf(held.session)
    const { direction, id } = held
    if (held.kind === 'request') {
      const { time, method, target } = held
      if (isKey(id)) keepNewest(waiting[direction], id, { seq, time, method, target }, MOST_WAITING)
    } else if (isAnswer(held)) {
      const isReceived = direction === 'received'
      const asked = isReceived ? take(waiting.sent, id, true) : take(waiting.received, id, false)
      if (asked) this.#asked.set(seq, asked)
    }
  }

  #waitingOf(session: number): Waiting {
    const known = this.#waiting.get(session)
    if (known) return known
    const waiting = { sent: new Map(), received: new Map() }
    keepNewest(this.#waiting, session, waiting, MOST_SESSIONS)
    return waiting
  }

  #prune(): void {
    const { firstSeq } = this.ring
    for (const seq of this.#asked.keys()) {
      if (seq >= firstSeq) return
      this.#asked.delete(seq)
    }
  }
}

/** Some servers send our numbers back as texts, which is taken for the answer. */
function take(
  waiting: Map<unknown, RequestMessage>,
  id: unknown,
  mayBeText: boolean,
): RequestMessage | undefined {
  const isText = mayBeText && typeof id === 'string' && !waiting.has(id) && DIGITS.test(id)
  const key = isText ? Number(id) : id
  const asked = waiting.get(key)
  if (asked) waiting.delete(key)
  return asked
}

/** Of an id that was cut it is not known whether it is the same. */
function isKey(id: unknown): boolean {
  return typeof id === 'string' ? id.length <= LONGEST_KEPT : typeof id === 'number'
}
