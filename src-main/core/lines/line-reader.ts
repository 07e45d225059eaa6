import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

import { TimeSlicer } from './time-slicer'

/** A line of more bytes than this is given out in parts. */
export const LONG_LINE = 8_192

type LineReceiver = {
  /** A line of at most `LONG_LINE` bytes, without its end. `isCut`: the stream ended before the line did. */
  readonly onLine: (text: string, isCut: boolean) => void
  /** Some bytes of a longer line, in order; a character may be spread over two parts. Not to be kept. */
  readonly onLongPart: (bytes: Buffer) => void
  readonly onLongEnd: (isCut: boolean) => void
}

const CR = 13

/**
 * Splits a byte stream into lines at LF and CRLF, in memory of two lines of `LONG_LINE` bytes. As in a terminal, text behind a
 * lone CR (a progress bar) replaces the text before it. UTF-8 has neither byte within a character, so only long lines are
 * cut inside one.
 */
export class LineSplitter {
  /** The begin of a line whose end has not come yet. */
  readonly #partial = Buffer.allocUnsafe(LONG_LINE)
  #length = 0
  #isLong = false
  /** Text that ended at a CR, which the next text replaces. */
  #held: string | undefined
  /** A long line ended at a CR and was given out: an LF right behind it belongs to that end. */
  #isBehindLong = false

  constructor(private readonly receiver: LineReceiver) {}

  /** Takes bytes until `isTimeUp` says so after a line or part; returns how many were taken, at least one. */
  push(chunk: Buffer, isTimeUp: () => boolean = () => false): number {
    let from = 0
    let feed = -1
    let back = -1
    while (from < chunk.length) {
      // Each is looked for again only once it is passed, so that a chunk is searched once.
      if (feed < from) feed = indexOrEnd(chunk, LF, from)
      if (back < from) back = indexOrEnd(chunk, CR, from)
      const end = Math.min(feed, back)
      const isLine = end < chunk.length && end - from <= LONG_LINE
      const upTo = Math.min(end, from + LONG_LINE)
      if (!isLine) this.#keep(chunk, from, upTo)
      else if (chunk[end] === CR) this.#hold(chunk, from, end)
      else this.#finish(chunk, from, end)
      from = isLine ? end + 1 : upTo
      if (from < chunk.length && isTimeUp()) return from
    }
    return chunk.length
  }

  /** The begin of a line whose end has not come, or what a progress bar shows; empty for a long line. */
  get unfinished(): string {
    return this.#length > 0 ? this.#partial.toString('utf8', 0, this.#length) : (this.#held ?? '')
  }

  /** Gives out a last line without its end; call once, when the stream has ended. */
  end(): void {
    if (this.#isLong || this.#length > 0) this.#finish(this.#partial, 0, 0, true)
    else if (this.#held !== undefined) this.receiver.onLine(this.#held, false)
    this.#held = undefined
  }

  /** Forgets the line that has begun, as the bytes behind it will not come. */
  drop(): void {
    if (this.#isLong) this.receiver.onLongEnd(true)
    this.#isLong = false
    this.#length = 0
    this.#held = undefined
    this.#isBehindLong = false
  }

  #keep(chunk: Buffer, from: number, to: number): void {
    if (!this.#isLong && this.#length + to - from <= LONG_LINE) {
      this.#length += chunk.copy(this.#partial, this.#length, from, to)
      return
    }
    this.#goLong()
    this.receiver.onLongPart(chunk.subarray(from, to))
  }

  #goLong(): void {
    this.#isLong = true
    this.#held = undefined
    if (this.#length > 0) this.receiver.onLongPart(this.#partial.subarray(0, this.#length))
    this.#length = 0
  }

  /** Keeps the text before a CR until it is known whether other text replaces it. */
  #hold(chunk: Buffer, from: number, to: number): void {
    if (this.#isOver(to - from)) {
      this.#finishLong(chunk, from, to, false)
      this.#isBehindLong = true
    } else {
      const text = this.#take(chunk, from, to)
      if (text === '') return
      this.#held = text
      this.#isBehindLong = false
    }
  }

  #finish(chunk: Buffer, from: number, to: number, isCut = false): void {
    if (this.#isOver(to - from)) {
      this.#finishLong(chunk, from, to, isCut)
    } else {
      const text = this.#take(chunk, from, to)
      const held = this.#held ?? ''
      this.#held = undefined
      if (text !== '' || !this.#isBehindLong) this.receiver.onLine(text === '' ? held : text, isCut)
    }
    this.#isBehindLong = false
  }

  #isOver(more: number): boolean {
    return this.#isLong || this.#length + more > LONG_LINE
  }

  #finishLong(chunk: Buffer, from: number, to: number, isCut: boolean): void {
    this.#goLong()
    if (to > from) this.receiver.onLongPart(chunk.subarray(from, to))
    this.#isLong = false
    this.receiver.onLongEnd(isCut)
  }

  /** The text that has come so far with these bytes. */
  #take(chunk: Buffer, from: number, to: number): string {
    if (this.#length === 0) return chunk.toString('utf8', from, to)
    this.#length += chunk.copy(this.#partial, this.#length, from, to)
    const text = this.#partial.toString('utf8', 0, this.#length)
    this.#length = 0
    return text
  }
}

function indexOrEnd(chunk: Buffer, byte: number, from: number): number {
  const at = chunk.indexOf(byte, from)
  return at === -1 ? chunk.length : at
}

/** Most bytes that wait to be read as lines; of more the oldest are dropped, down to half, so that dropping is rare. */
export const MAX_WAITING = 3 * 1024 * 1024
/** Chunks that were read are removed at least so often. */
const MAX_READ = 1_024
/** From this many bytes on the stream is paused while there is time to read them. */
const HELD_BACK = 256 * 1024

const LF = 10

/** Where the lines of a stream go, and what is said of those that came too fast. */
export type StreamReceiver = LineReceiver & {
  /** So many lines, at least one, were dropped before the next one. `isInside`: the next bytes are from within a line. */
  readonly onLost: (lines: number, isInside: boolean) => void
}

/**
 * Reads the lines of one stream in bounded memory and time: ordinary traffic immediately, a burst in turns while its
 * stream is paused, and of a flood what there is time for. Then the oldest bytes are dropped and their lines counted.
 */
export class LineReader {
  readonly #splitter: LineSplitter
  #received = 0
  /** Those before `#from` are read. */
  #waiting: Buffer[] = []
  #from = 0
  #size = 0
  #isScheduled = false
  #hasEnded = false
  #onCaughtUp: (() => void)[] = []

  constructor(
    private readonly receiver: StreamReceiver,
    private readonly pace = new TimeSlicer(),
  ) {
    this.#splitter = new LineSplitter(receiver)
  }

  get waiting(): number {
    return this.#size
  }

  get received(): number {
    return this.#received
  }

  /** The begin of a line whose end has not come, such as a prompt, or what a progress bar shows. */
  get unfinished(): string {
    return this.#splitter.unfinished
  }

  /** Takes bytes of the stream. False: better to wait for `caughtUp` before more is given. */
  push(chunk: Buffer): boolean {
    this.#waiting.push(chunk)
    this.#size += chunk.length
    this.#received += chunk.length
    if (this.#size > MAX_WAITING) this.#dropOldest()
    if (!this.#isScheduled) {
      this.#isScheduled = true
      this.pace.do(this.#work)
    }
    return !this.#isHeldBack
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
    while (this.#size > 0) this.#work(() => false)
  }

  /** The stream has ended: reads what waits and a last line without its end. */
  end(): void {
    this.flush()
    if (!this.#hasEnded) this.#splitter.end()
    this.#hasEnded = true
  }

  readonly #work = (isTimeUp: () => boolean): boolean => {
    for (let chunk = this.#next; chunk; chunk = this.#next) {
      this.#take(chunk, this.#splitter.push(chunk, isTimeUp))
      if (isTimeUp()) break
    }
    this.#isScheduled = this.#size > 0
    if (!this.#isHeldBack) for (const settle of this.#onCaughtUp.splice(0)) settle()
    return this.#isScheduled
  }

  get #next(): Buffer | undefined {
    return this.#waiting[this.#from]
  }

  get #isHeldBack(): boolean {
    return this.#size >= HELD_BACK && !this.pace.isFlooded
  }

  /** Takes so many bytes of the oldest away. */
  #take(chunk: Buffer, count: number): void {
    this.#size -= count
    if (count < chunk.length) {
      this.#waiting[this.#from] = chunk.subarray(count)
      return
    }
    this.#from += 1
    // Many at a time: removing the first of hundreds of thousands of short lines moves all others each time.
    if (this.#from === this.#waiting.length || this.#from >= MAX_READ) {
      this.#waiting = this.#waiting.slice(this.#from)
      this.#from = 0
    }
  }

  /** Drops up to the end of a line where there is one. */
  #dropOldest(): void {
    this.pace.drop()
    const before = this.#size
    let lines = 0
    for (let chunk = this.#next; chunk && this.#size > MAX_WAITING / 2; chunk = this.#next) {
      const dropped = chunk.subarray(0, this.#size - MAX_WAITING / 2)
      for (let at = dropped.indexOf(LF); at !== -1; at = dropped.indexOf(LF, at + 1)) lines += 1
      this.#take(chunk, dropped.length)
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

/** Where a stream's lines go: one by one, the begin of a long one alone; or to an intake, which keeps all of it. */
export type LineSink = ((line: string) => void) | LineReader

export function lineReaderOf(sink: LineSink): LineReader {
  return typeof sink === 'function' ? simpleReader(sink) : sink
}

/** Reads every line of a stream until it closes; never rejects. */
export function drainLines(stream: Readable, sink: LineSink): Promise<void> {
  const intake = lineReaderOf(sink)
  stream.on('data', (chunk: Buffer) => {
    if (intake.push(chunk)) return
    stream.pause()
    void intake.caughtUp().then(() => stream.resume())
  })
  return new Promise((resolve) => {
    stream.once('error', (error) => {
      intake.pushLine(Buffer.from(`(the stream failed: ${error.message})`))
    })
    stream.once('close', () => {
      intake.end()
      resolve()
    })
  })
}

/** Says of a long line how much of it is not shown. */
function simpleReader(onLine: (line: string) => void): LineReader {
  let begin = Buffer.alloc(0)
  let length = 0
  // The rest of a line whose begin was dropped may be the rest of a secret, which nobody could tell.
  let isInside = false
  return new LineReader({
    onLine: (text) => {
      if (!isInside) onLine(text)
      isInside = false
    },
    onLongPart: (bytes) => {
      begin = Buffer.concat([begin, bytes]).subarray(0, LONG_LINE)
      length += bytes.length
    },
    onLongEnd: () => {
      const more = `… (${String(length - begin.length)} more bytes)`
      if (!isInside) onLine(`${new StringDecoder('utf8').write(begin)} ${more}`)
      isInside = false
      begin = Buffer.alloc(0)
      length = 0
    },
    onLost: (lines, nowInside) => {
      isInside = nowInside
      onLine(`(${String(lines)} lines were dropped because they came too fast)`)
    },
  })
}
