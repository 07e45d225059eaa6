import { messageOf } from './describe-failure'

/** A problem that may last: it is reported when it begins and when it is over, not each time that it shows. */
export class ErrorLatch {
  #isThere = false

  /** `onProblem` hears a sentence, and undefined when it is over. */
  constructor(private readonly onProblem: (message: string | undefined) => void) {}

  get isThere(): boolean {
    return this.#isThere
  }

  /** What is wrong now; undefined where all is well. */
  set(message: string | undefined): void {
    const isThere = message !== undefined
    if (isThere === this.#isThere) return
    this.#isThere = isThere
    this.onProblem(message)
  }

  /** Does `work`; false where it throws, which is reported as `message` with the reason. */
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
