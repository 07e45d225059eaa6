import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import type { MessageKind, MessageShape } from './message-shape'
import type { Place } from './message-text-buffer'

/** Messages of one page. */
export const PAGE_LENGTH = 512

const KINDS: readonly MessageKind[] = ['request', 'notification', 'result', 'error']
const KIND_NUMBERS = { request: 0, notification: 1, result: 2, error: 3 } as const
/** Beside the kind in its number. */
const RECEIVED = 4
const KIND_MASK = 3

/** Where each number of a message stands; eight of them are one line of a processor's cache. */
const COLUMNS = {
  at: 0,
  time: 1,
  session: 2,
  bytes: 3,
  piece: 4,
  from: 5,
  shape: 6,
  id: 7,
} as const
const WIDTH = 8

/** Whose line a message crosses, and which way. */
export type Way = Pick<MessageEntry, 'session' | 'direction'>

/** When a message crosses a line. */
export type Moment = {
  /** Epoch ms, with parts of them. */
  readonly at: number
  /** The same by `performance.now()`. */
  readonly time: number
}

/** A message as it is held, and where its text lies. */
export type HeldMessage = Way & Moment & MessageShape & Place

/**
 * Messages as numbers, one behind the other. An object for each of many thousands would cost more memory and the
 * collector's time; a column for each number would have a call wait for as many places in memory.
 */
export class EntryPage {
  readonly #numbers = new Float64Array(PAGE_LENGTH * WIDTH)
  /** Method and target of each. */
  readonly #names: (string | undefined)[] = []
  /** Ids that are no numbers, and codes of errors: few have one. */
  readonly #otherIds = new Map<number, unknown>()
  readonly #codes = new Map<number, number>()

  /** Writes a message; they are written in order, be it from the middle on. */
  set(index: number, way: Way, moment: Moment, shape: MessageShape, place: Place): void {
    const { id, kind, code } = shape
    const row = index * WIDTH
    const isReceived = way.direction === 'received'
    this.#numbers[row + COLUMNS.at] = moment.at
    this.#numbers[row + COLUMNS.time] = moment.time
    this.#numbers[row + COLUMNS.session] = way.session
    this.#numbers[row + COLUMNS.bytes] = place.bytes
    this.#numbers[row + COLUMNS.piece] = place.piece
    this.#numbers[row + COLUMNS.from] = place.from
    this.#numbers[row + COLUMNS.shape] = KIND_NUMBERS[kind] + (isReceived ? RECEIVED : 0)
    this.#numbers[row + COLUMNS.id] = typeof id === 'number' ? id : NaN
    this.#names[index * 2] = shape.method
    this.#names[index * 2 + 1] = shape.target
    if (typeof id !== 'number' && id !== undefined) this.#otherIds.set(index, id)
    if (code !== undefined) this.#codes.set(index, code)
  }

  /** Forgets its messages, so that it can be written again. */
  clear(): void {
    this.#names.length = 0
    this.#otherIds.clear()
    this.#codes.clear()
  }

  /** The message that was written there. */
  get(index: number): HeldMessage {
    const number = (column: keyof typeof COLUMNS): number =>
      this.#numbers[index * WIDTH + COLUMNS[column]] ?? 0
    const shape = number('shape')
    const id = number('id')
    return {
      at: number('at'),
      time: number('time'),
      session: number('session'),
      bytes: number('bytes'),
      piece: number('piece'),
      from: number('from'),
      direction: shape >= RECEIVED ? 'received' : 'sent',
      kind: KINDS[shape & KIND_MASK] ?? 'notification',
      id: Number.isNaN(id) ? this.#otherIds.get(index) : id,
      method: this.#names[index * 2],
      target: this.#names[index * 2 + 1],
      code: this.#codes.get(index),
    }
  }
}
