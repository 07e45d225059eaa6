import { StringDecoder } from 'node:string_decoder'

import type { MaskStream } from '../masking/mask-stream'
import { readTerminalText } from '../masking/terminal-text'

/** Most characters of one piece. */
export const PIECE = 8_192

/**
 * A line too long for one entry, as plain masked pieces. They are cut from the masked text, so that
 * they are the same wherever the bytes were cut, and no secret lies across two of them.
 */
export class LongLine {
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
