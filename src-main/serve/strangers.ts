import type { WebSocket } from 'ws'

/** Most sockets that may be open without having shown a token. */
export const MAX_STRANGERS = 16

/**
 * The sockets that have not shown a token yet. The oldest is cut off when there are too many, so that
 * whoever opens sockets without a token keeps nobody out who has one.
 */
export class Strangers {
  readonly #waiting = new Set<WebSocket>()

  /** Counts a new socket among them until the result is called or the socket closes. */
  receive(socket: WebSocket): () => void {
    const [oldest] = this.#waiting
    if (oldest && this.#waiting.size >= MAX_STRANGERS) {
      this.#waiting.delete(oldest)
      oldest.terminate()
    }
    this.#waiting.add(socket)
    const leave = (): void => void this.#waiting.delete(socket)
    socket.once('close', leave)
    return leave
  }
}
