/** How often it is told which logs grew, in ms. */
const NOTIFY_MS = 100

/** Gathers which logs grew, so that even many floods cost one message in 100 ms. */
export class LogEvents implements Disposable {
  readonly #grown = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  constructor(
    private readonly onNotification: (installationIds: string[]) => void,
    private readonly notifyMs = NOTIFY_MS,
  ) {}

  add(installationId: string): void {
    this.#grown.add(installationId)
    this.#timer ??= setTimeout(() => this.#tell(), this.notifyMs)
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    if (this.#grown.size > 0) this.#tell()
  }

  #tell(): void {
    this.#timer = undefined
    const grown = [...this.#grown]
    this.#grown.clear()
    this.onNotification(grown)
  }
}
