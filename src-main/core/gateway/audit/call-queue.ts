import { messageOf } from '../../failure/describe-failure'
import { Trouble } from '../../lifecycle/trouble'
import type { Timekeeper } from '../../ports'
import type { NewCall } from './audit-row'
import { roomOf } from './kept-call'

export type CallQueueOptions = {
  /** Rejects where the calls could not be written. */
  readonly write: (calls: readonly NewCall[]) => Promise<void>
  /** Calls are not written: a sentence, once; undefined as soon as they are again. */
  readonly onTrouble: (message: string | undefined) => void
  readonly time: Timekeeper
}

/** How long a call waits for others before they are written together, in ms; a killed app loses no more. */
const WRITE_AFTER_MS = 250
const RETRY_MS = 10_000
/** Calls that are written together, and do not wait for more. */
const BATCH = 500
/** Most that waits while the disk does not take it. */
const MOST_WAITING = 20_000
const MOST_ROOM = 16 * 1024 * 1024

/** Calls that wait to be written, many at a time. What cannot be written is tried again; what is too much for the memory is left out. */
export class CallQueue implements Disposable {
  readonly #options: CallQueueOptions
  #waiting: NewCall[] = []
  #room = 0
  #timer: Disposable | undefined
  #writing: Promise<void> | undefined
  readonly #trouble: Trouble
  #isDisposed = false

  constructor(options: CallQueueOptions) {
    this.#options = options
    this.#trouble = new Trouble(options.onTrouble)
  }

  /** Never throws and never waits. */
  add(call: NewCall): void {
    const room = roomOf(call)
    if (this.#waiting.length >= MOST_WAITING || this.#room + room > MOST_ROOM) {
      this.#trouble.tell(
        'Calls arrive faster than the disk can record them. Some are missing from the history.',
      )
      return
    }
    this.#room += room
    this.#waiting.push(call)
    if (this.#waiting.length >= BATCH && !this.#trouble.isThere) void this.#write()
    else this.#arm()
  }

  /** Settles when all that waits now was tried; rejects never. */
  async flush(): Promise<void> {
    await this.#writing
    if (this.#waiting.length > 0) await this.#write()
  }

  /** Forgets what waits; settles when none of it is on its way any more. */
  async clear(): Promise<void> {
    this.#waiting = []
    this.#room = 0
    await this.#writing
  }

  /** What waits still is forgotten. */
  [Symbol.dispose](): void {
    this.#isDisposed = true
    this.#timer?.[Symbol.dispose]()
  }

  #arm(): void {
    if (this.#writing || this.#isDisposed || this.#waiting.length === 0) return
    const ms = this.#trouble.isThere ? RETRY_MS : WRITE_AFTER_MS
    this.#timer ??= this.#options.time.after(ms, () => void this.#write())
  }

  #write(): Promise<void> {
    this.#timer?.[Symbol.dispose]()
    this.#timer = undefined
    this.#writing ??= this.#writeWaiting().finally(() => {
      this.#writing = undefined
      this.#arm()
    })
    return this.#writing
  }

  /** Those that come meanwhile wait for their own turn, unless they are many. */
  async #writeWaiting(): Promise<void> {
    let left = this.#waiting.length
    try {
      do {
        const batch = this.#waiting.slice(0, BATCH)
        left -= batch.length
        await this.#options.write(batch)
        this.#written(batch)
      } while (this.#waiting.length >= (left > 0 ? 1 : BATCH))
    } catch (error) {
      this.#trouble.tell(`Calls can’t be written to disk (${messageOf(error)}).`)
    }
  }

  #written(batch: readonly NewCall[]): void {
    // Where they were forgotten meanwhile, others wait in their place.
    if (this.#waiting[0] === batch[0]) {
      this.#waiting.splice(0, batch.length)
      for (const call of batch) this.#room -= roomOf(call)
    }
    this.#trouble.tell(undefined)
  }
}
