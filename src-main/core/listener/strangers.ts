/** What can be among strangers: a connection that tells when it is over. */
type Connection = { once(event: 'close', listener: () => void): unknown }

/**
 * The connections that have not shown yet that they may be here. The oldest is cut off when there are too many, so that
 * whoever opens connections without a right to it keeps nobody out who has one.
 */
export class Strangers<T extends Connection> {
  readonly #waiting = new Set<T>()

  constructor(
    private readonly most: number,
    private readonly cut: (connection: T) => void,
  ) {}

  get size(): number {
    return this.#waiting.size
  }

  /** Counts a new connection among them until the result is called or the connection closes. */
  receive(connection: T): () => void {
    const [oldest] = this.#waiting
    if (oldest && this.#waiting.size >= this.most) {
      this.#waiting.delete(oldest)
      this.cut(oldest)
    }
    this.#waiting.add(connection)
    const leave = (): void => void this.#waiting.delete(connection)
    connection.once('close', leave)
    return leave
  }
}
