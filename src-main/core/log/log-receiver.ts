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

/** Most style ranges per line; the rest has no style. */
const MAX_RANGES = 200
/** Only digits and semicolons: the parser would read the rest of the line as codes otherwise. */
const PLAIN_CODES = /^[\d;]{0,64}$/u

const DECORATIONS = ['bold', 'dim', 'italic', 'underline'] as const

/** Styles of a line's parts, from its color sequences; every line starts plain. */
export function textStyles(text: string, colours: readonly ColourCode[]): TextStyle[] {
  const parser = createAnsiSequenceParser()
  const styles: TextStyle[] = []
  for (const [index, { at, codes }] of colours.entries()) {
    const end = colours[index + 1]?.at ?? text.length
    const known = PLAIN_CODES.test(codes) ? spelledOut(codes) : ''
    // A part without characters still affects the following ones.
    const tokens = parser.parse(`${known}${text.slice(at, end)}`)
    const style = tokens.map(styleOf).find((one) => one !== undefined)
    if (style && end > at) styles.push({ start: at, end, ...style })
    if (styles.length === MAX_RANGES) break
  }
  return styles
}

/** A missing code means 0, which the parser doesn't know. */
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
  // Inverted text without a color: the neutral background sets it apart.
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

/** The closest of a terminal's 16 colors. */
function nearest(color: Color): TerminalColor | undefined {
  if (color.type === 'named') return color.name
  const code = color.type === 'rgb' ? ansi.rgbToAnsi(...color.rgb) : ansi.ansi256ToAnsi(color.index)
  // 30 to 37, and the bright colors from 90 on.
  return TerminalColor.options[code < 90 ? code - 30 : code - 82]
}

/** Characters per piece. */
export const PIECE = 8_192

/**
 * Splits a line too long for one entry into plain masked pieces. They are cut from the masked text, so they don't depend on how the bytes
 * arrived, and no secret crosses two of them.
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

  #read(raw: string, mayContinue: boolean): void {
    const { text, held } = readTerminalText(this.#sequence + raw, mayContinue)
    this.#sequence = held
    this.#shown += this.mask.push(text)
  }

  /** Keeps the last piece, until it is known whether another follows. */
  #cut(): void {
    let from = 0
    while (this.#shown.length - from > PIECE) {
      const last = from + PIECE - 1
      // Keep surrogate pairs together.
      const to = (this.#shown.codePointAt(last) ?? 0) > 0xffff ? last : last + 1
      this.onPiece(this.#shown.slice(from, to), true)
      from = to
    }
    this.#shown = this.#shown.slice(from)
  }
}

/** A line before it gets its number in a log. */
export type LoggedLine = Omit<LogEntry, 'seq' | 'at'>

/** Formats a whole line for display: plain, masked, with its colors outside masked parts. */
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

/** Turns the lines of one stream into entries; each piece of a long line becomes an entry. */
export class LogReceiver implements StreamReceiver {
  #long: LongLine | undefined
  /** Whether the next text continues a line. */
  #isInside = false
  #level: LogEntry['level'] | undefined

  constructor(
    private readonly source: LogEntry['source'],
    private readonly redactor: Redactor,
    private readonly log: {
      readonly add: (line: LoggedLine) => void
      /** This many lines are missing here. */
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

  /** All pieces have the level at the line's beginning. */
  readonly #onPiece = (text: string, continues: boolean): void => {
    const level = (this.#level ??= this.#levelOf(text))
    const more = continues && { continues: true as const }
    this.log.add({ source: this.source, level, text, ...more })
  }

  #levelOf(text: string): LogEntry['level'] {
    return this.source === 'stdout' ? 'warn' : levelOf(text)
  }
}
