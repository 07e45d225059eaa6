import { StringDecoder } from 'node:string_decoder'

import { type Color, createAnsiSequenceParser, type ParseToken } from 'ansi-sequence-parser'
import ansi from 'ansi-styles'

import {
  type LogEntry,
  TerminalColor,
  type TextStyle,
} from '../../../src-shared/domain/running/log-entry'
import { levelOf } from '../lines/line-level'
import type { StreamReceiver } from '../lines/line-reader'
import {
  type ColourCode,
  type MaskStream,
  readTerminalText,
  type Redactor,
} from '../masking/redact'

/** Most ranges that a line carries; what follows looks ordinary. */
const MOST_RANGES = 200
/** Digits and semicolons alone: a parser that knows no others would read the rest of the line as codes. */
const PLAIN_CODES = /^[\d;]{0,64}$/u

const DECORATIONS = ['bold', 'dim', 'italic', 'underline'] as const

/** How the parts of a line look, from the colour sequences that stood in it; every line begins plain. */
export function textStyles(text: string, colours: readonly ColourCode[]): TextStyle[] {
  const parser = createAnsiSequenceParser()
  const styles: TextStyle[] = []
  for (const [index, { at, codes }] of colours.entries()) {
    const end = colours[index + 1]?.at ?? text.length
    const known = PLAIN_CODES.test(codes) ? spelledOut(codes) : ''
    // A part without characters still changes what follows.
    const tokens = parser.parse(`${known}${text.slice(at, end)}`)
    const style = tokens.map(styleOf).find((one) => one !== undefined)
    if (style && end > at) styles.push({ start: at, end, ...style })
    if (styles.length === MOST_RANGES) break
  }
  return styles
}

/** A missing code means 0, which the parser does not know. */
function spelledOut(codes: string): string {
  const all = codes.split(';').map((code) => (code === '' ? '0' : code))
  return `\u001b[${all.join(';')}m`
}

function styleOf({
  foreground,
  background,
  decorations,
}: ParseToken): Omit<TextStyle, 'start' | 'end'> | undefined {
  const front = foreground === null ? undefined : nearest(foreground)
  const back = background === null ? undefined : nearest(background)
  // Turned without a colour is ink for ground: the neutral ground tells it from its surroundings.
  const [color, ground] = decorations.has('reverse') ? [back, front ?? 'white'] : [front, back]
  const style = {
    ...(color && { color }),
    ...(ground && { background: ground }),
    ...Object.fromEntries(
      DECORATIONS.filter((one) => decorations.has(one)).map((one) => [one, true]),
    ),
  }
  return Object.keys(style).length > 0 ? style : undefined
}

/** The one of the 16 that a terminal of no more would show. */
function nearest(color: Color): TerminalColor | undefined {
  if (color.type === 'named') return color.name
  const code = color.type === 'rgb' ? ansi.rgbToAnsi(...color.rgb) : ansi.ansi256ToAnsi(color.index)
  // 30 to 37, and the bright ones from 90 on.
  return TerminalColor.options[code < 90 ? code - 30 : code - 82]
}

/** Most characters of one piece. */
export const PIECE = 8_192

/**
 * A line too long for one entry, as plain masked pieces. They are cut from the masked text, so that
 * they are the same wherever the bytes were cut, and no secret lies across two of them.
 */
class LongLine {
  readonly #decoder = new StringDecoder('utf8')
  #sequence = ''
  #shown = ''

  constructor(
    private readonly mask: MaskStream,
    /** `continues`: another piece follows. */
    private readonly onPiece: (text: string, continues: boolean) => void,
  ) {}

  push(bytes: Buffer): void {
    this.#read(this.#decoder.write(bytes), true)
    this.#cut()
  }

  /** `isCut`: the line broke off. */
  end(isCut: boolean): void {
    this.#read(this.#decoder.end(), false)
    this.#shown += this.mask.end(isCut)
    this.#cut()
    this.onPiece(this.#shown, false)
  }

  #read(raw: string, mayGoOn: boolean): void {
    const { text, held } = readTerminalText(this.#sequence + raw, mayGoOn)
    this.#sequence = held
    this.#shown += this.mask.push(text)
  }

  /** The last piece stays, as it is not known yet whether another follows. */
  #cut(): void {
    let from = 0
    while (this.#shown.length - from > PIECE) {
      const last = from + PIECE - 1
      // The two halves of a character stay together.
      const to = (this.#shown.codePointAt(last) ?? 0) > 0xffff ? last : last + 1
      this.onPiece(this.#shown.slice(from, to), true)
      from = to
    }
    this.#shown = this.#shown.slice(from)
  }
}

/** What a line becomes before it gets its place in a log. */
export type LoggedLine = Omit<LogEntry, 'seq' | 'at'>

/** The text of a whole line for display: plain, masked, with its colours unless they stood in what is masked. */
export function shapeLine(
  raw: string,
  mask: (text: string) => string,
): Pick<LoggedLine, 'text' | 'styles'> {
  const { text, colours } = readTerminalText(raw)
  const masked = mask(text)
  if (colours.length === 0 || masked !== text) return { text: masked }
  const styles = textStyles(text, colours)
  return styles.length > 0 ? { text, styles } : { text }
}

/** Makes entries of the lines of one stream; every piece of a long line becomes an entry. */
export class LogReceiver implements StreamReceiver {
  #long: LongLine | undefined
  /** The next text is from within a line. */
  #isInside = false
  #level: LogEntry['level'] | undefined

  constructor(
    private readonly source: LogEntry['source'],
    private readonly redactor: Redactor,
    private readonly log: {
      readonly add: (line: LoggedLine) => void
      /** So many lines are missing here. */
      readonly skip: (lines: number) => void
    },
  ) {}

  readonly onLine = (raw: string, isCut: boolean): void => {
    if (isCut || this.#isInside) {
      this.onLongPart(Buffer.from(raw))
      this.onLongEnd(isCut)
      return
    }
    const shape = shapeLine(raw, this.redactor.maskWhole)
    this.log.add({ source: this.source, level: this.#levelOf(shape.text), ...shape })
  }

  readonly onLongPart = (bytes: Buffer): void => {
    this.#long ??= new LongLine(this.redactor.openStream(this.#isInside), this.#onPiece)
    this.#isInside = false
    this.#long.push(bytes)
  }

  readonly onLongEnd = (isCut: boolean): void => {
    this.#long?.end(isCut)
    this.#long = undefined
    this.#level = undefined
  }

  readonly onLost = (lines: number, isInside: boolean): void => {
    this.#isInside = isInside
    this.log.skip(lines)
  }

  /** All pieces have the level that the line claims at its begin. */
  readonly #onPiece = (text: string, continues: boolean): void => {
    const level = (this.#level ??= this.#levelOf(text))
    const more = continues && { continues: true as const }
    this.log.add({ source: this.source, level, text, ...more })
  }

  #levelOf(text: string): LogEntry['level'] {
    return this.source === 'stdout' ? 'warn' : levelOf(text)
  }
}
