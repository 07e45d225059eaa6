const NEWLINE = 0x0a
const RETURN = 0x0d

/** Makes every end of a line `\n` in a stream of bytes: there are three, and a chunk may end within one (HTML, 9.2.5). */
export class LineEnds {
  #isBehindReturn = false

  /** The next chunk, itself where nothing is to be done. */
  mend(chunk: Buffer): Buffer {
    if (!this.#isBehindReturn && !chunk.includes(RETURN)) return chunk
    const mended = Buffer.allocUnsafe(chunk.length)
    let length = 0
    for (const byte of chunk) {
      const isSecondHalf = this.#isBehindReturn && byte === NEWLINE
      this.#isBehindReturn = byte === RETURN
      if (isSecondHalf) continue
      mended[length] = byte === RETURN ? NEWLINE : byte
      length += 1
    }
    return mended.subarray(0, length)
  }
}
