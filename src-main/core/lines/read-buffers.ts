import type { Readable } from 'node:stream'

/** Usual size of a read, and its size while much comes: about what the system holds for one stream. */
const USUAL_BYTES = 64 * 1024
const LARGE_BYTES = 256 * 1024

/** Buffers that a stream is read into again and again; a flood would otherwise cost a new one for each read. */
export class ReadBuffers {
  readonly #free: Buffer[] = []

  /** One to read into: a large one while `isBehind`. */
  take(isBehind: boolean): Buffer {
    const size = isBehind ? LARGE_BYTES : USUAL_BYTES
    const known = this.#free.pop()
    return known?.length === size ? known : Buffer.allocUnsafeSlow(size)
  }

  /** What was read into it is no longer needed. */
  giveBack(buffer: Buffer): void {
    this.#free.push(buffer)
  }

  /** Lets go of all but one. */
  shrink(): void {
    this.#free.length = Math.min(this.#free.length, 1)
  }
}

/** Who reads a stream into buffers of its own. */
export type BufferReader = {
  readonly nextBuffer: () => Buffer
  /** The first `count` bytes of the newest buffer were read; false to pause. */
  readonly onRead: (count: number, buffer: Buffer) => boolean
}

type Socket = Readable & {
  readonly _handle?: { readonly useUserBuffer?: (buffer: Buffer) => void } | null
}

/**
 * Has a pipe of a child read into one's own buffers, as the `onread` option of `net.Socket` does; Node
 * makes these sockets itself, so what that option sets is set here. False, and nothing is changed, where
 * this Node has something else inside; its `data` events then tell the same, in twice the time.
 */
export function readIntoBuffers(stream: Readable, reader: BufferReader): boolean {
  const socket = stream as Socket
  const [current, onRead, next] = ['kBuffer', 'kBufferCb', 'kBufferGen'].map((name) =>
    Object.getOwnPropertySymbols(socket).find((symbol) => symbol.description === name),
  )
  if (!current || !onRead || !next || !socket._handle?.useUserBuffer) return false
  const first = reader.nextBuffer()
  socket._handle.useUserBuffer(first)
  Object.assign(socket, {
    [current]: first,
    [onRead]: reader.onRead,
    [next]: reader.nextBuffer,
  })
  socket.resume()
  return true
}
