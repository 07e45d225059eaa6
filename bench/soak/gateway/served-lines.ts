import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The soak servers' records in their folder. */
export class ServedLines {
  /** Values of calls that ran more than once. */
  readonly ranTwice: string[] = []
  readonly #ran = new Set<string>()
  readonly #cancelled = new Set<string>()

  constructor(folder: string) {
    const lines = readdirSync(folder).flatMap((name) =>
      readFileSync(join(folder, name), 'utf8').split('\n'),
    )
    for (const line of lines) {
      const [what, value = ''] = line.split(' ')
      if (what === 'cancelled') this.#cancelled.add(value)
      if (what !== 'run') continue
      if (this.#ran.has(value)) this.ranTwice.push(value)
      this.#ran.add(value)
    }
  }

  /** Whether a call's server was notified of its cancellation. */
  wasCancelled(value: string): boolean {
    return this.#cancelled.has(value)
  }
}
