import { type LineReceiver, LineSplitter, LONG_LINE } from './line-splitter'
import { WorkPace } from './work-pace'

/** Most bytes that wait to be read as lines; of more the oldest are dropped. */
export const MOST_WAITING = 3 * 1024 * 1024
/** What is left of them then, so that dropping is rare. */
const KEPT = MOST_WAITING / 2
/** Largest part that is dropped at a time. */
const PART = 64 * 1024
/** Chunks that were read are let go at least so often. */
const MOST_READ = 1_024
/** From this many on the stream is held back while there is time saved up to read them. */
const HELD_BACK = 256 * 1024

const LF = 10

/** Where the lines of a stream go, and what is said of those that came too fast. */
export type IntakeReceiver = LineReceiver & {
  /**
   * So many lines, at least one, were dropped before the next one. `isInside`: the next bytes are from
   * the middle of a line, and anything may have stood before them.
   */
  readonly onLost: (lines: number, isInside: boolean) => void
}

/**
 * Reads the lines of one stream in bounded memory and time, whatever comes: ordinary traffic at once, a
 * burst in turns while its stream is held back, and of a flood what there is time for. Then the oldest
 * bytes are dropped, up to the end of a line where there is one, and their lines are counted; the newest
 * always survive.
 */
export class LineIntake {
  readonly #splitter: LineSplitter
  /** Those before `#from` are read. */
  #waiting: Buffer[] = []
  #from = 0
  #size = 0
  #isScheduled = false
  #hasEnded = false
  #onCaughtUp: (() => void)[] = []

  constructor(
    private readonly receiver: IntakeReceiver,
    private readonly pace = new WorkPace(),
  ) {
    this.#splitter = new LineSplitter(receiver)
  }

  /** Bytes that wait to be read. */
  get waiting(): number {
    return this.#size
  }

  /** Takes bytes of the stream. False: better to wait for `caughtUp` before more is given. */
  push(chunk: Buffer): boolean {
    // In parts, as the oldest are dropped whole.
    for (let at = 0; at < chunk.length; at += PART)
      this.#waiting.push(chunk.subarray(at, at + PART))
    this.#size += chunk.length
    if (this.#size > MOST_WAITING) this.#dropOldest()
    if (!this.#isScheduled) {
      this.#isScheduled = true
      this.pace.do(this.#work)
    }
    return this.#size < HELD_BACK || this.pace.isFlooded
  }

  /** Takes one line without its end. */
  pushLine(line: Buffer): void {
    this.push(Buffer.concat([line, Buffer.of(LF)]))
  }

  /** Settles when little waits to be read, or when there is no time for it anymore. */
  caughtUp(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#size === 0) resolve()
      else this.#onCaughtUp.push(resolve)
    })
  }

  /** Reads what waits, now: at most 3 MB. */
  flush(): void {
    if (this.#size > 0) this.pace.doAll(this.#work)
  }

  /** The stream has ended: reads what waits and a last line without its end. */
  end(): void {
    this.flush()
    if (!this.#hasEnded) this.#splitter.end()
    this.#hasEnded = true
  }

  readonly #work = (isTimeUp: () => boolean): boolean => {
    for (let chunk = this.#next; chunk; chunk = this.#next) {
      const taken = this.#splitter.push(chunk, isTimeUp)
      this.#take(chunk, taken)
      if (isTimeUp()) break
    }
    this.#isScheduled = this.#size > 0
    if (this.#size < HELD_BACK || this.pace.isFlooded) {
      for (const tell of this.#onCaughtUp.splice(0)) tell()
    }
    return this.#isScheduled
  }

  /** The oldest that waits. */
  get #next(): Buffer | undefined {
    return this.#waiting[this.#from]
  }

  /** Takes so many bytes of the oldest away. */
  #take(chunk: Buffer, count: number): void {
    this.#size -= count
    if (count < chunk.length) {
      this.#waiting[this.#from] = chunk.subarray(count)
      return
    }
    this.#from += 1
    // Seldom, and many at a time: taking one from the begin of a long array moves all others.
    if (this.#from === this.#waiting.length || this.#from >= MOST_READ) {
      this.#waiting = this.#waiting.slice(this.#from)
      this.#from = 0
    }
  }

  #dropOldest(): void {
    this.pace.drop()
    const before = this.#size
    let lines = 0
    for (let chunk = this.#next; chunk && this.#size > KEPT; chunk = this.#next) {
      lines += countNewlines(chunk)
      this.#take(chunk, chunk.length)
    }
    const chunk = this.#next
    const end = chunk?.indexOf(LF) ?? -1
    const isInside = end === -1
    if (chunk) this.#take(chunk, isInside ? restOfCharacter(chunk) : end + 1)
    this.#splitter.drop()
    const pieces = Math.ceil((before - this.#size) / LONG_LINE)
    this.receiver.onLost(isInside ? Math.max(lines, pieces) : lines + 1, isInside)
  }
}

/** How many bytes belong to a character whose first byte was before them. */
function restOfCharacter(bytes: Buffer): number {
  const first = bytes.subarray(0, 3).findIndex((byte) => (byte & 0xc0) !== 0x80)
  return Math.max(0, first)
}

function countNewlines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) count += 1
  return count
}
