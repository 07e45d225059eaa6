const FIRST_MS = 1_000
const LONGEST_MS = 10_000
/** Who is refused once is refused again, until its person does something. */
const REFUSED_MS = 60_000

/** How long the bridge waits before it tries to reach the gateway again, in ms: longer each time. */
export class RetryWait {
  #next = FIRST_MS

  after(kind: 'away' | 'cut' | 'refused'): number {
    if (kind === 'refused') return REFUSED_MS
    const now = this.#next
    this.#next = Math.min(LONGEST_MS, now * 1.6)
    return now
  }

  /** It was reached. */
  reset(): void {
    this.#next = FIRST_MS
  }
}
