import { MessageFraming, type OversizedMessage } from '../../lines/message-framing'

const NEWLINE = 0x0a
const RETURN = 0x0d
const COLON = 0x3a
const LINE_END = Buffer.from('\n')
/** Between lines of data: in JSON any space does. */
const JOINT = Buffer.from(' ')
/** Of the fields that are kept, with its colon: enough of a line to tell whose it is. */
const LONGEST_NAME = 'event:'.length
/** Of a value that is no message, in bytes. */
const LONGEST_VALUE = 4_096
const MARK = Buffer.from('\u{FEFF}')
/** Pieces of data below this are joined before they are held: each costs more than its bytes. */
const SMALL_BYTES = 4_096
const JOINED_BYTES = 16 * SMALL_BYTES

/** What an event said besides its data, as it was written. */
export type EventFields = { id?: string; event?: string; retry?: string }

export type EventReaderOptions = {
  /** Of the data of one event. */
  readonly maxBytes: number
  /** An event with data that is not too large; the lines of it are joined by spaces. */
  readonly onData: (data: Buffer, fields: EventFields) => void
  /** One with too much of it: only both ends of that are left. */
  readonly onOversized: (message: OversizedMessage, fields: EventFields) => void
  /** One whose data is empty or missing. */
  readonly onEmpty: (fields: EventFields, hasData: boolean) => void
}

/**
 * Reads a stream of events (HTML, 9.2.6) in time linear in its bytes and holds no more of it than one event may have.
 * What is in no field that is known is let go as it comes.
 */
export class EventReader {
  readonly #options: EventReaderOptions
  readonly #ends = new LineEnds()
  readonly #framing: MessageFraming
  /** Of the line that is read: its begin until that tells its field, then the field. */
  #start: Buffer = Buffer.alloc(0)
  #field: 'data' | 'other' | 'ignored' | undefined
  #value = ''
  #isFirstLine = true
  #small: Buffer | undefined
  #smallBytes = 0
  #fields: EventFields = {}
  #hasData = false
  /** Whether the data became a call of `onData` or `onOversized`. */
  #isTold = false

  constructor(options: EventReaderOptions) {
    this.#options = options
    this.#framing = new MessageFraming(
      options.maxBytes,
      (data) => {
        this.#isTold = true
        options.onData(data, this.#fields)
      },
      (message) => {
        this.#isTold = true
        options.onOversized(message, this.#fields)
      },
    )
  }

  push(bytes: Buffer): void {
    const chunk = this.#ends.normalize(bytes)
    for (let from = 0; from < chunk.length;) {
      const at = chunk.indexOf(NEWLINE, from)
      const to = at === -1 ? chunk.length : at
      if (to > from) this.#add(chunk.subarray(from, to))
      if (at !== -1) this.#endLine()
      from = to + 1
    }
  }

  #add(part: Buffer): void {
    if (this.#field === undefined) {
      const start = this.#start.length > 0 ? Buffer.concat([this.#start, part]) : part
      this.#start = Buffer.alloc(0)
      // A chunk may end within the name.
      if (start.length < LONGEST_NAME + MARK.length) this.#start = Buffer.from(start)
      else this.#begin(start)
    } else if (this.#field === 'data') this.#addData(part)
    else if (this.#field === 'other' && this.#value.length <= LONGEST_VALUE)
      this.#value += part.toString('utf8', 0, LONGEST_VALUE)
  }

  /** Takes the begin of a line, or all of a short one. */
  #begin(start: Buffer): void {
    const hasMark = this.#isFirstLine && start.subarray(0, MARK.length).equals(MARK)
    const line = hasMark ? start.subarray(MARK.length) : start
    const colon = line.subarray(0, LONGEST_NAME).indexOf(COLON)
    const name = line.toString('latin1', 0, colon === -1 ? LONGEST_NAME : colon)
    if (name === 'data') {
      this.#field = 'data'
      if (this.#hasData) this.#addData(JOINT)
      this.#hasData = true
      if (colon !== -1) this.#addData(line.subarray(colon + 1))
    } else if (colon !== -1 && (name === 'id' || name === 'event' || name === 'retry')) {
      this.#field = 'other'
      this.#value = line.toString('utf8')
    } else this.#field = 'ignored'
  }

  #endLine(): void {
    const isEmpty = this.#field === undefined && this.#start.length === 0
    if (this.#field === undefined && !isEmpty) this.#begin(this.#start)
    if (this.#field === 'other' && this.#value.length <= LONGEST_VALUE) this.#keepValue()
    this.#field = undefined
    this.#start = Buffer.alloc(0)
    this.#value = ''
    this.#isFirstLine = false
    if (isEmpty) this.#endEvent()
  }

  #addData(piece: Buffer): void {
    if (piece.length >= SMALL_BYTES) {
      this.#flushSmall()
      this.#framing.push(piece)
      return
    }
    if (this.#smallBytes + piece.length > JOINED_BYTES) this.#flushSmall()
    this.#small ??= Buffer.allocUnsafe(JOINED_BYTES)
    this.#smallBytes += piece.copy(this.#small, this.#smallBytes)
  }

  #flushSmall(): void {
    if (!this.#small || this.#smallBytes === 0) return
    this.#framing.push(Buffer.from(this.#small.subarray(0, this.#smallBytes)))
    this.#smallBytes = 0
  }

  #keepValue(): void {
    const colon = this.#value.indexOf(':')
    const name = this.#value.slice(0, colon) as keyof EventFields
    this.#fields[name] = this.#value.slice(colon + 1).replace(/^ /u, '')
  }

  #endEvent(): void {
    this.#flushSmall()
    if (this.#hasData) this.#framing.push(LINE_END)
    const isNews = this.#hasData || Object.keys(this.#fields).length > 0
    if (!this.#isTold && isNews) this.#options.onEmpty(this.#fields, this.#hasData)
    this.#fields = {}
    this.#hasData = false
    this.#isTold = false
  }
}

/** Makes every end of a line `\n` in a stream of bytes: there are three, and a chunk may end within one (HTML, 9.2.5). */
class LineEnds {
  #isBehindReturn = false

  /** The next chunk, itself where nothing is to be done. */
  normalize(chunk: Buffer): Buffer {
    if (!this.#isBehindReturn && !chunk.includes(RETURN)) return chunk
    const normalized = Buffer.allocUnsafe(chunk.length)
    let length = 0
    for (const byte of chunk) {
      const isSecondHalf = this.#isBehindReturn && byte === NEWLINE
      this.#isBehindReturn = byte === RETURN
      if (isSecondHalf) continue
      normalized[length] = byte === RETURN ? NEWLINE : byte
      length += 1
    }
    return normalized.subarray(0, length)
  }
}
