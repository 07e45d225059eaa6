import { endsOf, MessageFraming, type OversizedMessage } from '../../lines/message-framing'

const NEWLINE = 0x0a
const RETURN = 0x0d
const MARK = Buffer.from('\u{FEFF}')
const FIELD = /^(?:(data)(?:: ?|$)|(id|event|retry): ?)/u
/** Holds the longest name of a field that is kept. */
const NAME_BYTES = 16
/** Of a value that is no message, in bytes. */
const MAX_VALUE = 4_096
/** What a further line of data takes in memory besides its bytes. */
const LINE_COST = 32

export type EventFields = { id?: string; event?: string; retry?: string }

export type EventReaderOptions = {
  readonly maxBytes: number
  /** Several lines of data are joined by spaces, which JSON allows between its tokens. */
  readonly onData: (data: Buffer, fields: EventFields) => void
  readonly onOversized: (message: OversizedMessage, fields: EventFields) => void
  readonly onEmpty: (fields: EventFields, hasData: boolean) => void
}

/** Reads a stream of events (HTML, 9.2.6) in time linear in its bytes, and holds no more than one event may have. */
export class EventReader {
  readonly #lines: MessageFraming
  #endsInReturn = false
  #isFirstLine = true
  #isLineEmpty = true
  #data: Buffer | undefined
  #more: string[] = []
  #bytes = 0
  #oversized: OversizedMessage | undefined
  #fields: EventFields = {}

  constructor(private readonly options: EventReaderOptions) {
    this.#lines = new MessageFraming(
      options.maxBytes + NAME_BYTES,
      (line) => this.#takeLine(line),
      ({ bytes, head, tail }) => {
        const [field, isData] = FIELD.exec(head.toString('latin1', 0, NAME_BYTES)) ?? []
        if (field !== undefined && isData !== undefined)
          this.#addOversized({ bytes, head: head.subarray(field.length), tail })
      },
    )
  }

  push(bytes: Buffer): void {
    const chunk = this.#withNewlines(bytes)
    for (let from = 0; from < chunk.length;) {
      const at = chunk.indexOf(NEWLINE, from)
      const to = at === -1 ? chunk.length : at + 1
      if (at === from && this.#isLineEmpty) this.#endEvent()
      else this.#lines.push(chunk.subarray(from, to))
      this.#isLineEmpty = at !== -1
      from = to
    }
  }

  /** The chunk with `\n` for every end of a line; a chunk may end within one (HTML, 9.2.5). */
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
    if (isData !== undefined) this.#addData(value)
    else if (value.length <= MAX_VALUE) this.#fields[name as keyof EventFields] = value.toString()
  }

  #addData(line: Buffer): void {
    if (this.#data) {
      this.#more.push(line.toString())
      this.#bytes += LINE_COST
    } else this.#data = line
    this.#bytes += line.length
    if (this.#oversized || this.#bytes > this.options.maxBytes)
      this.#addOversized({ ...endsOf(this.#joined()), bytes: this.#bytes })
  }

  #addOversized({ bytes, head, tail }: OversizedMessage): void {
    this.#oversized = {
      bytes: bytes + (this.#oversized?.bytes ?? 0),
      head: this.#oversized?.head ?? head,
      tail,
    }
    this.#data = undefined
    this.#more = []
    this.#bytes = 0
  }

  #joined(): Buffer {
    const data = this.#data ?? Buffer.alloc(0)
    return this.#more.length === 0 ? data : Buffer.from([data.toString(), ...this.#more].join(' '))
  }

  #endEvent(): void {
    const { onData, onEmpty, onOversized } = this.options
    const [fields, oversized, hasData] = [this.#fields, this.#oversized, this.#data !== undefined]
    const data = this.#joined()
    this.#fields = {}
    this.#oversized = undefined
    this.#data = undefined
    this.#more = []
    this.#bytes = 0
    if (oversized) onOversized(oversized, fields)
    else if (data.length > 0) onData(data, fields)
    else if (hasData || Object.keys(fields).length > 0) onEmpty(fields, hasData)
  }
}
