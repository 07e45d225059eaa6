import { messageOf } from './describe-failure'

/** Reports a lasting problem when it begins and when it ends, not each time it occurs. */
export class ErrorLatch {
  #isThere = false

  /** `onProblem` gets a sentence, and undefined when the problem has ended. */
  constructor(private readonly onProblem: (message: string | undefined) => void) {}

  get isThere(): boolean {
    return this.#isThere
  }

  /** Sets the current problem; undefined if there is none. */
  set(message: string | undefined): void {
    const isThere = message !== undefined
    if (isThere === this.#isThere) return
    this.#isThere = isThere
    this.onProblem(message)
  }

  /** Runs `work`; false if it throws, which is reported as `message` with the reason. */
  attempt(message: string, work: () => void): boolean {
    try {
      work()
      return true
    } catch (error) {
      this.set(`${message} (${messageOf(error)}).`)
      return false
    }
  }
}
