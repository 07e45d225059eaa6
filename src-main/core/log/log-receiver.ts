import type { LogEntry } from '../../../src-shared/domain/running/log-entry'
import type { IntakeReceiver } from '../lines/line-intake'
import { levelOf } from '../lines/line-level'
import type { Redactor } from '../masking/redact'
import { readTerminalText } from '../masking/terminal-text'
import { LongLine } from './long-line'
import { textStyles } from './text-styles'

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
export class LogReceiver implements IntakeReceiver {
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
