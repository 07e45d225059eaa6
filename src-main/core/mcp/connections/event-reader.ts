import { endsOf, MessageFraming, type OversizedMessage } from '../../lines/message-framing'

const [NEWLINE, RETURN] = [0x0a, 0x0d]
const SPACE = Buffer.from(' ')
const MARK = Buffer.from('\u{FEFF}')
const FIELD = /^(?:(data)(?:: ?|$)|(id|event|retry): ?)/u
/** Length of the longest field name that matters. */
const NAME_BYTES = 16
/** Maximum length of a value other than data, in bytes. */
const MAX_VALUE = 4_096
/** Memory of a data line in addition to its bytes. */
const LINE_COST = 100

/** An event of a server. Multiple data lines are joined by spaces, which JSON allows between tokens. */
export type ServerEvent = {
  id?: string
  event?: string
  retry?: string
  data?: Buffer
  oversized?: OversizedMessage
}

/** Parses an event stream (HTML, 9.2.6) in linear time, and buffers at most one event. */
export class EventReader {
  readonly #framing: MessageFraming
  #endsInReturn = false
  #isFirstLine = true
  #event: ServerEvent = {}
  #lines: Buffer[] = []
  #bytes = 0
  #events: ServerEvent[] = []

  constructor(private readonly maxBytes: number) {
    this.#framing = new MessageFraming(
      maxBytes + NAME_BYTES,
      (line) => this.#takeLine(line),
      ({ bytes, head, tail }) => {
        const [field, isData] = FIELD.exec(head.toString('latin1', 0, NAME_BYTES)) ?? []
        if (field !== undefined && isData !== undefined)
          this.#addOversized({ bytes, head: head.subarray(field.length), tail })
      },
      { onEmpty: () => this.#endEvent() },
    )
  }

  /** Processes bytes of the stream, and returns the events that end in them. */
  push(bytes: Buffer): readonly ServerEvent[] {
    this.#framing.push(this.#withNewlines(bytes))
    return this.#events.splice(0)
  }

  /** Replaces every line ending of a chunk by `\n`; a chunk may end within one (HTML, 9.2.5). */
  #withNewlines(bytes: Buffer): Buffer {
    const chunk = this.#endsInReturn && bytes[0] === NEWLINE ? bytes.subarray(1) : bytes
    if (bytes.length > 0) this.#endsInReturn = bytes.at(-1) === RETURN
    if (!chunk.includes(RETURN)) return chunk
    return Buffer.from(chunk.toString('latin1').replaceAll(/\r\n?/gu, '\n'), 'latin1')
  }

  #takeLine(whole: Buffer): void {
    const hasMark = this.#isFirstLine && whole.subarray(0, MARK.length).equals(MARK)
    this.#isFirstLine = false
    const line = hasMark ? whole.subarray(MARK.length) : whole
    const [field, isData, name] = FIELD.exec(line.toString('latin1', 0, NAME_BYTES)) ?? []
    if (field === undefined) return
    const value = line.subarray(field.length)
    if (isData === undefined) {
      if (value.length <= MAX_VALUE) this.#event[name as 'id'] = value.toString()
      return
    }
    this.#bytes += value.length + (this.#lines.length > 0 ? LINE_COST : 0)
    this.#lines.push(value)
    if (this.#event.oversized || this.#bytes > this.maxBytes)
      this.#addOversized({ ...endsOf(this.#joined()), bytes: this.#bytes })
  }

  #addOversized({ bytes, head, tail }: OversizedMessage): void {
    const before = this.#event.oversized
    this.#event.oversized = {
      bytes: bytes + (before?.bytes ?? 0),
      head: before?.head ?? head,
      tail,
    }
    this.#lines = []
    this.#bytes = 0
  }

  #joined(): Buffer {
    const [first, ...more] = this.#lines
    return more.length === 0 && first
      ? first
      : Buffer.concat(this.#lines.flatMap((line, at) => (at === 0 ? [line] : [SPACE, line])))
  }

  #endEvent(): void {
    if (this.#lines.length > 0 && !this.#event.oversized) this.#event.data = this.#joined()
    if (Object.keys(this.#event).length > 0) this.#events.push(this.#event)
    this.#event = {}
    this.#lines = []
    this.#bytes = 0
  }
}
