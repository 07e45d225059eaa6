/** At most one line of progress in this time, in ms. */
const PACE_MS = 1_000
const FETCHED = /^npm http (?:fetch|cache) .*\/([^/\s]+)\.tgz\b.*\(cache (?!hit)/
const REJECTED = /^npm http fetch [A-Z]{3,6} 40[13] /
const HTTP = 'npm http '

/**
 * What npm says with `--loglevel http`, as a few lines that a person can follow: how many packages came
 * and which was the newest. Everything that is no request stays as it is. `end` tells the final count.
 */
export class NpmProgress {
  #count = 0
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly tell: (line: string) => void,
    private readonly now: () => number = Date.now,
  ) {}

  hear(line: string): void {
    const name = FETCHED.exec(line)?.[1]
    if (name === undefined) {
      // Whether a request failed is said again by npm itself, but not which registry rejected it.
      if (!line.startsWith(HTTP) || REJECTED.test(line)) this.tell(line)
      return
    }
    this.#count += 1
    if (this.now() - this.#toldAt < PACE_MS) return
    this.#toldAt = this.now()
    this.tell(`Downloaded ${name} (${packages(this.#count)} so far)`)
  }

  end(): void {
    if (this.#count > 0) this.tell(`Downloaded ${packages(this.#count)}`)
  }
}

function packages(count: number): string {
  return count === 1 ? '1 package' : `${String(count)} packages`
}
