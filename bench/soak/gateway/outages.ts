type Outage = { readonly from: number; to: number }

/** When each server was down: from before it was made to fail until another process answered. Times by `performance.now()`. */
export class Outages {
  readonly #outages = new Map<string, Outage[]>()
  readonly #ended = new Set<number>()

  /** A server's process is about to be made to fail. */
  begin(server: string, pid: number): void {
    this.#ended.add(pid)
    const outage = { from: performance.now(), to: Number.POSITIVE_INFINITY }
    this.#outages.set(server, [...(this.#outages.get(server) ?? []), outage])
  }

  /** A server's process answered. */
  answered(server: string, pid: number): void {
    const last = this.#outages.get(server)?.at(-1)
    if (last?.to === Number.POSITIVE_INFINITY && !this.#ended.has(pid)) last.to = performance.now()
  }

  isDown(server: string): boolean {
    return this.#outages.get(server)?.at(-1)?.to === Number.POSITIVE_INFINITY
  }

  /** Whether a server was down at any time in between. */
  wasDown(server: string, from: number, to: number): boolean {
    const all = this.#outages.get(server) ?? []
    return all.some((outage) => outage.from <= to && outage.to >= from)
  }

  /** Whether a process was made to fail. */
  wasEnded(pid: number): boolean {
    return this.#ended.has(pid)
  }
}
