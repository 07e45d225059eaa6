/** How often it is told which logs grew, in ms. */
const NEWS_MS = 100

/** Gathers which logs grew, so that even many floods cost one message in 100 ms. */
export class LogNews implements Disposable {
  readonly #grown = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  constructor(
    private readonly onNews: (installationIds: string[]) => void,
    private readonly newsMs = NEWS_MS,
  ) {}

  add(installationId: string): void {
    this.#grown.add(installationId)
    this.#timer ??= setTimeout(() => this.#tell(), this.newsMs)
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    if (this.#grown.size > 0) this.#tell()
  }

  #tell(): void {
    this.#timer = undefined
    const grown = [...this.#grown]
    this.#grown.clear()
    this.onNews(grown)
  }
}
