import type { IncomingMessage } from 'node:http'

/** Why there is no whole body: it is larger than allowed, there is no room beside the other ones, or its sender is gone. */
export type BodyFault = 'tooLarge' | 'noRoom' | 'gone'

/** A body up to this part of the limit finds room however many others are on their way: most are, and what one agent uses up is taken from no other. */
const SMALL_PART = 1 / 256

/** Reads the bodies of requests, each up to a limit, and all large ones that are on their way up to twice as much. */
export class BodyReader {
  #held = 0

  /** The whole body; never rejects. What is too much is dropped as it comes. */
  read(request: IncomingMessage, mostBytes: number): Promise<Buffer | BodyFault> {
    const { promise, resolve } = Promise.withResolvers<Buffer | BodyFault>()
    const chunks: Buffer[] = []
    let length = 0
    let isOver = false
    const settle = (body: Buffer | BodyFault): void => {
      if (isOver) return
      isOver = true
      this.#held -= length
      chunks.length = 0
      resolve(body)
    }
    request.on('data', (chunk: Buffer) => {
      if (isOver) return
      length += chunk.length
      this.#held += chunk.length
      if (length > mostBytes) settle('tooLarge')
      else if (length > SMALL_PART * mostBytes && this.#held > 2 * mostBytes) settle('noRoom')
      else chunks.push(chunk)
    })
    request.once('end', () => {
      const [only] = chunks
      settle(only && chunks.length === 1 ? only : Buffer.concat(chunks))
    })
    request.once('close', () => settle('gone'))
    return promise
  }
}
