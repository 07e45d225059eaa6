import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

import { TimeSlicer } from './time-slicer'

/** Lines with more bytes are delivered in parts. */
export const LONG_LINE = 8_192

type LineReceiver = {
  /** Gets a line of at most `LONG_LINE` bytes, without line ending. `isCut`: the stream ended before the line did. */
  readonly onLine: (text: string, isCut: boolean) => void
  /** Gets some bytes of a longer line, in order; a character may span two parts. The buffer must not be kept. */
  readonly onLongPart: (bytes: Buffer) => void
  readonly onLongEnd: (isCut: boolean) => void
}

const CR = 13

/**
 * Splits a byte stream into lines at LF and CRLF, in memory of two lines of `LONG_LINE` bytes. As in a terminal, text after a lone CR (a
 * progress bar) replaces the text before it. UTF-8 characters contain neither byte, so only long lines are cut inside one.
 */
export class LineSplitter {
  /** The beginning of an unfinished line. */
  readonly #partial = Buffer.allocUnsafe(LONG_LINE)
  #length = 0
  #isLong = false
  /** Text that ended at a CR; the next text replaces it. */
  #held: string | undefined
  /** A long line ended at a CR and was delivered: an LF directly after it belongs to that line ending. */
  #isBehindLong = false

  constructor(private readonly receiver: LineReceiver) {}

  /** Processes bytes until `isTimeUp` returns true after a line or part; returns the number of processed bytes, at least one. */
  push(chunk: Buffer, isTimeUp: () => boolean = () => false): number {
    let from = 0
    let feed = -1
    let back = -1
    while (from < chunk.length) {
      // Each is searched again only once it is passed, so that a chunk is searched once.
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

  /** The beginning of an unfinished line, or the state of a progress bar; empty for a long line. */
  get unfinished(): string {
    return this.#length > 0 ? this.#partial.toString('utf8', 0, this.#length) : (this.#held ?? '')
  }

  /** Delivers a last line without line ending; call once, when the stream has ended. */
  end(): void {
    if (this.#isLong || this.#length > 0) this.#finish(this.#partial, 0, 0, true)
    else if (this.#held !== undefined) this.receiver.onLine(this.#held, false)
    this.#held = undefined
  }

  /** Drops the unfinished line, because its remaining bytes won't come. */
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
    this.#startLongLine()
    this.receiver.onLongPart(chunk.subarray(from, to))
  }

  #startLongLine(): void {
    this.#isLong = true
    this.#held = undefined
    if (this.#length > 0) this.receiver.onLongPart(this.#partial.subarray(0, this.#length))
    this.#length = 0
  }

  /** Holds the text before a CR until it is known whether other text replaces it. */
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
    this.#startLongLine()
    if (to > from) this.receiver.onLongPart(chunk.subarray(from, to))
    this.#isLong = false
    this.receiver.onLongEnd(isCut)
  }

  /** Returns the text so far including these bytes. */
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

/** Maximum queued bytes; beyond that the oldest are dropped, down to half, so that this is rare. */
export const MAX_WAITING = 3 * 1024 * 1024
/** Maximum number of processed chunks before they are removed. */
const MAX_READ = 1_024
/** From this many queued bytes on the stream is paused while there is time to read them. */
const PAUSE_THRESHOLD = 256 * 1024

const LF = 10

/** Receives the lines of a stream, and the counts of dropped ones. */
export type StreamReceiver = LineReceiver & {
  /** This many lines, at least one, were dropped before the next one. `isInside`: the next bytes are from within a line. */
  readonly onLost: (lines: number, isInside: boolean) => void
}

/**
 * Reads the lines of one stream in bounded memory and time. Ordinary traffic is read immediately, a burst in turns while its stream is
 * paused, and of a flood as much as time allows. Then the oldest bytes are dropped and their lines counted.
 */
export class LineReader {
  readonly #splitter: LineSplitter
  #received = 0
  /** Chunks before `#from` are processed. */
  #queued: Buffer[] = []
  #from = 0
  #size = 0
  #isScheduled = false
  #hasEnded = false
  #onCaughtUp: (() => void)[] = []

  constructor(
    private readonly receiver: StreamReceiver,
    private readonly slicer = new TimeSlicer(),
  ) {
    this.#splitter = new LineSplitter(receiver)
  }

  get waiting(): number {
    return this.#size
  }

  get received(): number {
    return this.#received
  }

  /** The beginning of an unfinished line, such as a prompt, or the state of a progress bar. */
  get unfinished(): string {
    return this.#splitter.unfinished
  }

  /** Queues bytes of the stream. Returns false if the caller should wait for `caughtUp` before the next push. */
  push(chunk: Buffer): boolean {
    this.#queued.push(chunk)
    this.#size += chunk.length
    this.#received += chunk.length
    if (this.#size > MAX_WAITING) this.#dropOldest()
    if (!this.#isScheduled) {
      this.#isScheduled = true
      this.slicer.schedule(this.#work)
    }
    return !this.#shouldPause
  }

  /** Queues one line without line ending. */
  pushLine(line: Buffer): void {
    this.push(Buffer.concat([line, Buffer.of(LF)]))
  }

  /** Settles when few bytes are queued, or when there is no time for them anymore. */
  caughtUp(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#size === 0) resolve()
      else this.#onCaughtUp.push(resolve)
    })
  }

  /** Processes all queued bytes now: at most 3 MB. */
  flush(): void {
    while (this.#size > 0) this.#work(() => false)
  }

  /** Processes the queued bytes and a last line without line ending; call when the stream has ended. */
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
    if (!this.#shouldPause) for (const resolve of this.#onCaughtUp.splice(0)) resolve()
    return this.#isScheduled
  }

  get #next(): Buffer | undefined {
    return this.#queued[this.#from]
  }

  get #shouldPause(): boolean {
    return this.#size >= PAUSE_THRESHOLD && !this.slicer.isFlooded
  }

  /** Removes this many of the oldest bytes. */
  #take(chunk: Buffer, count: number): void {
    this.#size -= count
    if (count < chunk.length) {
      this.#queued[this.#from] = chunk.subarray(count)
      return
    }
    this.#from += 1
    // Many at a time: removing the first of hundreds of thousands of short lines would move all others each time.
    if (this.#from === this.#queued.length || this.#from >= MAX_READ) {
      this.#queued = this.#queued.slice(this.#from)
      this.#from = 0
    }
  }

  /** Drops bytes up to a line ending, if there is one. */
  #dropOldest(): void {
    this.slicer.drop()
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

/** Returns how many bytes belong to a character that began earlier. */
function restOfCharacter(bytes: Buffer): number {
  const first = bytes.subarray(0, 3).findIndex((byte) => (byte & 0xc0) !== 0x80)
  return Math.max(0, first)
}

/** The destination of a stream's lines: a callback, which gets only the beginning of long ones, or a reader, which gets everything. */
export type LineSink = ((line: string) => void) | LineReader

export function lineReaderOf(sink: LineSink): LineReader {
  return typeof sink === 'function' ? simpleReader(sink) : sink
}

/** Reads every line of a stream until it closes; never rejects. */
export function drainLines(stream: Readable, sink: LineSink): Promise<void> {
  const reader = lineReaderOf(sink)
  stream.on('data', (chunk: Buffer) => {
    if (reader.push(chunk)) return
    stream.pause()
    void reader.caughtUp().then(() => stream.resume())
  })
  return new Promise((resolve) => {
    stream.once('error', (error) => {
      reader.pushLine(Buffer.from(`(the stream failed: ${error.message})`))
    })
    stream.once('close', () => {
      reader.end()
      resolve()
    })
  })
}

/** Creates a reader that shortens long lines with a note. */
function simpleReader(onLine: (line: string) => void): LineReader {
  let begin = Buffer.alloc(0)
  let length = 0
  // The rest of a partly dropped line may be the rest of a secret, which couldn't be recognized.
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
